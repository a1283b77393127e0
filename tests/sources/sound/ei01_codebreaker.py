import random
import re
from collections import Counter


class CodebreakerEnv:
    """Find a four-letter code over A to H from exact and misplaced counts."""

    def __init__(self, max_turns=12):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._code = [rng.choice("ABCDEFGH") for _ in range(4)]
        self._history = []
        return (
            "I have a code of four letters from A to H; letters may repeat. Guess with \\boxed{try WXYZ}, your four letters "
            "in place of WXYZ. I answer with exact hits (right letter, right place) and near hits (right letter, wrong "
            f"place). \\boxed{{list}} repeats the guesses so far. You have {self.max_turns} turns, the lists included."
        ), {}

    def _score(self, guess):
        exact = sum(a == b for a, b in zip(guess, self._code))
        common = sum((Counter(guess) & Counter(self._code)).values())
        return exact, common - exact

    def step(self, action):
        self._history.append(None)
        late = len(self._history) >= self.max_turns
        m = re.search(r"\\boxed\{\s*(list|try\s+([A-Ha-h]{4}))\s*\}", action)
        if not m:
            return "Use \\boxed{try WXYZ} with letters A to H, or \\boxed{list}.", -0.02, False, late, {}
        if m.group(1) == "list":
            rows = [h for h in self._history if h]
            return "\n".join(rows) or "No guesses yet.", 0.0, False, late, {}
        guess = m.group(2).upper()
        exact, near = self._score(guess)
        self._history[-1] = f"{guess}: {exact} exact, {near} near"
        if exact == 4:
            return "Code broken.", 1.0, True, False, {}
        return self._history[-1], 0.0, False, late, {"exact": exact, "near": near}

    def solution(self):
        return ["\\boxed{try AABB}", "\\boxed{try " + "".join(self._code) + "}"]

    def hint(self):
        return "After each reply keep in mind which codes are still possible, and guess one that splits them well."
