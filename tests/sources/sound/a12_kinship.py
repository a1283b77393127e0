import random
import re

POOL = """Alden Berta Cosmo Delia Edwin Flora Gideon Hester Ivor Juno Kasper Livia Magnus Nora Oskar Petra Quentin Rosa
Silas Tilda Ulric Vera Willem Xenia Yorick Zelda Anselm Britt Corin Dagny Emil Freda Gunnar Hedda Ingo Jette""".split()


class KinshipEnv:
    """Three generations; the facts come shuffled. Question: all first cousins / nephews and nieces of a person."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            names = rng.sample(POOL, len(POOL))
            take = lambda k: [names.pop() for _ in range(k)]
            self.parents = {}
            roots = [take(2) for _ in range(2)]
            second = []
            for couple in roots:
                kids = take(rng.randint(2, 4))
                for k in kids:
                    self.parents[k] = tuple(couple)
                second.append(kids)
            couples = [(second[0][0], second[1][0])]               # joins both houses
            for k in second[0][1:] + second[1][1:]:
                couples.append((k, names.pop()))
            third = []
            for couple in couples:
                for k in take(rng.randint(0, 3)) if len(names) > 4 else []:
                    self.parents[k] = couple
                    third.append(k)
            kind = rng.choice(["cousins", "niblings"])
            pool = third if kind == "cousins" else second[0] + second[1]
            options = [(p, self._relatives(p, kind)) for p in pool]
            options = [(p, r) for p, r in options if 3 <= len(r) <= 7]
            if options:
                break
        self.person, self.target = rng.choice(options)
        self.kind = kind
        facts = []
        for child, (a, b) in sorted(self.parents.items()):
            facts.append(rng.choice([f"{a} and {b} are the parents of {child}.", f"{child} is a child of {b} and {a}."]))
        rng.shuffle(facts)
        self.tries = 0
        what = {"cousins": f"first cousins of {self.person} (children of a brother or sister of a parent)",
                "niblings": f"nephews and nieces of {self.person} (children of a brother or sister; not by marriage)"}[kind]
        return ("Family facts, in no particular order:\n" + "\n".join("- " + f for f in facts)
                + f"\n\nList all {what}, as \\boxed{{name, name, ...}} in any order."), {"facts": len(facts)}

    def _siblings(self, p):
        mine = self.parents.get(p)
        return [q for q, pp in self.parents.items() if mine and q != p and set(pp) == set(mine)]

    def _children(self, p):
        return [c for c, pp in self.parents.items() if p in pp]

    def _relatives(self, p, kind):
        source = [s for parent in self.parents.get(p, ()) for s in self._siblings(parent)] if kind == "cousins" else self._siblings(p)
        return sorted({c for s in source for c in self._children(s)})

    def step(self, action):
        self.tries += 1
        last = self.tries >= self.max_turns
        box = re.search(r"\\boxed\{([^{}]*)\}", action)
        if not box:
            return "Please box the list of names.", 0.0, False, last, {}
        given = sorted({w.strip().title() for w in re.split(r",|\band\b|\n|;", box.group(1)) if w.strip()})
        if given == self.target:
            return "Complete and correct.", 1.0, True, False, {}
        wrong = len(set(given) - set(self.target))
        missing = len(set(self.target) - set(given))
        reply = f"Not right: {wrong} listed without reason, {missing} missing."
        if last:
            reply += f" It would have been: {', '.join(self.target)}."
        return reply, 0.0, False, last, {}

    def solution(self):
        return ["\\boxed{%s}" % ", ".join(self.target)]

    def hint(self):
        return "Draw the tree: group children by their parents first, then look for the couple that joins the two families."
