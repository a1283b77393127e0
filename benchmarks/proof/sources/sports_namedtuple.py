# namedtuple records, collections.Counter, multi-key sorting; answer is a whole league table ordering
import random
import re
from collections import Counter, namedtuple

Match = namedtuple("Match", "home away home_goals away_goals")
Row = namedtuple("Row", "club points difference goals")

CLUBS = ["Otters", "Badgers", "Herons", "Foxes", "Lynx", "Ravens", "Wolves", "Hares"]


class LeagueTableEnv:
    """Work out a league table from all results under house rules for ties."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self._draw(rng)
            if len({row[1:] for row in self.table()}) == len(CLUBS):  # no full ties
                break
        results = "\n".join(f"{m.home} {m.home_goals}:{m.away_goals} {m.away}" for m in self.matches)
        punished = ", ".join(f"{club} -{n}" for club, n in sorted(self.deductions.items()))
        return (
            f"All results of a season (home team first):\n{results}\n\n"
            f"A home win earns {self.win_home} points, an away win {self.win_away}, a draw {self.draw}. A team that scores "
            f"{self.bonus_goals} goals or more earns 1 extra point, win or lose. Deductions: {punished}.\n"
            "Order: points, then goal difference, then goals scored (all descending).\n"
            "Name the eight clubs from first to last: \\boxed{Otters, Badgers, ...}. "
            f"{self.max_turns} tries."
        ), {"matches": len(self.matches)}

    def _draw(self, rng):
        strength = {club: rng.uniform(0.6, 2.4) for club in CLUBS}
        pairs = [(a, b) for i, a in enumerate(CLUBS) for b in CLUBS[i + 1 :]]
        rng.shuffle(pairs)
        self.matches = []
        for a, b in pairs:
            home, away = (a, b) if rng.random() < 0.5 else (b, a)
            goals = [min(6, int(rng.expovariate(1 / strength[c]) + 0.35)) for c in (home, away)]
            self.matches.append(Match(home, away, *goals))
        self.win_home, self.win_away, self.draw = 3, rng.choice([3, 4]), rng.choice([1, 2])
        self.bonus_goals = rng.choice([3, 4])
        self.deductions = {c: rng.randint(1, 5) for c in rng.sample(CLUBS, 2)}

    def table(self):
        points, scored, lost = Counter(), Counter(), Counter()
        for m in self.matches:
            scored[m.home] += m.home_goals
            scored[m.away] += m.away_goals
            lost[m.home] += m.away_goals
            lost[m.away] += m.home_goals
            for club, goals in ((m.home, m.home_goals), (m.away, m.away_goals)):
                points[club] += goals >= self.bonus_goals
            if m.home_goals > m.away_goals:
                points[m.home] += self.win_home
            elif m.home_goals < m.away_goals:
                points[m.away] += self.win_away
            else:
                points[m.home] += self.draw
                points[m.away] += self.draw
        rows = [Row(c, points[c] - self.deductions.get(c, 0), scored[c] - lost[c], scored[c]) for c in CLUBS]
        return sorted(rows, key=lambda r: r[1:], reverse=True)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]{1,200})\}", action)
        clubs = [c.strip().capitalize() for c in m.group(1).split(",")] if m else []
        if sorted(clubs) != sorted(CLUBS):
            return "All eight clubs, separated by commas, belong into \\boxed{...}, each once.", 0.0, False, late, {}
        if clubs == [row.club for row in self.table()]:
            return "This is the final table.", 1.0, True, False, {}
        return "The table looks different.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(r.club for r in self.table()) + "}"]

    def hint(self):
        return "Make a column each for points, goal difference and goals; go through the matches once, deductions last."
