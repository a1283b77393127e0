"""Spell book: private function attributes read from bound methods (very common registry idiom)."""
import random, re
def spell(cost):
    def mark(fn):
        fn._spell_cost = cost
        return fn
    return mark
class SpellEnv:
    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.spells = {n: getattr(self, n) for n in dir(self) if hasattr(getattr(self, n), "_spell_cost")}
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.mana, self.hp, self.t = 200, r.randint(40, 90), 0
        return f"Golem with {self.hp} hp: bring it to exactly 0, then seal it. Spells: " + ", ".join(f"{n} ({f._spell_cost} mana)" for n, f in self.spells.items()) + f". You have {self.mana} mana. \\boxed{{spell}}", {}
    @spell(2)
    def spark(self): self.hp -= 1
    @spell(3)
    def fire(self): self.hp -= 7
    @spell(1)
    def seal(self): self.sealed = True
    def step(self, action):
        self.t += 1
        m = re.search(r"\\boxed\{(\w+)\}", action)
        fn = self.spells.get(m[1]) if m else None
        if fn is None or fn._spell_cost > self.mana: return "fizzle", 0.0, False, self.t >= self.max_turns, {}
        self.mana -= fn._spell_cost; self.sealed = False; fn()
        won = self.hp == 0 and self.sealed
        return f"golem {self.hp} hp, {self.mana} mana", float(won), won or self.sealed, not (won or self.sealed) and self.t >= self.max_turns, {}
    def solution(self): return ["\\boxed{fire}"] * (self.hp // 7) + ["\\boxed{spark}"] * (self.hp % 7) + ["\\boxed{seal}"]
