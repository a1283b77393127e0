"""reset returns the observation alone."""


class NestedBagsEnv:
    """No imports at all: random and re are supplied."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.layers = [rng.randint(2, 9) for _ in range(rng.randint(3, 5))]
        self.turns = 0
        self.total, product = 0, 1
        for count in self.layers:
            product *= count
            self.total += product
        lines = [f"The big bag holds {self.layers[0]} bags."]
        for depth, count in enumerate(self.layers[1:], start=2):
            lines.append(f"Each bag of layer {depth - 1} holds {count} smaller bags (layer {depth}).")
        lines.append("Bags of the last layer are empty. How many bags are inside the big bag altogether, at any depth?")
        lines.append("Answer like \\boxed{5}.")
        return "\n".join(lines)

    def step(self, action):
        self.turns += 1
        m = re.search(r"\\boxed\{([^}]*)\}", action)
        if m and m.group(1).strip() == str(self.total):
            return "Yes.", 1.0, True, False, {}
        return "No, count every layer.", 0.0, False, self.turns >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.total}}}"]
