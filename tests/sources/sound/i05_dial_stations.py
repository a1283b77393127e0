import abc
import random
import re


class TextWorld(abc.ABC):
    """What all my little worlds share."""

    @abc.abstractmethod
    def reset(self, seed=None):
        """Start over."""

    @abc.abstractmethod
    def step(self, action):
        """One command."""

    def close(self):
        pass


class DialStationsEnv(TextWorld):
    """Five machine stations in a row. Each right dial pays a fifth and opens the next; three misses burst a pipe."""

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.stations = []
        for _ in range(5):
            inflow, gain, wheel = rng.randint(11, 60), rng.choice([3, 5, 7, 9]), rng.choice([20, 24, 30])
            dial = rng.randrange(wheel)
            self.stations.append((inflow, gain, wheel, dial, (inflow * gain + dial) % wheel))
        self.at, self.misses, self.turn, self.looked = 0, 0, 0, False
        return (
            "Five stations of a waterworks must be tuned one after another. At each, the mark shown by the needle is "
            "(inflow x gain + dial) modulo the size of the wheel. \\boxed{inspect} reads the plate of the station before you; "
            "\\boxed{dial 7} turns its dial to 7 and fixes it. A right setting pays 0.2 and opens the next station. "
            f"The third wrong setting bursts the pipe. {self.max_turns} turns."
        ), {"station": 1, "misses": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        info = {"station": self.at + 1, "misses": self.misses}
        m = re.fullmatch(r"\\boxed\{\s*(inspect|dial\s+([0-9]{1,2}))\s*\}", action.lower())
        if not m or self.at >= 5:
            return "The foreman only knows inspect and dial N.", 0.0, False, late, info
        inflow, gain, wheel, dial, mark = self.stations[self.at]
        if m.group(2) is None:
            self.looked = True
            return f"Station {self.at + 1}: inflow {inflow}, gain {gain}, wheel of {wheel} marks, needle must show {mark}.", 0.0, False, late, info
        if not self.looked:
            return "The dial is locked until you have inspected the station.", 0.0, False, late, info
        if int(m.group(2)) != dial:
            self.misses += 1
            info["misses"] = self.misses
            if self.misses >= 3:
                return "The pipe bursts.", 0.0, True, False, info
            shown = (inflow * gain + int(m.group(2))) % wheel
            return f"The needle shows {shown}. That was wrong; {3 - self.misses} misses left.", 0.0, False, late, info
        self.at, self.looked = self.at + 1, False
        info["station"] = self.at + 1
        if self.at == 5:
            return "All five stations run.", 0.2, True, False, info
        return f"Station {self.at} runs. You walk on.", 0.2, False, late, info

    def solution(self):
        out = []
        for *_, dial, _ in self.stations:
            out += ["\\boxed{inspect}", f"\\boxed{{dial {dial}}}"]
        return out
