import random
class DungeonEnv:
    """Find the key, open the door."""
    def __init__(self, max_turns=15):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.rooms = ["hall", "cellar", "attic", "study", "kitchen", "stable", "chapel", "library", "armoury", "larder", "tower", "crypt"]
        self.key_room = rng.choice(self.rooms[1:]); self.room = "hall"; self.has_key = False; self.turn = 0
        return (f"You are in the hall. A note says: 'the key is in the {self.key_room}'. Commands: \\boxed{{go ROOM}}, "
                "\\boxed{take key}, \\boxed{open door} (the door is in the hall)."), {}
    def step(self, action):
        self.turn += 1
        reward, done = 0.0, False
        try:
            cmd = action.split("\\boxed{")[1].split("}")[0].lower().split()
        except IndexError:
            cmd = []
        if cmd[:1] == ["go"] and len(cmd) == 2 and cmd[1] in self.rooms:
            self.room = cmd[1]; msg = f"You are in the {self.room}."
        elif cmd == ["take", "key"]:
            if self.room == self.key_room and not self.has_key: self.has_key = True; msg = "Taken."; reward = 0.3
            else: msg = "No key here."
        elif cmd == ["open", "door"]:
            if self.room == "hall" and self.has_key: msg, reward, done = "The door opens.", 0.7, True
            else: msg = "It stays shut."
        else: msg = "I do not understand."
        return msg, reward, done, not done and self.turn >= self.max_turns, {"room": self.room}
    def hint(self): return "Fetch the key first."
    def solution(self):
        return f"1. go {self.key_room}\n2. take key\n3. go hall\n4. open door"
