# numpy matrices, old gym 4-tuple step, numpy scalars as reward and done flag
import random
import re

import numpy as np


class AffineChainEnv:
    metadata = {"render.modes": ["human"]}

    # (name, 2x2 integer matrix)
    OPS = {
        "rotate by 90 degrees counter-clockwise about the origin": np.array([[0, -1], [1, 0]]),
        "rotate by 180 degrees about the origin": np.array([[-1, 0], [0, -1]]),
        "reflect in the x-axis": np.array([[1, 0], [0, -1]]),
        "reflect in the line y = x": np.array([[0, 1], [1, 0]]),
        "shear: x becomes x + 2y": np.array([[1, 2], [0, 1]]),
        "shear: y becomes y - x": np.array([[1, 0], [-1, 1]]),
        "scale both coordinates by 3": np.array([[3, 0], [0, 3]]),
    }

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.turn = 0
        self.reset()

    def seed_points(self, rng):
        while True:
            pts = np.array([[rng.randint(-9, 9), rng.randint(-9, 9)] for _ in range(3)])
            u, v = pts[1] - pts[0], pts[2] - pts[0]
            if int(u[0] * v[1] - u[1] * v[0]) != 0:
                return pts

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        pts = self.seed_points(rng)
        A = np.eye(2, dtype=int)
        b = np.zeros(2, dtype=int)
        text = []
        names = list(self.OPS)
        for k in range(7):
            if rng.random() < 0.3:
                d = np.array([rng.randint(-6, 6), rng.randint(1, 6)])
                b = b + d
                text.append(f"{k + 1}. translate by ({d[0]}, {d[1]})")
            else:
                name = names[rng.randrange(len(names))]
                M = self.OPS[name]
                A = M @ A
                b = M @ b
                text.append(f"{k + 1}. {name}")
        self.image = pts @ A.T + b
        p = ", ".join(f"{n}({x}, {y})" for n, (x, y) in zip("PQR", pts))
        obs = (
            f"Triangle {p} is mapped, in this order, by:\n"
            + "\n".join(text)
            + "\nGive the images of P, Q and R as six integers, \\boxed{px, py, qx, qy, rx, ry}. "
            f"{self.max_turns} tries."
        )
        return obs, {"steps": np.int64(7)}

    def step(self, action):
        self.turn += 1
        done = np.bool_(self.turn >= self.max_turns)
        reward = np.float64(0.0)
        m = re.fullmatch(r"\\boxed\{([-0-9, ()]{1,200})\}", action.strip())
        numbers = re.findall(r"-?[0-9]+", m.group(1)) if m else []
        if len(numbers) != 6:
            return "Six integers are expected: \\boxed{px, py, qx, qy, rx, ry}.", reward, done, {}
        given = [int(x) for x in numbers]
        right = [given[i] == int(self.image.flat[i]) for i in range(6)]
        if np.all(right):
            return "All three points are right.", np.float64(1.0), np.bool_(True), {"tries": self.turn}
        return "At least one coordinate is off.", reward, done, {}

    def render(self, mode="human"):
        print("turn", self.turn)

    def close(self):
        pass

    def solution(self):
        return ["\\boxed{" + ", ".join(str(int(v)) for v in self.image.flat) + "}"]

    def hint(self):
        return "Track one 2x2 matrix and one vector; each step multiplies both from the left."
