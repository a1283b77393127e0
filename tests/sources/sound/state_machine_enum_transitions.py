import enum, random, re
class State(enum.Enum):
    ASK = "ask"; RETRY = "retry"; OVER = "over"
    def __init__(self, v): self.final = v == "over"
    def __repr__(self): return f"<{self.name}>"
    __str__ = __repr__
class FSM:
    def __init__(self): self.state = State.ASK; self.transitions = {(State.ASK, False): State.RETRY, (State.RETRY, False): State.RETRY, (State.ASK, True): State.OVER, (State.RETRY, True): State.OVER}
    def fire(self, ok): self.state = self.transitions[self.state, ok]; return self.state
class ProductEnv:
    def __init__(self, max_turns=5): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None): r = random.Random(seed); self.fsm = FSM(); self.t = 0; self.a, self.b = r.randint(10, 99), r.randint(10, 99); return self._q() + f" {self.fsm.state}", {"state": self.fsm.state.value}
    def step(self, action):
        self.t += 1; st = self.fsm.fire(self._grade(action))
        match st:
            case State.OVER: return f"yes {st}", 1.0, True, False, {}
            case State.RETRY | State.ASK if self.t >= self.max_turns: return "out of turns", 0.0, False, True, {}
            case State(final=False): return f"no {st!r}", 0.0, False, False, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
