import random
import re

PEOPLE = ["Agnes", "Basil", "Clement", "Dorothea", "Edwin", "Frieda"]
PLACES = ["attic", "boathouse", "chapel", "dairy", "stable", "tower"]
THINGS = ["brooch", "clock", "goblet", "letter", "painting", "violin"]


class InterviewsEnv:
    """Dialogue: ask six people about three topics, one of them always lies, then accuse once."""

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.truth = {"thief": rng.choice(PEOPLE), "place": rng.choice(PLACES), "thing": rng.choice(THINGS)}
        pools = {"thief": PEOPLE, "place": PLACES, "thing": THINGS}
        self.liar = self.truth["thief"]
        self.says = {}
        honest = [p for p in PEOPLE if p != self.liar]
        for person, other in zip(honest, honest[1:] + honest[:1]):
            pair = [self.liar, other]
            rng.shuffle(pair)
            self.says[person, "thief"] = f"It was {pair[0]} or {pair[1]}, I saw one of them."
        pair = rng.sample(honest, 2)
        self.says[self.liar, "thief"] = f"It was {pair[0]} or {pair[1]}, I saw one of them."
        for topic in ("place", "thing"):
            wrong = rng.sample([x for x in pools[topic] if x != self.truth[topic]], 5)
            for person, excluded in zip(honest, wrong):
                self.says[person, topic] = f"It was not the {excluded}, of that I am sure."
            self.says[self.liar, topic] = f"It was not the {self.truth[topic]}, of that I am sure."
        self.turn, self.asked = 0, []
        return (
            "Something was stolen, and hidden somewhere. Five of the six people in the house tell the truth; the thief lies in everything.\n"
            f"People: {', '.join(PEOPLE)}.\nPlaces: {', '.join(PLACES)}.\nThings: {', '.join(THINGS)}.\n"
            "\\boxed{ask Agnes about thief}, about place, or about thing: a person answers once per topic. "
            "\\boxed{accuse Agnes attic brooch}: your only accusation, person, place and thing. "
            f"{self.max_turns} turns, so you cannot ask everything."
        ), {"asked": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        info = {"asked": len(self.asked)}
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).split() if m else []
        if len(words) == 4 and words[0].lower() == "ask" and words[2].lower() == "about":
            key = (words[1].capitalize(), words[3].lower())
            if key not in self.says:
                return "Nobody knows what you mean.", 0.0, False, late, info
            if key in self.asked:
                return f"{key[0]} has said all about the {key[1]}.", 0.0, False, late, info
            self.asked.append(key)
            return f'{key[0]}: "{self.says[key]}"', 0.0, False, late, {"asked": len(self.asked)}
        if len(words) == 4 and words[0].lower() == "accuse":
            said = {"thief": words[1].capitalize(), "place": words[2].lower(), "thing": words[3].lower()}
            if said["thief"] not in PEOPLE or said["place"] not in PLACES or said["thing"] not in THINGS:
                return "Name a person, a place and a thing of the lists.", 0.0, False, late, info
            if said == self.truth:
                return "A confession follows. Well asked!", 1.0, True, False, info
            return "Your accusation falls apart, and the household laughs at you.", 0.0, True, False, info
        return "You can ask or accuse.", 0.0, False, late, info

    def solution(self):
        asks = [f"\\boxed{{ask {p} about thief}}" for p in PEOPLE[:4]]
        asks += [f"\\boxed{{ask {p} about {t}}}" for t in ("place", "thing") for p in PEOPLE if p != self.liar]
        return asks + ["\\boxed{accuse %s %s %s}" % (self.truth["thief"], self.truth["place"], self.truth["thing"])]

    def hint(self):
        return "Four people are enough to find the name that honest statements share; nobody needs to ask the liar about the rest, for the others rule out all but one."
