import random, re
from collections import deque


def successors(state, pegs=3):
    tops = {}
    for disk, peg in enumerate(state):          # disk 0 is the smallest
        tops.setdefault(peg, disk)
    for src, disk in sorted(tops.items()):
        dst = (src + 1) % pegs                  # clockwise only
        if dst not in tops or tops[dst] > disk:
            yield (src, dst), state[:disk] + (dst,) + state[disk + 1:]


class CyclicHanoiEnv:
    """Tower of Hanoi where disks only move clockwise A -> B -> C -> A."""

    def __init__(self, max_turns=60, disks=4):
        self.max_turns, self.disks = max_turns, disks
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.state = tuple(rng.randrange(3) for _ in range(self.disks))
            self.goal = tuple(rng.randrange(3) for _ in range(self.disks))
            self.way = self._bfs()
            if 20 <= len(self.way) <= 45:
                break
        self.turn = 0
        self.illegal = 0
        return ("Three pegs A, B, C in a circle. A disk moves only one peg clockwise (A to B, B to C, C to A), one at a time, "
                "and never onto a smaller one.\nCommand: \\boxed{A} moves the top disk of A to B, and so on.\n\n"
                f"Now:\n{self.draw(self.state)}\n\nWanted:\n{self.draw(self.goal)}\n\nMoves allowed: {self.max_turns}; five "
                "illegal ones end the attempt."), {}

    def draw(self, state):
        lines = []
        for p, name in enumerate("ABC"):
            stack = [str(d + 1) for d in range(self.disks - 1, -1, -1) if state[d] == p]
            lines.append(f"  {name}: {' '.join(stack) or '-'}")
        return "\n".join(lines)

    def _bfs(self):
        prev, queue = {self.state: None}, deque([self.state])
        while queue:
            s = queue.popleft()
            if s == self.goal:
                break
            for move, t in successors(s):
                if t not in prev:
                    prev[t] = (s, move)
                    queue.append(t)
        path, s = [], self.goal
        while prev[s]:
            s, move = prev[s]
            path.append("ABC"[move[0]])
        return path[::-1]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\s*\\boxed\{\s*([ABCabc])\s*\}\s*", action)
        moves = {"ABC"[m_[0]]: t for m_, t in successors(self.state)}
        if not m or m.group(1).upper() not in moves:
            self.illegal += 1
            if self.illegal >= 5:
                return "Five illegal moves. The attempt is over.", 0.0, True, False, {}
            return f"Illegal ({self.illegal} of 5).\n" + self.draw(self.state), 0.0, False, late, {}
        self.state = moves[m.group(1).upper()]
        if self.state == self.goal:
            return "That is the wanted position!", 1.0, True, False, {}
        return self.draw(self.state), 0.0, False, late, {}

    def solution(self):
        return "\n".join(self.way)

    def hint(self):
        return "Bring the largest disk that is out of place home first; for every one of its moves all smaller disks must be out of both pegs."
