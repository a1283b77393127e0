# Enum + properties, knights/knaves/spies; brute force over itertools.product guarantees one solution
import enum
import itertools
import random
import re


class Kind(enum.Enum):
    KNIGHT = "K"  # always true
    KNAVE = "N"  # always false
    CLERK = "C"  # true and false in turn, beginning with a truth

    @property
    def pattern(self):
        return {Kind.KNIGHT: (True,) * 3, Kind.KNAVE: (False,) * 3, Kind.CLERK: (True, False, True)}[self]

    def __str__(self):
        return self.name.lower()


PEOPLE = "Ada Bo Cy Dee Eli Flo Gus".split()


def same(a, b):
    return (lambda w: w[a] is w[b]), f"{PEOPLE[a]} and {PEOPLE[b]} are of the same kind"


def is_kind(a, kind):
    return (lambda w: w[a] is kind), f"{PEOPLE[a]} is a {kind}"


def is_not(a, kind):
    return (lambda w: w[a] is not kind), f"{PEOPLE[a]} is not a {kind}"


def count_is(kind, n):
    return (
        lambda w: sum(x is kind for x in w) == n
    ), f"exactly {n} of us {'is a ' + str(kind) if n == 1 else 'are ' + str(kind) + 's'}"


class IslandEnv:
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset(seed=1)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.attempt = 0
        while True:
            self.world = tuple(rng.choice(list(Kind)) for _ in PEOPLE)
            self.talk = [[self._say(rng, i, truth) for truth in self.world[i].pattern] for i in range(len(PEOPLE))]
            if len(self._models()) == 1:
                break
        lines = [
            "Seven people live on an island. A knight always tells the truth, a knave never does. A clerk's first "
            "and third statements are true, the second one is false.",
            "",
        ]
        for name, said in zip(PEOPLE, self.talk):
            lines.append(f"{name}: " + " Then: ".join(f'"{text[0].upper() + text[1:]}."' for _, text in said))
        lines += [
            "",
            "Who is what? Answer with seven letters in the order "
            + ", ".join(PEOPLE)
            + " (K knight, N knave, C clerk), as in \\boxed{KNCKNCK}. "
            + f"{self.max_turns} tries.",
        ]
        return "\n".join(lines), {"people": len(PEOPLE)}

    def _say(self, rng, me, truth):
        others = [i for i in range(len(PEOPLE)) if i != me]
        while True:
            form = rng.randrange(4)
            if form == 0:
                a, b = rng.sample(range(len(PEOPLE)), 2)
                test, text = same(a, b)
            elif form == 1:
                test, text = is_kind(rng.choice(others), rng.choice(list(Kind)))
            elif form == 2:
                test, text = is_not(rng.choice(others), rng.choice(list(Kind)))
            else:
                test, text = count_is(rng.choice(list(Kind)), rng.randint(1, 4))
            if test(self.world) is truth:
                return test, text

    def _models(self):
        found = []
        for w in itertools.product(Kind, repeat=len(PEOPLE)):
            if all(
                test(w) is truth for i, said in enumerate(self.talk) for (test, _), truth in zip(said, w[i].pattern)
            ):
                found.append(w)
                if len(found) > 1:
                    break
        return found

    @property
    def code(self):
        return "".join(k.value for k in self.world)

    def step(self, action):
        self.attempt += 1
        m = re.fullmatch(r"\\boxed\{\s*([KNCknc]{7})\s*\}", action.strip())
        if m and m.group(1).upper() == self.code:
            return "Every statement fits.", 1.0, True, False, {"attempt": self.attempt}
        text = (
            "This does not fit all statements."
            if m
            else "Seven letters out of K, N and C are needed: \\boxed{KNCKNCK}."
        )
        return text, 0.0, False, self.attempt >= self.max_turns, {"attempt": self.attempt}

    def solution(self):
        return ["\\boxed{" + self.code + "}"]

    def hint(self):
        return "Start from statements about counts; suppose a kind for one speaker, follow the three statements, and look for a contradiction."
