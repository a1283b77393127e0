import json, random
class KnightToolEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=30, **kw):
        super().__init__(max_turns=max_turns, **kw)
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self.pos = (rng.randrange(8), rng.randrange(8))
        while True:
            self.goal = (rng.randrange(8), rng.randrange(8))
            if self.goal != self.pos: break
        self._state = {"moves": 0}
        self._tools = {"move": {"description": "Move the knight, e.g. in coordinate notation from-to.", "parameters": {"type": "object", "properties": {"move": {"type": "string", "description": "from-square followed by to-square"}}, "required": ["move"]}}}
        self._expected_answer = "arrived"
        return f"Knight on {self.sq(self.pos)}. Bring it to {self.sq(self.goal)}, then <answer>arrived</answer>.", {}
    @staticmethod
    def sq(p): return "abcdefgh"[p[0]] + str(p[1] + 1)
    def tool_move(self, move):
        if len(move) != 4 or move[:2] != self.sq(self.pos): return "Error: illegal"
        to = ("abcdefgh".find(move[2]), int(move[3]) - 1 if move[3] in "12345678" else -1)
        if min(to) < 0 or sorted((abs(to[0] - self.pos[0]), abs(to[1] - self.pos[1]))) != [1, 2]: return "Error: illegal"
        self.pos = to
        return "ok, now on " + self.sq(to)
    def _check_answer(self, answer):
        return answer.strip().lower() == "arrived" and self.pos == self.goal
    def solution(self):
        from collections import deque
        q, prev = deque([self.pos]), {self.pos: None}
        while q:
            p = q.popleft()
            if p == self.goal: break
            for dx, dy in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]:
                n = (p[0] + dx, p[1] + dy)
                if 0 <= n[0] < 8 and 0 <= n[1] < 8 and n not in prev:
                    prev[n] = p; q.append(n)
        path, p = [], self.goal
        while prev[p] is not None:
            path.append(self.sq(prev[p]) + self.sq(p)); p = prev[p]
        return [{"name": "move", "arguments": {"move": m}} for m in reversed(path)] + ["<answer>arrived</answer>"]
