import random, re
from dataclasses import dataclass
@dataclass(frozen=True)
class Fact:
    subj: str; pred: str; obj: str
    def __post_init__(self):
        object.__setattr__(self, "subj", self.subj.lower())
    def __str__(self): return f"{self.subj} {self.pred} {self.obj}"

class RuleEnv:
    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        names = r.sample(["Ann","Bob","Cid","Dee","Eli","Fay","Gus","Hal","Ida","Jon","Kim","Lea","Max","Nia","Oto","Pia","Qi","Ros","Sam","Tea"], 18)
        self.facts = {Fact(a, "older", b) for a, b in zip(names, names[1:])}
        self.answer = names[0].lower()
        txt = "; ".join(sorted(map(str, self.facts)))
        match sorted(self.facts, key=str)[0]:
            case Fact(subj=s, pred="older"): self.s = s
            case _: self.s = None
        return f"Who is oldest? {txt}. \\boxed{{name}}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
