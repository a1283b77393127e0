import random
import re


class InterleavedSequenceEnv:
    """Two sequences are woven into one, each follows x -> a*x + b (mod m). Continue."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.current_turn = 0
        self.reset()

    def _make(self, rng):
        m = rng.choice([97, 101, 103, 107, 109, 113, 127])
        a, b, x = rng.randint(2, 9), rng.randint(1, 50), rng.randint(1, m - 1)
        seq = [x]
        for _ in range(8):
            seq.append((a * seq[-1] + b) % m)
        return m, seq

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.current_turn = 0
        while True:
            self.m1, first = self._make(rng)
            self.m2, second = self._make(rng)
            if len(set(first)) == 9 and len(set(second)) == 9:
                break
        woven = [v for pair in zip(first, second) for v in pair]
        self.shown, self.next = woven[:12], woven[12:16]
        observation = (
            "Sequence: " + ", ".join(map(str, self.shown)) + ", ?, ?, ?, ?\n\n"
            "It is made of two sequences in turn (1st, 3rd, 5th... and 2nd, 4th, 6th... terms). In each of them, the next "
            "term is a times the term plus b, modulo m, with its own fixed whole numbers a and b.\n"
            f"The modulus is {self.m1} for the first and {self.m2} for the second; 2 <= a <= 9.\n\n"
            "Give the next four terms: \\boxed{w, x, y, z}"
        )
        return observation, {}

    def _extract(self, action):
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        if not m:
            return None
        parts = [p.strip() for p in m.group(1).split(",")]
        if len(parts) != 4 or not all(re.fullmatch(r"[0-9]{1,4}", p) for p in parts):
            return None
        return [int(p) for p in parts]

    def step(self, action):
        self.current_turn += 1
        truncated = self.current_turn >= self.max_turns
        answer = self._extract(action)
        if answer is None:
            feedback = "Invalid. Four comma separated whole numbers are needed."
            return feedback, -0.2, False, truncated, {"result": "invalid"}
        if answer == self.next:
            return "Correct! You found both rules.", 1.0, True, False, {"result": "win"}
        odd = "right" if answer[::2] == self.next[::2] else "wrong"
        even = "right" if answer[1::2] == self.next[1::2] else "wrong"
        return f"First sequence: {odd}. Second sequence: {even}.", 0.0, False, truncated, {"result": "wrong"}

    def solution(self):
        return ", ".join(str(v) for v in self.next)

    def hint(self):
        return "Differences of neighbouring terms within one sequence are multiplied by a each time, modulo m; find a from two of them, then b."

    def close(self):
        return None
