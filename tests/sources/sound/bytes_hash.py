import random, hashlib, base64, struct, zlib, binascii

class BytesEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        self.raw = bytes(r.randrange(256) for _ in range(6)); self.b64 = base64.b64encode(self.raw).decode()
        self.answer = self.raw.hex(); self.crc = zlib.crc32(self.raw); self.n, = struct.unpack(">H", self.raw[:2]); self.mv = bytearray(self.raw)
        return f"Base64 {self.b64} as hex? sha {hashlib.sha256(self.raw).hexdigest()[:8]} \\boxed{{hex}}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
