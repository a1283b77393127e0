"""A first observation of about 40 KB."""
import random
import re
import textwrap


class LogbookEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        ports = ["Bergen", "Cadiz", "Dakar", "Emden", "Faro", "Genoa"]
        rows, self.total = [], 0
        want, limit = rng.choice(ports), rng.randint(40, 60)
        for day in range(1, 561):
            port, crates, wind = rng.choice(ports), rng.randint(1, 99), rng.choice(["calm", "breeze", "gale"])
            if port == want and wind == "gale" and crates > limit:
                self.total += crates
            rows.append(f"Day {day:03d}: called at {port}, {crates} crates landed, {wind}; crew {rng.randint(12, 30)}, nothing else to note.")
        self.turn = 0
        task = textwrap.dedent(f"""
            In the log above, take all days at {want} with a gale on which more than {limit} crates were landed.
            How many crates were landed on them in total? \\boxed{{number}}
        """)
        return "\n".join(rows) + "\n" + task.strip(), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.total
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.total}}}"]
