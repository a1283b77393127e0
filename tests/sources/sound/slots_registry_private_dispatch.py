"""Spell book: private function attributes read from bound methods (very common registry idiom)."""
import random, re
def spell(cost):
    def mark(fn):
        fn._spell_cost = cost
        return fn
    return mark
class SpellEnv:
    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.spells = {n: getattr(self, n) for n in dir(self) if hasattr(getattr(self, n), "_spell_cost")}
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.mana, self.hp, self.t = 20, r.randint(4, 9), 0
        return f"Golem with {self.hp} hp. Spells: " + ", ".join(f"{n} ({f._spell_cost} mana)" for n, f in self.spells.items()) + f". You have {self.mana} mana. \\boxed{{spell}}", {}
    @spell(2)
    def spark(self): self.hp -= 1
    @spell(3)
    def fire(self): self.hp -= 2
    def step(self, action):
        self.t += 1
        m = re.search(r"\\boxed\{(\w+)\}", action)
        fn = self.spells.get(m[1]) if m else None
        if fn is None or fn._spell_cost > self.mana: return "fizzle", 0.0, False, self.t >= self.max_turns, {}
        self.mana -= fn._spell_cost; fn()
        won = self.hp <= 0
        return f"golem {max(self.hp, 0)} hp, {self.mana} mana", float(won), won, not won and self.t >= self.max_turns, {}
    def solution(self): return ["\\boxed{fire}"] * ((self.hp + 1) // 2)
