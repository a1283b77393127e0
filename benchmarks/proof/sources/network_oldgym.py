# old gym API: `reset` gives a bare str, `step` gives (obs, reward, done, info). Graph navigation by hop counts.
import random
import re
from collections import deque


class PacketEnv:
    def __init__(self, max_turns=60):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.stage = 0
        names = [f"r{n}" for n in rng.sample(range(100, 1000), 90)]
        self.links = {n: [] for n in names}
        for i in range(1, len(names)):  # a random tree with short jumps ...
            self._link(names[i], names[rng.randrange(max(0, i - 5), i)])
        for _ in range(30):  # ... and some cross links
            a, b = rng.sample(names, 2)
            if b not in self.links[a] and len(self.links[a]) < 5 and len(self.links[b]) < 5:
                self._link(a, b)
        for n in names:
            rng.shuffle(self.links[n])
        self.at = names[0]
        self.way = []
        here = self.at
        while len(self.way) < 4:
            hops = self._hops(here)
            far = sorted(n for n in names if 5 <= hops[n] <= 8)
            here = rng.choice(far or sorted(n for n in names if hops[n] == 4))
            self.way.append(here)
        return (
            "You are a packet in a network. Visit the routers "
            + ", ".join(self.way)
            + " in this order (passing through "
            "others is fine). \\boxed{3} leaves through port 3. Every router tells how many hops the next router of your list "
            "is away; the cables behind the ports are not documented. "
            f"You live for {self.max_turns} hops.\n" + self._view()
        )

    def _link(self, a, b):
        self.links[a].append(b)
        self.links[b].append(a)

    def _hops(self, start):
        hops, queue = {start: 0}, deque([start])
        while queue:
            n = queue.popleft()
            for o in self.links[n]:
                if o not in hops:
                    hops[o] = hops[n] + 1
                    queue.append(o)
        return hops

    def _view(self):
        goal = self.way[self.stage]
        return (
            f"Router {self.at}: ports 1 to {len(self.links[self.at])}; {goal} is {self._hops(goal)[self.at]} hops away."
        )

    def step(self, action):
        self.turn += 1
        done = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:port\s*)?([0-9]{1,3})\s*\}", action)
        if not m:
            return "Choose a port, as in \\boxed{1}. " + self._view(), 0, done, {}
        port = int(m.group(1))
        if not 1 <= port <= len(self.links[self.at]):
            return "There is no such port. " + self._view(), 0, done, {}
        self.at = self.links[self.at][port - 1]
        if self.at == self.way[self.stage]:
            self.stage += 1
            if self.stage == len(self.way):
                return "Delivered.", 1, True, {"hops": self.turn}
        return self._view(), 0, done, {"hops": self.turn}

    def solution(self):
        actions, here = [], self.at
        for goal in self.way:
            hops = self._hops(goal)
            while here != goal:
                port = min(range(len(self.links[here])), key=lambda i: hops[self.links[here][i]])
                actions.append(f"\\boxed{{{port + 1}}}")
                here = self.links[here][port]
        return actions

    def hint(self):
        return "If the hop count falls you took a good port; if it rises, remember where you came from and try another one."
