from typing import Any, Dict, Optional, Tuple
import random
import re
from functools import lru_cache


class DFACountEnv:
    """
    Count the words of a given length that a finite automaton accepts.

    Skill: mathematical reasoning (dynamic programming over states).
    """

    def __init__(self, max_turns: int = 5, **kwargs: Any) -> None:
        self.max_turns = max_turns
        self.turn = 0
        self.delta: Dict[Tuple[str, str], str] = {}
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict[str, Any]]:
        rng = random.Random(seed)
        while True:
            k = rng.randint(4, 6)
            self.states = [f"q{i}" for i in range(k)]
            self.alphabet = rng.sample("abcdxyz", 3)
            self.delta = {(s, a): rng.choice(self.states) for s in self.states for a in self.alphabet}
            self.accepting = sorted(rng.sample(self.states, 2))
            self.length = rng.randint(7, 9)
            self.count = self._count()
            if 300 < self.count < 3 ** self.length - 300:
                break
        self.turn = 0
        return self._get_obs(), {"difficulty": k}

    def _count(self) -> int:
        table = self.delta
        alphabet = self.alphabet
        accepting = set(self.accepting)

        @lru_cache(maxsize=None)
        def ways(state: str, left: int) -> int:
            if left == 0:
                return 1 if state in accepting else 0
            return sum(ways(table[(state, letter)], left - 1) for letter in alphabet)

        return ways("q0", self.length)

    def _get_obs(self) -> str:
        head = "state | " + " | ".join(f"{a:>3}" for a in self.alphabet)
        rows = [head, "-" * len(head)]
        for s in self.states:
            mark = "*" if s in self.accepting else " "
            rows.append(f"{mark}{s:>4} | " + " | ".join(f"{self.delta[(s, a)]:>3}" for a in self.alphabet))
        table = "\n".join(rows)
        return (
            f"A deterministic automaton over the letters {', '.join(self.alphabet)} starts in q0. Accepting states are "
            f"marked with *.\n\n{table}\n\n"
            f"How many words of length exactly {self.length} does it accept?\n"
            f"Submit an integer in \\boxed{{}}. Turn {self.turn} of {self.max_turns}."
        )

    def step(self, action: str) -> Tuple[str, float, bool, bool, Dict[str, Any]]:
        self.turn += 1
        truncated = bool(self.turn >= self.max_turns)
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        if match is None:
            return "No boxed answer.", 0.0, False, truncated, {"error": "format"}
        raw = match.group(1).strip().replace(",", "")
        if not (raw.isascii() and raw.isdigit() and len(raw) < 12):
            return "The answer must be a non-negative integer.", 0.0, False, truncated, {"error": "type"}
        if int(raw) == self.count:
            return "Accepted.", 1.0, True, False, {}
        if int(raw) > 3 ** self.length:
            return "Impossible: there are not that many words.", -0.1, False, truncated, {}
        parity = "has the right parity" if int(raw) % 2 == self.count % 2 else "has the wrong parity"
        return f"Incorrect; your number {parity}.", 0.0, False, truncated, {}

    def solution(self) -> str:
        return str(self.count)

    def hint(self) -> str:
        return ("Work backwards: for every state keep the number of accepted continuations of length n, and build "
                "the next row by adding the entries of the three successor states.")
