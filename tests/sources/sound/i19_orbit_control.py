"""Gym-style control task with numpy: dock at the origin of a drifting coordinate frame."""
import random
import re

import gymnasium as gym
import numpy as np
from gymnasium import spaces


class DockingEnv(gym.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None, max_turns=20):
        self.render_mode = render_mode
        self.max_turns = max_turns
        self.action_space = spaces.Text(max_length=200)
        self.observation_space = spaces.Text(max_length=4000)
        self.reset()

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        self.pos = np.array([rng.randint(-90, 90), rng.randint(-90, 90)])
        self.vel = np.array([rng.randint(-6, 6), rng.randint(-6, 6)])
        if np.abs(self.pos).sum() < 60:
            self.pos = self.pos + np.array([70, -55])
        self.drift = np.array([rng.randint(-3, 3), rng.randint(-3, 3)])
        self.fuel = 240
        self.t = 0
        return ("Dock a capsule at (0, 0) with speed (0, 0). Per turn you fire a thrust (ax, ay), whole numbers from -9 to 9:\n"
                "   v <- v + a + w,  then  x <- x + v\n"
                "w is a constant wind that you do not know. The thrust costs |ax| + |ay| fuel.\n"
                "Command: \\boxed{thrust ax ay}. You dock when position and speed are both zero after a turn.\n"
                + self._status()), self._info()

    def _status(self):
        return (f"t={self.t}/{self.max_turns}  position=({self.pos[0]}, {self.pos[1]})  "
                f"speed=({self.vel[0]}, {self.vel[1]})  fuel={self.fuel}")

    def _info(self):
        return {"distance": float(np.linalg.norm(self.pos)), "fuel": int(self.fuel)}

    def step(self, action):
        self.t += 1
        truncated = bool(self.t >= self.max_turns)
        m = re.search(r"\\boxed\{\s*thrust\s+([+-]?\d{1,2})[,\s]+([+-]?\d{1,2})\s*\}", action, re.ASCII)
        a = np.array([int(m.group(1)), int(m.group(2))]) if m else np.zeros(2, dtype=int)
        note = ""
        if m is None:
            note = "No valid command, the engines stay off. "
        elif np.abs(a).max() > 9 or np.abs(a).sum() > self.fuel:
            note, a = "Thrust or fuel limit exceeded, the engines stay off. ", np.zeros(2, dtype=int)
        self.fuel -= int(np.abs(a).sum())
        self.vel = self.vel + a + self.drift
        self.pos = self.pos + self.vel
        if not self.pos.any() and not self.vel.any():
            return "Docked. " + self._status(), 1.0, True, False, self._info()
        if np.abs(self.pos).max() > 400:
            return "The capsule is lost in space. " + self._status(), -1.0, True, False, self._info()
        return note + self._status(), -0.01, False, truncated, self._info()

    def render(self):
        return self._status()

    def solution(self):
        """Measure the wind with one idle turn, then plan each axis: speed profile that ends at zero."""
        read = lambda s: [int(v) for v in re.findall(r"position=\((-?\d+), (-?\d+)\)  speed=\((-?\d+), (-?\d+)\)", s)[0]]
        v0 = self.vel.tolist()
        text = yield "\\boxed{thrust 0 0}"
        x, y, vx, vy = read(text)
        wind = (vx - v0[0], vy - v0[1])
        plans = None
        for steps in range(2, 18):
            plans = [self._axis(p, v, w, steps) for p, v, w in ((x, vx, wind[0]), (y, vy, wind[1]))]
            if all(p is not None for p in plans) and sum(abs(k) for p in plans for k in p) <= 240:
                break
        for ax, ay in zip(*plans):
            yield f"\\boxed{{thrust {ax} {ay}}}"

    @staticmethod
    def _axis(p, v, w, n):
        """Bounded thrusts that bring (p, v) to (0, 0) in n turns, by dynamic programming over reachable states."""
        layers = [{(p, v): None}]
        for k in range(n):
            nxt = {}
            left = n - k - 1
            for (q, u) in layers[-1]:
                for a in sorted(range(-9, 10), key=abs):
                    nu = u + a + w
                    nq = q + nu
                    if abs(nu) <= 6 * left + 6 and abs(nq) <= 3 * left * (left + 1) + 3 and (nq, nu) not in nxt:
                        nxt[(nq, nu)] = ((q, u), a)
            layers.append(nxt)
        if (0, 0) not in layers[-1]:
            return None
        path, s = [], (0, 0)
        for layer in reversed(layers[1:]):
            s, a = layer[s]
            path.append(a)
        return path[::-1]
