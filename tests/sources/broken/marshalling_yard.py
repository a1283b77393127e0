# expect: refuse feasibility.budget | feasibility.witness
# defect: the number of wagons grows with the seed up to eleven, but the turns stay at 18: on part of the seeds any shunting needs more (two orders per wagon).
import random
import re


class MarshallingYardEnv:
    """Planning with stacks: sort a train on three sidings.

    Wagons come in one by one from the west; each siding is a stack; the departing train is built from the sidings.
    """

    def __init__(self, max_turns=18, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        count = rng.randint(6, 11)
        while True:
            wagons = rng.sample("ABCDEFGHJKLMNPQRSTUVWXYZ", count)
            self.plan, self.order = self._shunt(rng, wagons)
            if sum(a == b for a, b in zip(wagons, self.order)) <= 2:
                break
        self.arrivals = list(wagons)
        self.sidings = {1: [], 2: [], 3: []}
        self.train = []
        return (
            f"Wagons wait west of the yard, the first one in front: {' '.join(self.arrivals)}. The train has to leave as "
            f"{' '.join(self.order)} (first wagon first).\n"
            "Three sidings, each open at one end only, hold at most four wagons each. Orders: \\boxed{IN 2} pushes the "
            "next waiting wagon on siding 2; \\boxed{OUT 2} takes the last pushed wagon of siding 2 into the train. A "
            f"wrong wagon in the train cannot be taken out again and costs you the job. {self.max_turns} orders.\n"
        ) + self._yard(), {}

    def _shunt(self, rng, wagons):
        """A random way to shunt the wagons: the orders given and the train that results."""
        waiting, sidings, train, plan = list(wagons), {1: [], 2: [], 3: []}, [], []
        while len(train) < len(wagons):
            ins = [f"IN {n}" for n, held in sidings.items() if waiting and len(held) < 4]
            outs = [f"OUT {n}" for n, held in sidings.items() if held]
            order = rng.choice(ins if ins and (not outs or rng.random() < 0.6) else outs)
            held = sidings[int(order[-1])]
            if order.startswith("IN"):
                held.append(waiting.pop(0))
            else:
                train.append(held.pop())
            plan.append(order)
        return plan, train

    def _yard(self):
        sidings = "; ".join(f"siding {n}: {' '.join(held) or 'empty'}" for n, held in self.sidings.items())
        return f"Waiting: {' '.join(self.arrivals) or 'none'}; {sidings}; train: {' '.join(self.train) or 'empty'}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*(IN|OUT)\s*([123])\s*\}", action.upper().replace("\\BOXED", "\\boxed"))
        if not match:
            return "Orders look like \\boxed{IN 1} or \\boxed{OUT 3}.", 0.0, False, late, {}
        verb, siding = match.group(1), self.sidings[int(match.group(2))]
        if verb == "IN":
            if not self.arrivals or len(siding) >= 4:
                return "That cannot be done. " + self._yard(), 0.0, False, late, {}
            siding.append(self.arrivals.pop(0))
            return self._yard(), 0.0, False, late, {}
        if not siding:
            return "That siding is empty. " + self._yard(), 0.0, False, late, {}
        wagon = siding.pop()
        if wagon != self.order[len(self.train)]:
            return f"Wagon {wagon} is coupled in the wrong place. The job is lost.", 0.0, True, False, {}
        self.train.append(wagon)
        if len(self.train) == len(self.order):
            return "The train leaves as ordered.", 1.0, True, False, {}
        return self._yard(), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{order}}}" for order in self.plan]

    def hint(self):
        return "Never put a wagon on one that must leave earlier; take wagons out as soon as the train wants them."
