import random
from collections import deque

ANIMALS = ["badger", "cat", "dog", "eel", "fox", "goose", "hen", "ibis", "jackal", "kid"]


class NightCrossingEnv:
    """River crossing with a random who-eats-whom; most commands are impossible at any one time, a feast loses."""

    def __init__(self, max_turns=22):
        self.max_turns = max_turns
        self.reset()

    def _feast(self, state):
        here, boat = state
        alone = here if boat else frozenset(self.cast) - here
        return next(((a, b) for a, b in self.eats if a in alone and b in alone), None)

    def _next(self, state):
        here, boat = state
        side = frozenset(self.cast) - here if boat else here
        loads = [()] + [(a,) for a in sorted(side)] + [(a, b) for a in sorted(side) for b in sorted(side) if a < b]
        for load in loads:
            yield load, (here | set(load) if boat else here - set(load), not boat)

    def _solve(self):
        start = (frozenset(self.cast), False)
        prev, todo = {start: None}, deque([start])
        while todo:
            state = todo.popleft()
            if not state[0] and state[1]:
                path = []
                while prev[state]:
                    state, load = prev[state]
                    path.append(load)
                return path[::-1]
            for load, nxt in self._next(state):
                if nxt not in prev and not self._feast(nxt):
                    prev[nxt] = (state, load)
                    todo.append(nxt)
        return None

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.cast = sorted(rng.sample(ANIMALS, 6))
            pairs = [(a, b) for a in self.cast for b in self.cast if a != b]
            self.eats = rng.sample(pairs, 6)
            self.path = self._solve()
            if self.path and 7 <= len(self.path) <= 11:
                break
        self.state, self.turn = (frozenset(self.cast), False), 0
        rules = ", ".join(f"the {a} eats the {b}" for a, b in self.eats)
        return (
            f"At night {', '.join(self.cast)} must cross a river. Your boat carries you and up to two animals. Where you are absent, "
            f"{rules}. Row with \\boxed{{row fox hen}}, \\boxed{{row fox}} or \\boxed{{row alone}}. {self.max_turns} crossings.\n" + self._show()
        ), {}

    def _show(self):
        here, boat = self.state
        there = sorted(set(self.cast) - here)
        return f"West bank: {', '.join(sorted(here)) or 'empty'}. East bank: {', '.join(there) or 'empty'}. You are {'east' if boat else 'west'}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        words = action.lower().replace("\\boxed{", " ").replace("}", " ").replace(",", " ").replace(" and ", " ").split()
        if words[:1] != ["row"] or len(words) not in (2, 3):
            return "Say whom you row. " + self._show(), 0.0, False, late, {}
        load = tuple(sorted(set(words[1:]) - {"alone"}))
        options = dict(self._next(self.state))
        if load not in options:
            return "They are not on your bank. " + self._show(), 0.0, False, late, {}
        self.state = options[load]
        meal = self._feast(self.state)
        if meal:
            return f"Behind your back the {meal[0]} eats the {meal[1]}.", 0.0, True, False, {}
        if not self.state[0] and self.state[1]:
            return "Everybody is across, and whole.", 1.0, True, False, {}
        return self._show(), 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{row " + (" ".join(load) or "alone") + "}" for load in self.path]
