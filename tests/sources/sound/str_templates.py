import random
from string import Template, ascii_uppercase
T = Template("Shift $word by $k letters: \\boxed{WORD}")

class StrEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        self.k = r.randint(1, 25); self.word = "".join(r.choices(ascii_uppercase, k=5))
        tab = str.maketrans(ascii_uppercase, ascii_uppercase[self.k:] + ascii_uppercase[:self.k])
        self.answer = self.word.translate(tab)
        return "{:s}".format(T.substitute(word=self.word, k=self.k)) + " {0[0]}{0[1]}".format(["o", "k"]), {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
