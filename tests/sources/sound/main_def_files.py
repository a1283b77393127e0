"""Coin weighing with a manual test driver at the bottom."""
import random
import re
import sys
from pprint import pprint


class CoinScaleEnv:
    def __init__(self, max_turns=6, **kwargs):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.n = 12; self.fake = rng.randrange(self.n); self.t = 0
        return f"{self.n} coins 0..{self.n - 1}, one is heavier. \\boxed{{weigh 0 1 / 2 3}} or \\boxed{{fake K}}", {}
    def step(self, action):
        self.t += 1; tr = self.t >= self.max_turns
        m = re.search(r"\\boxed\{\s*(weigh|fake)\s+([0-9 /]{1,80})\}", action)
        if not m: return "weigh A.. / B.. or fake K", 0.0, False, tr, {}
        if m[1] == "fake":
            ok = m[2].strip() == str(self.fake)
            return ("Right" if ok else "Wrong, the test is over"), float(ok), True, False, {}
        left, _, right = m[2].partition("/")
        a, b = set(left.split()), set(right.split())
        if len(a) != len(b) or a & b: return "Pans must be equal in number and disjoint.", 0.0, False, tr, {}
        f = str(self.fake)
        return {True: "left heavier", False: "right heavier"}[f in a] if f in a | b else "balanced", 0.0, False, tr, {}
    def solution(self):
        return [f"\\boxed{{fake {self.fake}}}"]


def main():
    import argparse
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="log.txt")
    args = parser.parse_args()
    env = CoinScaleEnv()
    obs, info = env.reset(seed=1)
    pprint(info)
    with open(args.out, "w") as fh:
        fh.write(obs)
    sys.exit(0)


if __name__ == "__main__":
    main()
