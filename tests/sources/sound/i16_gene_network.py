"""Causal discovery by knock-out and activation experiments on a boolean gene network."""
import random
import re
from itertools import combinations

GENES = ["rxa", "tob", "fen", "mir", "sul", "kap"]


class GeneNetworkEnv:
    """
    Hidden: a directed acyclic graph over six genes, order unknown. A gene is on if it is activated by hand, or if any
    of its parents is on - unless it is knocked out. Report every arrow.
    """

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.genes = list(GENES)
        order = rng.sample(GENES, len(GENES))
        while True:
            self.edges = {(a, b) for a, b in combinations(order, 2) if rng.random() < 0.4}
            if 5 <= len(self.edges) <= 8:
                break
        self.turn = 0
        self.reports = 3
        return ("Six genes: " + ", ".join(GENES) + ". Some genes switch others on directly (arrows, no cycles). A gene is on when you "
                "activate it or when at least one gene with an arrow to it is on; a knocked-out gene is always off.\n"
                "\\boxed{activate rxa} or \\boxed{activate rxa knock tob,fen} runs an experiment and lists the genes that are on.\n"
                "\\boxed{arrows rxa>tob fen>mir} reports ALL arrows. Three reports are allowed.\n"
                f"You have {self.max_turns} turns."), {"genes": 6}

    def _experiment(self, active, dead):
        on, frontier = set(), [active] if active not in dead else []
        while frontier:
            g = frontier.pop()
            if g in on:
                continue
            on.add(g)
            frontier += sorted(b for a, b in self.edges if a == g and b not in dead)
        return [g for g in GENES if g in on]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).lower().split() if m else []
        if len(words) >= 2 and words[0] == "activate" and words[1] in GENES:
            dead = set()
            if len(words) > 2:
                if words[2] != "knock":
                    return "Say: activate GENE knock GENE,GENE", 0.0, False, late, {}
                dead = {w for w in re.split(r"[,\s]+", " ".join(words[3:])) if w}
                if not dead <= set(GENES):
                    return "Unknown gene in the knock-out list.", 0.0, False, late, {}
            on = self._experiment(words[1], dead)
            return "On: " + (", ".join(on) if on else "none"), 0.0, False, late, {}
        if words and words[0] == "arrows":
            given = set(re.findall(r"([a-z]{3})\s*(?:->|>)\s*([a-z]{3})", " ".join(words[1:])))
            if given == self.edges:
                return "Confirmed: this is the network.", 1.0, True, False, {}
            self.reports -= 1
            extra, missing = len(given - self.edges), len(self.edges - given)
            if self.reports == 0:
                truth = " ".join(f"{a}>{b}" for a, b in sorted(self.edges))
                return f"Rejected for the last time. The network was {truth}.", 0.0, True, False, {}
            return f"Rejected: {extra} arrows too many, {missing} missing. Reports left: {self.reports}.", 0.0, False, late, {}
        return "Unknown command.", 0.0, False, late, {}

    def solution(self):
        """Knock out everything but a pair: direct arrows only. Reachability first saves experiments."""
        reach = {}
        for g in GENES:
            text = yield f"\\boxed{{activate {g}}}"
            reach[g] = set(re.findall(r"[a-z]{3}", text.split(":")[1])) - {g, "none"}
        found = set()
        for g in sorted(GENES, key=lambda x: len(reach[x])):
            if not reach[g]:
                continue
            # arrows inside the reached set are not needed: block all reached genes, see who is hit directly
            direct = set()
            for h in sorted(reach[g]):
                via = any(h in reach[k] for k in reach[g])
                if not via:
                    direct.add(h)
                    continue
                text = yield "\\boxed{activate %s knock %s}" % (g, ",".join(k for k in GENES if k not in (g, h)))
                if h in text.split(":")[1]:
                    direct.add(h)
            found |= {(g, h) for h in direct}
        yield "\\boxed{arrows %s}" % " ".join(f"{a}>{b}" for a, b in sorted(found))

    def hint(self):
        return "Activate every gene once to learn what it reaches. Where a longer way would explain a reach, knock out everything in between and look again."
