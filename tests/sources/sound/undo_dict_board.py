"""Water jugs with undo through __dict__ snapshots."""
import copy, math, random, re, json
class JugState:
    def __init__(self, caps, levels):
        self.caps = caps; self.levels = levels; self.moves = 0
    def snapshot(self): return copy.deepcopy(self.__dict__)
    def restore(self, snap):
        self.__dict__.clear()
        self.__dict__.update(copy.deepcopy(snap))
    def to_json(self): return json.dumps(self.__dict__, sort_keys=True)
class JugsEnv:
    def __init__(self, max_turns=150): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        a, b = rng.choice([(m, n) for n in range(11, 30) for m in range(5, n) if math.gcd(m, n) == 1])
        self.state = JugState([a, b], [0, 0]); self.goal = rng.randint(1, b - 1); self.history = []; self.t = 0
        return f"Jugs of {a} and {b} litres, empty. Get exactly {self.goal} litres in either jug. Commands: \\boxed{{fill I}}, \\boxed{{empty I}}, \\boxed{{pour I J}}, \\boxed{{undo}} with I, J in 1..2. State {self.state.to_json()}", {}
    def _apply(self, s, verb, args):
        l = s.levels
        if verb == "fill": l[args[0]] = s.caps[args[0]]
        elif verb == "empty": l[args[0]] = 0
        else:
            i, j = args; q = min(l[i], s.caps[j] - l[j]); l[i] -= q; l[j] += q
        s.moves += 1
    def step(self, action):
        self.t += 1; tr = self.t >= self.max_turns
        m = re.search(r"\\boxed\{\s*(fill|empty|pour|undo)((?:\s+[12])*)\s*\}", action)
        if not m: return "Unknown command.", 0.0, False, tr, {}
        verb, args = m.group(1), [int(x) - 1 for x in m.group(2).split()]
        need = {"fill": 1, "empty": 1, "pour": 2, "undo": 0}[verb]
        if len(args) != need or (verb == "pour" and args[0] == args[1]): return "Wrong arguments.", 0.0, False, tr, {}
        if verb == "undo":
            if self.history: self.state.restore(self.history.pop())
        else:
            self.history.append(self.state.snapshot()); self._apply(self.state, verb, args)
        win = self.goal in self.state.levels
        return self.state.to_json(), 1.0 if win else 0.0, win, tr and not win, {}
    def solution(self):
        from collections import deque
        start = (0, 0); q = deque([(start, [])]); seen = {start}
        acts = [("fill", (0,)), ("fill", (1,)), ("empty", (0,)), ("empty", (1,)), ("pour", (0, 1)), ("pour", (1, 0))]
        while q:
            s, path = q.popleft()
            if self.goal in s: return [f"\\boxed{{{v} {' '.join(str(x + 1) for x in a)}}}" for v, a in path]
            for v, a in acts:
                st = JugState(self.state.caps, list(s)); self._apply(st, v, a); n = tuple(st.levels)
                if n not in seen: seen.add(n); q.append((n, path + [(v, a)]))
