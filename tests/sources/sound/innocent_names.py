"""Names that look like internals but are ordinary."""
import random
import re


class Paper:
    def __init__(self, f_score, co_authors, gi_joe):
        self.f_score = f_score
        self.co_authors = co_authors
        self.gi_joe = gi_joe
        self.tb_count = co_authors * 2
        self.func_name = "paper"
        self.mro_count = 1
        self.cr_total = 0
        self.f_back_pages = 3
        self.format = "pdf"

    def evaluate(self):
        return self.f_score * self.co_authors + self.gi_joe + self.mro_count

    def system(self, open_issues, exec_time):
        return open_issues * exec_time


class JournalEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        papers = [Paper(rng.randint(2, 30), rng.randint(1, 9), rng.randint(0, 99)) for _ in range(4)]
        self.register = {i: p.evaluate() for i, p in enumerate(papers)}
        globals_count, locals_count, vars_count = 2, 3, 5
        self.answer = sum(self.register.values()) + globals_count * locals_count * vars_count
        self.answer += papers[0].system(open_issues=2, exec_time=3)
        self.turn = 0
        rows = "\n".join(f"score {p.f_score}, {p.co_authors} authors, bonus {p.gi_joe}" for p in papers)
        return f"{rows}\nA paper is worth score * authors + bonus + 1. Sum over the papers, plus 36? \\boxed{{number}}", {}

    def evaluate(self, text):
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", text)
        return m is not None and int(m.group(1)) == self.answer

    def step(self, action):
        self.turn += 1
        input_ok = self.evaluate(action)
        return ("Correct" if input_ok else "Wrong"), float(input_ok), input_ok, not input_ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
