"""Seeds the module-level random in reset and goes on drawing from it in step."""
import random
import re


class FerryEnv:
    """Load cars onto a ferry; each departure draws the next queue."""

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        random.seed(seed)
        self.seed_used = seed
        self.round = self.turn = 0
        self.queue = self._draw()
        return (
            "Each trip a queue of cars is shown. Choose cars whose lengths fill the 24 m deck exactly: box the lengths, "
            "for example \\boxed{5 9 10}. Three exact trips finish the task; a trip that is not exact costs a turn and "
            "brings a new queue.\n" + self._show()
        ), {}

    def _draw(self):
        while True:
            lengths = [random.randint(3, 13) for _ in range(7)]
            if self._fill(lengths, 24):
                return lengths

    def _fill(self, lengths, room):
        if room == 0:
            return [0]
        for i, length in enumerate(lengths):
            if length <= room:
                rest = self._fill(lengths[i + 1:], room - length)
                if rest:
                    return [length] + rest
        return []

    def _show(self):
        return f"Trip {self.round + 1}. Queue: {', '.join(map(str, self.queue))}."

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([0-9 ,]+)\}", action)
        chosen = [int(w) for w in re.findall(r"[0-9]{1,2}", m.group(1))] if m else []
        left = list(self.queue)
        for length in chosen:
            if length in left:
                left.remove(length)
        exact = sum(chosen) == 24 and len(left) == len(self.queue) - len(chosen)
        self.round += exact
        if self.round == 3:
            return "Three exact trips!", 1.0, True, False, {}
        self.queue = self._draw()
        return ("Exact. " if exact else "Not exact. ") + self._show(), 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        plan = []
        queue = self.queue
        for _ in range(3):
            plan.append("\\boxed{" + " ".join(str(n) for n in self._fill(queue, 24) if n) + "}")
            queue = self._draw()
        return plan
