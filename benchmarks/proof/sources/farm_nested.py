# deeply nested dict state, generator function inside the logic (a bulletin feed), partial rewards of a quarter
import random
import re

CROPS = ["barley", "carrot", "lentil", "melon", "onion", "pepper", "radish", "squash"]


class SmallFarmEnv:
    def __init__(self, max_turns=50):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        needs = {c: rng.randint(2, 5) for c in CROPS}
        self.farm = {
            "fields": {n: {"crop": None, "soil": {"water": 0}} for n in ("east", "west", "hill")},
            "almanac": {c: {"water": needs[c]} for c in CROPS},
            "barn": {"basket": {}},
            "orders": {"open": rng.sample(CROPS, 4), "done": []},
        }
        self.fact = self._bulletins()
        book = ", ".join(f"{c} {needs[c]}" for c in CROPS)
        return (
            f"Your farm has the fields east, west and hill. Four orders must be served in this order: {', '.join(self.farm['orders']['open'])}.\n"
            f"Times that each crop must be watered before it is ripe: {book}. One watering more and it rots.\n"
            "\\boxed{plant FIELD CROP} (field must be empty), \\boxed{water FIELD}, \\boxed{harvest FIELD} (ripe or not: an unripe crop "
            f"is lost), \\boxed{{deliver CROP}}. A delivery out of order loses all customers. {self.max_turns} days, one command a day."
        ), {}

    def _bulletins(self):
        """Endless small talk, one line a day."""
        day = 0
        while True:
            day += 1
            yield f"Day {day}. "

    def _do(self, verb, where, crop):
        fields, basket = self.farm["fields"], self.farm["barn"]["basket"]
        if verb == "deliver":
            return self._deliver(where)
        if where not in fields:
            return "There is no such field.", 0.0, False
        field = fields[where]
        if verb == "plant":
            if crop not in CROPS:
                return "There is no seed of that kind.", 0.0, False
            if field["crop"]:
                return f"On {where} grows {field['crop']} already.", 0.0, False
            field["crop"], field["soil"]["water"] = crop, 0
            return f"{crop} is sown on {where}.", 0.0, False
        if not field["crop"]:
            return f"Nothing grows on {where}.", 0.0, False
        need = self.farm["almanac"][field["crop"]]["water"]
        if verb == "water":
            field["soil"]["water"] += 1
            if field["soil"]["water"] > need:
                rotten, field["crop"] = field["crop"], None
                return f"The {rotten} on {where} rots.", 0.0, False
            return f"You water {where}.", 0.0, False
        ripe, name = field["soil"]["water"] == need, field["crop"]
        field["crop"] = None
        if ripe:
            basket[name] = basket.get(name, 0) + 1
        return (f"A basket of {name}." if ripe else f"The {name} was not ripe and is lost."), 0.0, False

    def _deliver(self, crop):
        basket, orders = self.farm["barn"]["basket"], self.farm["orders"]
        if not basket.get(crop):
            return "There is no basket of that in the barn.", 0.0, False
        if crop != orders["open"][0]:
            return "That was not the next order. The customers walk away.", 0.0, True
        basket[crop] -= 1
        orders["done"].append(orders["open"].pop(0))
        return (
            ("All orders are served." if not orders["open"] else f"The customer takes the {crop}."),
            0.25,
            not orders["open"],
        )

    def step(self, action):
        self.turn += 1
        day = next(self.fact)
        m = re.search(r"\\boxed\{\s*(plant|water|harvest|deliver)\s+([a-z]+)(?:\s+([a-z]+))?\s*\}", action.lower())
        if not m:
            text, reward, over = (
                "Commands: plant FIELD CROP, water FIELD, harvest FIELD, deliver CROP, in \\boxed{...}.",
                0.0,
                False,
            )
        else:
            text, reward, over = self._do(*m.groups())
        return (
            day + text,
            reward,
            over,
            self.turn >= self.max_turns and not over,
            {"served": len(self.farm["orders"]["done"])},
        )

    def solution(self):
        out = []
        for crop in self.farm["orders"]["open"]:
            out.append(f"\\boxed{{plant hill {crop}}}")
            out += ["\\boxed{water hill}"] * self.farm["almanac"][crop]["water"]
            out += ["\\boxed{harvest hill}", f"\\boxed{{deliver {crop}}}"]
        return out

    def hint(self):
        return "Keep a tally of waterings per field; nothing in the answers repeats it."
