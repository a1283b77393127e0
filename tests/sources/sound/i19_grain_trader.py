import functools
import random
import re


class GrainTraderEnv:
    """Buy and sell grain over eleven days at posted prices; the goal is nineteen twentieths of the best possible gain."""

    DAYS, ROOM, FEE = 11, 4, 3

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def _best(self):
        @functools.lru_cache(maxsize=None)
        def value(day, sacks, coins):
            if day == self.DAYS:
                return coins, ()
            best = None
            for k in range(-sacks, self.ROOM - sacks + 1):
                cash = coins - k * self.prices[day] - (self.FEE if k else 0)
                if cash < 0:
                    continue
                total, moves = value(day + 1, sacks + k, cash)
                if best is None or total > best[0]:
                    best = (total, (k,) + moves)
            return best
        return value(0, 0, self.coins)

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.coins = rng.randint(18, 40)
            price, self.prices = rng.randint(8, 20), []
            for _ in range(self.DAYS):
                price = min(40, max(4, price + rng.choice([-7, -5, -3, -1, 1, 2, 4, 6])))
                self.prices.append(price)
            total, moves = self._best()
            if total >= self.coins * 2.5:
                break
        self.goal, self.moves = self.coins + (total - self.coins) * 19 // 20, moves
        self.day, self.sacks, self.turn = 0, 0, 0
        board = "; ".join(f"day {i + 1}: {p}" for i, p in enumerate(self.prices))
        return (
            f"The almanac foretells grain prices: {board}. You own {self.coins} coins and a barn for {self.ROOM} sacks. Once a day you may "
            f"\\boxed{{buy 2}}, \\boxed{{sell 2}} or \\boxed{{wait}}; a trade costs {self.FEE} coins besides. "
            f"Own at least {self.goal} coins in the evening of day {self.DAYS}; sacks count nothing."
        ), {"day": 1}

    def step(self, action):
        self.turn += 1
        m = re.fullmatch(r"\\boxed\{\s*(wait|(buy|sell)\s+([1-9]))\s*\}", action.lower())
        late = self.turn >= self.max_turns
        if not m or self.day >= self.DAYS:
            return "buy N, sell N or wait.", 0.0, False, late, {"day": self.day + 1}
        k = 0 if m.group(1) == "wait" else int(m.group(3)) * (1 if m.group(2) == "buy" else -1)
        cash = self.coins - k * self.prices[self.day] - (self.FEE if k else 0)
        if cash < 0 or not 0 <= self.sacks + k <= self.ROOM:
            return f"You cannot: {self.coins} coins, {self.sacks} sacks.", 0.0, False, late, {"day": self.day + 1}
        self.coins, self.sacks, self.day = cash, self.sacks + k, self.day + 1
        if self.day == self.DAYS:
            if self.coins >= self.goal:
                return f"You end with {self.coins} coins. Well traded.", 1.0, True, False, {"day": self.day}
            return f"You end with {self.coins} coins; {self.goal} were needed.", self.coins / self.goal / 2, True, False, {"day": self.day}
        return f"Day {self.day + 1}, price {self.prices[self.day]}: {self.coins} coins, {self.sacks} sacks.", 0.0, False, late, {"day": self.day + 1}

    def solution(self):
        word = lambda k: "wait" if k == 0 else f"buy {k}" if k > 0 else f"sell {-k}"
        return [f"\\boxed{{{word(k)}}}" for k in self.moves]

    def hint(self):
        return "Mark the valleys and the peaks of the price list. Fill the barn in a valley as far as the coins go, and empty it at the next peak; skip waves too small for the fee."
