"""Kiln order: plan one machine when changeovers, deadlines and precedence pull in different directions."""

import random
import re

GLAZES = ["ash", "celadon", "copper", "salt", "slip"]
WORDS = [
    "amphora", "basin", "beaker", "bowl", "candle", "censer", "crock", "cup", "dish", "ewer", "flask",
    "goblet", "jar", "jug", "lamp", "ladle", "mug", "pan", "plate", "pot", "saucer", "tile", "urn", "vase",
]


class KilnOrderEnv:
    """Trains optimisation under sequence-dependent costs.

    Seven batches go through one kiln. Changing the glaze between two firings costs time that depends on the
    pair, every batch has a deadline and its own fine per late minute, and some batches must precede others.
    The agent has to find the cheapest order. Sorting by deadline, by fine or by glaze never solves an instance:
    instances where such a rule of thumb is optimal are thrown away, and so are those with two best orders.
    """

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    # ---------------------------------------------------------------- instances

    def _draw(self, rng):
        """Fill in one candidate instance."""
        count = 7
        self.names = rng.sample(WORDS, count)
        families = rng.sample(GLAZES, 3)
        self.glaze = {name: rng.choice(families) for name in self.names}
        self.minutes = {name: 5 * rng.randint(4, 14) for name in self.names}
        self.fine = {name: rng.randint(1, 9) for name in self.names}
        self.change = {
            (a, b): 0 if a == b else 5 * rng.randint(2, 8) for a in families for b in families
        }
        self.first_glaze = rng.choice(families)
        total = sum(self.minutes.values())
        self.deadline = {
            name: self.minutes[name] + 5 * rng.randint(2, max(3, int(total * 0.16))) for name in self.names
        }
        self.before = []
        shuffled = rng.sample(self.names, count)
        for first, second in ((0, 3), (1, 5)):
            self.before.append((shuffled[first], shuffled[second]))

    def _cost(self, order):
        """Total fine of an order, in coins."""
        clock, glaze, coins = 0, self.first_glaze, 0
        for name in order:
            clock += self.change[(glaze, self.glaze[name])] + self.minutes[name]
            glaze = self.glaze[name]
            coins += self.fine[name] * max(0, clock - self.deadline[name])
        return coins

    def _legal(self, order):
        place = {name: index for index, name in enumerate(order)}
        return all(place[a] < place[b] for a, b in self.before)

    def _best_orders(self):
        """Cheapest cost and up to two orders that reach it, by depth-first search with pruning."""
        needs = {name: {a for a, b in self.before if b == name} for name in self.names}
        best = [None, []]

        def extend(order, left, clock, glaze, coins):
            if best[0] is not None and (coins > best[0] or (coins == best[0] and len(best[1]) > 1)):
                return
            if not left:
                if best[0] is None or coins < best[0]:
                    best[0], best[1] = coins, [order]
                else:
                    best[1].append(order)
                return
            for name in sorted(left, key=lambda item: self.deadline[item]):
                if needs[name] & left:
                    continue
                done = clock + self.change[(glaze, self.glaze[name])] + self.minutes[name]
                late = self.fine[name] * max(0, done - self.deadline[name])
                extend(order + (name,), left - {name}, done, self.glaze[name], coins + late)

        extend((), frozenset(self.names), 0, self.first_glaze, 0)
        return best

    def _rules_of_thumb(self):
        """Orders a hasty planner would try; precedence is repaired by taking the first batch allowed."""
        keys = [
            lambda name: name,
            lambda name: self.names.index(name),
            lambda name: self.deadline[name],
            lambda name: -self.fine[name],
            lambda name: self.minutes[name],
            lambda name: self.minutes[name] / self.fine[name],
            lambda name: self.deadline[name] - self.minutes[name],
            lambda name: (self.glaze[name] != self.first_glaze, self.glaze[name], self.deadline[name]),
        ]
        for key in keys:
            left, order = sorted(self.names, key=key), []
            while left:
                name = next(n for n in left if not any(b == n and a in left for a, b in self.before))
                left.remove(name)
                order.append(name)
            yield tuple(order)

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self._draw(rng)
            cost, orders = self._best_orders()
            if cost > 0 and len(orders) == 1 and all(self._cost(o) > cost for o in self._rules_of_thumb()):
                break
        self.best_cost, self.best_order = cost, orders[0]
        self.turn = 0
        self.finished = False
        return self._describe(), {}

    # ---------------------------------------------------------------- text

    def _describe(self):
        rows = "\n".join(
            f"- {name}: glaze {self.glaze[name]}, firing {self.minutes[name]} min, "
            f"due at minute {self.deadline[name]}, fine {self.fine[name]} per minute late"
            for name in self.names
        )
        changes = "\n".join(
            f"- from {a} to {b}: {cost} min" for (a, b), cost in sorted(self.change.items()) if a != b
        )
        rules = "\n".join(f"- {a} must be fired some time before {b}" for a, b in self.before)
        return (
            "A pottery fires seven batches one after another in a single kiln, without breaks, from minute 0.\n\n"
            f"Batches:\n{rows}\n\n"
            f"The kiln starts set up for {self.first_glaze}. Changing the set-up takes time; "
            f"firing the same glaze again needs no change.\n{changes}\n\n"
            f"Rules:\n{rules}\n\n"
            "A batch is finished when its firing ends; the set-up change comes before the firing. "
            "A batch that finishes after its due minute costs its fine for every minute late. "
            "Find the order with the smallest total fine.\n\n"
            "Answer with all seven names, first to last, separated by commas, for example "
            f"\\boxed{{{', '.join(sorted(self.names))}}} (only the format is meant). "
            f"You have {self.max_turns} tries."
        )

    def _read(self, action):
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        if match is None:
            return None, "No boxed answer found. Write \\boxed{name, name, ...} with all seven names."
        words = [word for word in re.split(r"[\s,;>-]+", match.group(1).lower()) if word]
        unknown = [word for word in words if word not in self.names]
        if unknown:
            return None, "The order names a batch that does not exist. Use the seven names as written."
        if sorted(words) != sorted(self.names):
            return None, f"The order must hold each of the seven batches once; it holds {len(words)} names."
        return tuple(words), ""

    # ---------------------------------------------------------------- play

    def step(self, action):
        if self.finished:
            return "The episode is over.", 0.0, True, False, {}
        self.turn += 1
        out_of_tries = self.turn >= self.max_turns
        left = f" Tries left: {max(0, self.max_turns - self.turn)}."
        order, problem = self._read(str(action))
        if order is None:
            return problem + left, 0.0, False, out_of_tries, {}
        if not self._legal(order):
            return "That order breaks one of the rules." + left, 0.0, False, out_of_tries, {}
        coins = self._cost(order)
        if coins == self.best_cost:
            self.finished = True
            return f"Correct: a total fine of {coins} is the smallest possible.", 1.0, True, False, {}
        return f"A legal order, with a total fine of {coins}. A cheaper one exists." + left, 0.0, False, out_of_tries, {}

    def solution(self):
        """The one cheapest order, boxed."""
        return ["\\boxed{" + ", ".join(self.best_order) + "}"]

    def hint(self):
        return (
            "Write the finishing minutes down for a candidate order before you judge it; the set-up change counts. "
            "Not every batch can be on time: decide first which ones may be late, and let those with a small fine and "
            "a long firing be the late ones. Then try to put batches of one glaze next to each other as long as that "
            "makes no expensive batch late. Finally swap neighbours, and move single batches to other places, until no "
            "such change lowers the total. Check both precedence rules. Answer with all seven names in one box, "
            "separated by commas."
        )

    def close(self):
        pass
