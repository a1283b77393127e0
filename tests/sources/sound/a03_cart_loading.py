import random


class CartLoadingEnv:
    """Subset sum: which crates fill the cart exactly? The subset is unique."""

    LABELS = "ABCDEFGHJK"

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        r = random.Random(seed)
        while True:
            self.weights = {c: r.randint(11, 97) for c in self.LABELS}
            k = r.randint(4, 6)
            self.chosen = sorted(r.sample(self.LABELS, k))
            self.capacity = sum(self.weights[c] for c in self.chosen)
            if self._count(list(self.LABELS), self.capacity) == 1:
                break
        self.t = 0
        lines = ["  ".join(f"{c}:{w}kg" for c, w in self.weights.items())]
        return (
            "A cart carries exactly %d kg. Ten crates stand on the quay:\n%s\n"
            "Exactly one selection of crates fills the cart without a kilogram to spare. "
            "List the crates of that selection (any order), e.g. \\boxed{A, C, F}. You have %d tries."
            % (self.capacity, lines[0], self.max_turns)
        ), {}

    def _count(self, labels, total):
        ways = {0: 1}
        for c in labels:
            new = dict(ways)
            for s, n in ways.items():
                new[s + self.weights[c]] = new.get(s + self.weights[c], 0) + n
            ways = new
        return ways.get(total, 0)

    def step(self, action):
        self.t += 1
        out = self.t >= self.max_turns
        start = action.rfind("\\boxed{")
        if start < 0 or not action.endswith("}"):
            return "Format: \\boxed{A, C, F}", 0.0, False, out, {}
        letters = action[start + 7:-1].upper().replace(",", " ").split()
        if any(x not in self.weights for x in letters) or len(set(letters)) != len(letters) or not letters:
            return "Use each crate letter at most once, nothing else.", 0.0, False, out, {}
        total = sum(self.weights[x] for x in letters)
        if total == self.capacity:
            return "The cart is exactly full.", 1.0, True, False, {}
        diff = "too heavy" if total > self.capacity else "too light"
        return f"Your crates weigh {total} kg: {abs(total - self.capacity)} kg {diff}.", 0.0, False, out, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(self.chosen) + "}"]
