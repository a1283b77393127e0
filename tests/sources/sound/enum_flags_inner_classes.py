"""IntEnum, Flag, auto, nested classes, class-level registries filled by a decorator."""
import enum
import random
import re
from enum import IntEnum, auto


class Rank(IntEnum):
    LOW = 1
    MID = auto()
    HIGH = 5


class Trait(enum.Flag):
    QUICK = auto()
    STRONG = auto()
    CALM = auto()


class TournamentEnv:
    rules = {}

    class Player:
        def __init__(self, name, rank, traits):
            self.name, self.rank, self.traits = name, rank, traits

    def rule(name, _rules=rules):
        def keep(function):
            _rules[name] = function
            return function
        return keep

    @rule("rank times ten")
    def _by_rank(player):
        return int(player.rank) * 10

    @rule("seven per trait")
    def _by_traits(player):
        return 7 * sum(trait in player.traits for trait in Trait)

    @rule("length of the name, doubled")
    def _by_name(player):
        return 2 * len(player.name)

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        players = []
        for name in rng.sample(["Ilse", "Jo", "Karsten", "Lu", "Mireille", "Ned"], 4):
            traits = Trait(0)
            for trait in Trait:
                traits |= trait if rng.random() < 0.5 else Trait(0)
            players.append(self.Player(name, rng.choice(list(Rank)), traits))
        used = rng.sample(sorted(self.rules), 2)
        weights = [rng.randint(2, 9) for _ in players]
        self.answer = sum(w * sum(self.rules[r](p) for r in used) for w, p in zip(weights, players))
        self.turn = 0
        rows = "\n".join(
            f"{p.name}: rank {int(p.rank)} ({p.rank.name}), traits {', '.join(t.name.lower() for t in Trait if t in p.traits) or 'none'}, factor {w}"
            for p, w in zip(players, weights)
        )
        return f"{rows}\nPoints of a player: {' plus '.join(used)}. Sum of factor times points? \\boxed{{number}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
