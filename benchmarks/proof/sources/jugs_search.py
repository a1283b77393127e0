# itertools.permutations for moves, breadth-first search with a cache, tuples as states; list solution
import itertools
import random
import re


class FourJugsEnv:
    """Four jugs, one tap, one drain: produce a given pair of amounts."""

    JUGS = "ABCD"

    def __init__(self, max_turns=28):
        self.max_turns = max_turns
        self._cache = {}
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self._cache = {}
        while True:
            self.caps = tuple(sorted(rng.sample(range(2, 10), 4)))
            self.now = tuple(rng.randint(0, c) for c in self.caps)
            self.taps = rng.choice(self.JUGS)  # only this jug fits under the tap
            self.drain = rng.choice(self.JUGS)  # only this one reaches the drain
            ways = self._explore(self.now, limit=1500)
            deep = sorted(s for s, (d, _, _) in ways.items() if 8 <= d <= 14)
            if len(deep) > 20:
                self.goal = rng.choice(deep)
                break
        self._cache["ways"] = ways
        return (
            "Jugs and capacities: " + ", ".join(f"{j} {c} l" for j, c in zip(self.JUGS, self.caps)) + ".\n"
            f"Only jug {self.taps} fits under the tap, and only jug {self.drain} can be emptied into the drain. "
            "\\boxed{fill}, \\boxed{empty}, \\boxed{pour A B} (until A is empty or B is full).\n"
            "Wanted, all at the same time: " + self._text(self.goal) + ".\n"
            f"Now: {self._text(self.now)}. You have {self.max_turns} turns."
        ), {}

    def _text(self, amounts):
        return ", ".join(f"{j} holds {a} l" for j, a in zip(self.JUGS, amounts))

    def _apply(self, state, command):
        s = list(state)
        if command == "fill":
            i = self.JUGS.index(self.taps)
            s[i] = self.caps[i]
        elif command == "empty":
            s[self.JUGS.index(self.drain)] = 0
        else:
            a, b = (self.JUGS.index(x) for x in command.split()[1:])
            flow = min(s[a], self.caps[b] - s[b])
            s[a] -= flow
            s[b] += flow
        return tuple(s)

    def _commands(self):
        yield "fill"
        yield "empty"
        for a, b in itertools.permutations(self.JUGS, 2):
            yield f"pour {a} {b}"

    def _explore(self, start, limit):
        ways, frontier = {start: (0, None, None)}, [start]
        for state in frontier:
            if len(ways) > limit:
                break
            for command in self._commands():
                then = self._apply(state, command)
                if then not in ways:
                    ways[then] = (ways[state][0] + 1, state, command)
                    frontier.append(then)
        return ways

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*(fill|empty|pour\s+([A-D])\s+([A-D]))\s*\}", action.strip())
        if not m or (m.group(2) and m.group(2) == m.group(3)):
            return "Commands: \\boxed{fill}, \\boxed{empty}, \\boxed{pour A B}.", 0.0, False, late, {}
        self.now = self._apply(self.now, " ".join(m.group(1).split()))
        if self.now == self.goal:
            return "Exactly as wanted.", 1.0, True, False, {}
        return f"{self._text(self.now)}.", 0.0, False, late, {}

    def solution(self):
        ways, state, out = self._cache["ways"], self.goal, []
        while ways[state][1] is not None:
            _, state, command = ways[state]
            out.append(f"\\boxed{{{command}}}")
        return out[::-1]

    def hint(self):
        return (
            "Think backwards from the wanted amounts, and remember that the last pour leaves one jug full or one empty."
        )
