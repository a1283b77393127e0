import json
import random

REGIONS = ["north", "south", "east", "west"]
CHANNELS = ["web", "shop", "phone"]


class JsonSalesEnv:
    """The observation is a JSON document; so is every later one."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.orders = []
        for _ in range(26):
            self.orders.append({
                "region": rng.choice(REGIONS),
                "channel": rng.choice(CHANNELS),
                "items": rng.randint(1, 12),
                "price": rng.randint(199, 4999) / 100,
                "discount_percent": rng.choice([0, 0, 5, 10, 20]),
                "returned": rng.random() < 0.2,
            })
        self.region, self.channel = rng.choice(REGIONS), rng.choice(CHANNELS)
        total = 0.0
        for o in self.orders:
            if o["region"] == self.region and o["channel"] != self.channel and not o["returned"]:
                total += o["items"] * o["price"] * (1 - o["discount_percent"] / 100)
        self.total = round(total, 2)
        if self.total == 0:
            return self.reset(rng.randrange(2 ** 31))
        self.turn = 0
        return json.dumps({
            "task": f"Revenue (items x price, less discount) of region {self.region}, leaving out channel {self.channel} and returned orders.",
            "answer_format": "\\boxed{12.34}, rounded to cents, half a cent of slack",
            "tries": self.max_turns,
            "orders": self.orders,
        }, indent=1), {}

    def step(self, action):
        self.turn += 1
        end = self.turn >= self.max_turns
        body = action.strip()
        if body.startswith("\\boxed{") and body.endswith("}"):
            body = body[7:-1]
        try:
            value = float(body.replace(",", "").replace("$", "").strip())
        except ValueError:
            return json.dumps({"status": "error", "message": "not a number"}), 0.0, False, end, {}
        if abs(value - self.total) < 0.0151:
            return json.dumps({"status": "ok"}), 1.0, True, False, {}
        return json.dumps({"status": "wrong", "tries_left": max(0, self.max_turns - self.turn)}), 0.0, False, end, {}

    def solution(self):
        return [f"\\boxed{{{self.total:.2f}}}"]

    def hint(self):
        return "Filter first, then add. A discount of ten percent means nine tenths of the price; an order that came back counts nothing."
