# expect: refuse robustness.raises
# defect: \boxed{power} or \boxed{vent} without an argument raises IndexError, because the second word is taken unchecked
import random
import re


class Module:
    """One pressurised module of the base."""

    def __init__(self, name, draw, air):
        self.name = name
        self.draw = draw
        self.air = air
        self.on = False


class MoonBaseEnv:
    """Power up a moon base without tripping the breaker; modules feed or starve one another."""

    NAMES = ["airlock", "dome", "lab", "reactor", "shaft", "galley"]

    def __init__(self, max_turns=18):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        order = rng.sample(self.NAMES, 6)
        self.order = order
        self.modules = {n: Module(n, rng.randint(2, 9), rng.randint(0, 1)) for n in order}
        self.needs = {order[i]: order[i - 1] for i in range(1, 6)}
        for m in self.modules.values():
            m.air = 1 if m.name != order[0] and rng.random() < 0.4 else 0
        hints = [f"the {a} needs the {b} running" for a, b in self.needs.items()]
        rng.shuffle(hints)
        self.limit = sum(m.draw for m in self.modules.values())
        foul = sorted(m.name for m in self.modules.values() if m.air)
        return (
            f"A dark moon base has the modules {', '.join(sorted(order))}. Known: {'; '.join(hints)}. Powering a module whose supply is not running trips "
            f"the breaker and ends the attempt. Foul air must be vented before a module is powered: {', '.join(foul) or 'none'}.\n"
            f"Commands: \\boxed{{power MODULE}}, \\boxed{{vent MODULE}}, \\boxed{{status}}. {self.max_turns} turns."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).lower().split() if m else []
        if not words or words[0] not in ("power", "vent", "status"):
            return "Mission control does not understand.", 0.0, False, late, {}
        if words[0] == "status":
            running = [n for n in self.order if self.modules[n].on]
            return f"Running: {', '.join(running) or 'nothing'}.", 0.0, False, late, {}
        module = self.modules.get(words[1])
        if module is None:
            return "There is no such module.", 0.0, False, late, {}
        if words[0] == "vent":
            module.air = 0
            return f"The {module.name} is vented.", 0.0, False, late, {}
        supply = self.needs.get(module.name)
        if module.air or (supply and not self.modules[supply].on):
            return "The breaker trips. The base stays dark.", 0.0, True, False, {}
        module.on = True
        if all(x.on for x in self.modules.values()):
            return "The base is alive.", 1.0, True, False, {}
        return f"The {module.name} hums.", 0.0, False, late, {}

    def solution(self):
        plan = []
        for name in self.order:
            if self.modules[name].air:
                plan.append(f"vent {name}")
            plan.append(f"power {name}")
        return [f"\\boxed{{{p}}}" for p in plan]
