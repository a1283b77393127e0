"""Ends with a block for playing at the terminal."""
import random
import re
import sys


class BusEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        riders, self.turn = rng.randint(20, 60), 0
        lines, fares = [f"{riders} people start on the bus."], riders
        for stop in range(6):
            off, on = rng.randint(1, 9), rng.randint(2, 14)
            riders += on - off
            fares += on
            lines.append(f"Stop {stop + 1}: {off} get off, {on} get on.")
        self.answer = fares * 3 + riders
        return "\n".join(lines) + "\nEverybody who ever rides pays 3 coins, and who is still on board at the end pays 1 more. Total? \\boxed{number}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]


def main():
    env = BusEnv()
    obs, _ = env.reset(seed=1)
    print(obs)
    done = False
    while not done:
        obs, reward, terminated, truncated, _ = env.step(input("> "))
        print(obs, reward)
        done = terminated or truncated
    sys.exit(0)


if __name__ == "__main__":
    main()
