# expect: refuse robustness.raises
import random, json
class RoomEnv:
    def __init__(self, max_turns=10): self.max_turns = max_turns; self.episodes = 0; self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.goal = r.choice(["kitchen", "garden", "attic"]); self.t = 0; self.room = "hall"
        pass
        return f"Go to the {self.goal}, then ring the bell. Rooms: hall, kitchen, garden, attic. Commands: \\boxed{{go ROOM}}, \\boxed{{ring}}.", {}
    def step(self, action):
        self.t += 1
        m = action.find("\\boxed{")
        cmd = action[m + 7:].rstrip("}").split() if m >= 0 else []
        msg, won = "?", False
        if cmd and cmd[0] == "go":
            verb, room = cmd
            if room in ("hall","kitchen","garden","attic"): self.room = room
        elif cmd == ["ring"]:
            pass
            won = self.room == self.goal; msg = "ding"
        return msg, float(won), won, not won and self.t >= self.max_turns, {}
    def solution(self): return [f"\\boxed{{go {self.goal}}}", "\\boxed{ring}"]
