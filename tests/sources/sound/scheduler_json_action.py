import json, random
class ScheduleEnv:
    def __init__(self, max_turns=5): self.max_turns=max_turns; self.reset()
    def reset(self, seed=None):
        r=random.Random(seed); self.jobs={c:r.randint(1,9) for c in "ABCD"}; self.turn=0
        return ("Jobs with durations: "+json.dumps(self.jobs)+"\nReturn the order with the least total waiting time, ties alphabetical, as \\boxed{[\"A\", \"B\", ...]} JSON."), {}
    def step(self, action):
        self.turn+=1
        try:
            start=action.index("\\boxed{")+7; data=json.loads(action[start:action.rindex("}")])
            assert isinstance(data, list) and all(isinstance(x, str) for x in data)
        except (ValueError, AssertionError, RecursionError) as exc:
            return f"Invalid: {type(exc).__name__}", -0.1, False, self.turn>=self.max_turns, {"exc": repr(exc)[:50]}
        good=data==sorted(self.jobs, key=lambda j:(self.jobs[j], j))
        return ("Optimal" if good else "Not optimal"), float(good), good, not good and self.turn>=self.max_turns, {}
    def solution(self):
        return json.dumps(sorted(self.jobs, key=lambda j:(self.jobs[j], j)))
