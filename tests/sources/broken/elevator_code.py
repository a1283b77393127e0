# expect: warn robustness.raises
# defect: the floor is tested with str.isdigit() and then given to int(), which raises ValueError for a digit such as \boxed{²}
import random


class ElevatorCodeEnv:
    """Find out what four unlabelled buttons of an old lift do and reach the wanted floor."""

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.floors = 31
        self.moves = rng.sample([-7, -5, -3, 2, 4, 6, 9, 11], 4)
        self.floor = rng.randrange(self.floors)
        plan, here = [], self.floor
        for _ in range(rng.randint(5, 7)):
            b = rng.randrange(4)
            plan.append(b)
            here = (here + self.moves[b]) % self.floors
        if here == self.floor:
            plan.append(0)
            here = (here + self.moves[0]) % self.floors
        self.plan, self.target = plan, here
        return (
            f"A paternoster has floors 0 to {self.floors - 1}; above the top it comes in again at the bottom. Four buttons 1, 2, 3, 4 move it by amounts "
            "that you must find out. Leave the cabin with 0, which counts only once.\n"
            f"You are on floor {self.floor} and want to leave on floor {self.target}. Press with \\boxed{{button}}; {self.max_turns} presses."
        ), {}

    def _button(self, action):
        start = action.rfind("\\boxed{")
        if start < 0:
            return None
        text = action[start + 7:].split("}")[0].strip()
        if len(text) == 1 and text.isdigit():
            return int(text)
        return None

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        button = self._button(action)
        if button is None or button > 4:
            return "There is no such button. Press 1, 2, 3, 4 or 0.", 0.0, False, late, {}
        if button == 0:
            if self.floor == self.target:
                return "You step out on the right floor.", 1.0, True, False, {}
            return "You step out on the wrong floor.", 0.0, True, False, {}
        self.floor = (self.floor + self.moves[button - 1]) % self.floors
        return f"The cabin stops at floor {self.floor}.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{b + 1}}}" for b in self.plan] + ["\\boxed{0}"]
