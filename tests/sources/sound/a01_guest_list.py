import random
import re

# Everybody lives in the same street; the register never changes, only the facts do.
RESIDENTS = (
    "Ada Bruno Carla Dario Elena Fabio Greta Hugo Ines Jonas Katja Luca Marta Nino Olga Paolo "
    "Quirin Rosa Silvio Tessa Ugo Vera Willem Xenia Yusuf Zora Anton Beata Cyril Doris"
).split()
JOBS = ["baker", "nurse", "tailor", "pilot", "glazier"]
PETS = ["cat", "dog", "parrot", "tortoise"]
FLOORS = ["ground", "first", "second"]


class GuestListEnv:
    """Who left the umbrella? Read the register, apply the statements, name one of thirty residents."""

    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.people = {
                name: {"job": rng.choice(JOBS), "pet": rng.choice(PETS), "floor": rng.choice(FLOORS), "age": rng.randint(19, 80)}
                for name in RESIDENTS
            }
            self.guilty = rng.choice(RESIDENTS)
            who = self.people[self.guilty]
            wrong_job = rng.choice([j for j in JOBS if j != who["job"]])
            twin = rng.choice([n for n in RESIDENTS if n != self.guilty])
            self.rules = [
                (f"does not live on the same floor as {twin}", lambda n: self.people[n]["floor"] != self.people[twin]["floor"]),
                (f"is no {wrong_job}", lambda n: self.people[n]["job"] != wrong_job),
                (f"keeps the same kind of animal as at least {self._same_pet(self.guilty)} other residents",
                 lambda n: self._same_pet(n) >= self._same_pet(self.guilty)),
                (f"is younger than {who['age'] + rng.randint(1, 6)}", None),
                (f"is older than {who['age'] - rng.randint(1, 6)}", None),
            ]
            low = int(self.rules[4][0].split()[-1])
            high = int(self.rules[3][0].split()[-1])
            self.rules[3] = (self.rules[3][0], lambda n: self.people[n]["age"] < high)
            self.rules[4] = (self.rules[4][0], lambda n: self.people[n]["age"] > low)
            if [n for n in RESIDENTS if all(test(n) for _, test in self.rules)] == [self.guilty]:
                break
        self.turn = 0
        rows = [
            f"{n:8s} {p['age']} years, {p['job']}, {p['floor']} floor, one {p['pet']}" for n, p in self.people.items()
        ]
        facts = [f"({i}) The owner {text}." for i, (text, _) in enumerate(self.rules, 1)]
        return (
            "An umbrella was left in the hall of a house with thirty residents.\n\n" + "\n".join(rows)
            + "\n\nWhat is known:\n" + "\n".join(facts)
            + "\n\nWhose umbrella is it? Reply with one first name: \\boxed{name}. You may try twice."
        ), {"tries": self.max_turns}

    def _same_pet(self, name):
        return sum(p["pet"] == self.people[name]["pet"] for n, p in self.people.items() if n != name)

    def step(self, action):
        self.turn += 1
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s*\}", action)
        left = {"tries": max(0, self.max_turns - self.turn)}
        if not match or match.group(1).capitalize() not in self.people:
            return "Please give exactly one resident's name inside \\boxed{}.", 0.0, False, self.turn >= self.max_turns, left
        name = match.group(1).capitalize()
        if name == self.guilty:
            return f"{name} thanks you and takes the umbrella.", 1.0, True, False, left
        broken = next(i for i, (_, test) in enumerate(self.rules, 1) if not test(name))
        return f"{name} shakes the head: statement ({broken}) does not fit.", 0.0, False, self.turn >= self.max_turns, left

    def solution(self):
        return [f"\\boxed{{{self.guilty}}}"]

    def hint(self):
        return "Start with the two statements about age, they leave few people; then count animals only for those."
