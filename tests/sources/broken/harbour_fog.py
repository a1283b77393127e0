# expect: refuse contract.observation | contract.reset
# defect: when the harbour lies in fog at the start, on about one seed in six, reset() returns an empty text
import random
import re


class HarbourFogEnv:
    """Pilot a ship through a harbour channel by soundings."""

    def __init__(self, max_turns=25):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.width, self.length = 5, 9
        lane = rng.randrange(self.width)
        self.channel = {(0, lane)}
        self.path = []
        for row in range(1, self.length):
            while rng.random() < 0.5:
                side = rng.choice([-1, 1])
                if 0 <= lane + side < self.width and (row - 1, lane + side) not in self.channel:
                    lane += side
                    self.channel.add((row - 1, lane))
                    self.path.append("port" if side < 0 else "starboard")
                else:
                    break
            self.channel.add((row, lane))
            self.path.append("ahead")
        self.row, self.lane = 0, min(l for r, l in self.channel if r == 0)
        starts = [l for r, l in self.channel if r == 0]
        self.lane = starts[0] if len(starts) == 1 else self._start_lane()
        self.fog = rng.random() < 1 / 6
        rules = (
            "Bring the ship through the channel. Commands: \\boxed{ahead}, \\boxed{port}, \\boxed{starboard} move, \\boxed{sound} measures the depth around "
            f"you. Leaving the channel strands the ship. {self.length - 1} rows to go, {self.max_turns} turns.\n"
        )
        return self._view(rules), {}

    def _start_lane(self):
        row0 = []
        for word in self.path:
            if word == "ahead":
                break
            row0.append(1 if word == "starboard" else -1)
        lanes = sorted(l for r, l in self.channel if r == 0)
        return lanes[0] if row0[0] > 0 else lanes[-1]

    def _view(self, text):
        if self.fog:
            return ""
        return text + f"You are in row {self.row}, lane {self.lane}."

    def _depths(self):
        around = {"ahead": (self.row + 1, self.lane), "port": (self.row, self.lane - 1), "starboard": (self.row, self.lane + 1)}
        return ", ".join(f"{k} {'deep' if v in self.channel else 'shallow'}" for k, v in around.items())

    def step(self, action):
        self.turn += 1
        self.fog = False
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(ahead|port|starboard|sound)\s*\}", action)
        if m is None:
            return self._view("The crew waits for an order. "), 0.0, False, late, {}
        if m.group(1) == "sound":
            return self._view(f"Depths: {self._depths()}. "), 0.0, False, late, {}
        dr, dl = {"ahead": (1, 0), "port": (0, -1), "starboard": (0, 1)}[m.group(1)]
        self.row, self.lane = self.row + dr, self.lane + dl
        if (self.row, self.lane) not in self.channel:
            return "The ship runs aground.", 0.0, True, False, {}
        if self.row == self.length - 1:
            return "Open water!", 1.0, True, False, {}
        return self._view("Steady. "), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{p}}}" for p in self.path]
