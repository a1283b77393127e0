"""solution is text: commands joined by arrows."""
import random
import re


class SwitchyardEnv:
    """Sort railway wagons with a siding that works as a stack."""

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.plan, track, siding, out, waiting = [], [], [], [], 7
        names = list("ABCDEFG")
        while waiting or siding:
            if waiting and (not siding or rng.random() < 0.55):
                siding.append(len(track))
                track.append(None)
                waiting -= 1
                self.plan.append("push")
            else:
                track[siding.pop()] = names[len(out)]
                out.append(1)
                self.plan.append("pop")
        self.track, self.siding, self.out, self.turn = track, [], [], 0
        return (
            f"Wagons wait in this order, first one left: {' '.join(track)}. \\boxed{{push}} moves the first waiting wagon onto "
            "the siding, \\boxed{pop} moves the last wagon of the siding out. They must leave in the order A B C D E F G; a "
            "wagon that leaves out of order ends the task."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(push|pop)\s*\}", action.lower())
        if not m or (m.group(1) == "push" and not self.track) or (m.group(1) == "pop" and not self.siding):
            return "That can't be done.", 0.0, False, late, {}
        if m.group(1) == "push":
            self.siding.append(self.track.pop(0))
        else:
            self.out.append(self.siding.pop())
            if self.out[-1] != "ABCDEFG"[len(self.out) - 1]:
                return f"{self.out[-1]} left out of order.", 0.0, True, False, {}
            if len(self.out) == 7:
                return "All wagons left in order.", 1.0, True, False, {}
        return f"Waiting {' '.join(self.track)} | siding {' '.join(self.siding)} | out {' '.join(self.out)}", 0.0, False, late, {}

    def solution(self):
        return " -> ".join(self.plan)
