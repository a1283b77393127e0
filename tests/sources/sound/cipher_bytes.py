import base64, binascii, hashlib, random, string, zlib
from typing import *

class CipherBase:
    def encrypt(self, s: Text) -> Text: raise NotImplementedError
class Caesar(CipherBase):
    def __init__(self, k: int): self.k = k; self._t = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[k:] + string.ascii_lowercase[:k])
    def encrypt(self, s): return s.translate(self._t)
class Xor(CipherBase):
    def __init__(self, key: bytes): self.key = key
    def encrypt(self, s): return bytes(b ^ self.key[i % len(self.key)] for i, b in enumerate(s.encode("ascii"))).hex()
class Rail(CipherBase):
    def __init__(self, n: int): self.n = n
    def encrypt(self, s):
        rails = [[] for _ in range(self.n)]; i = d = 0
        for ch in s:
            rails[i].append(ch)
            if self.n > 1: d = 1 if i == 0 else -1 if i == self.n - 1 else d
            i += d
        return "".join(sum(rails, []))
class CipherEnv:
    WORDS: Final[List[str]] = "harbor lantern meadow crystal thunder pepper violin garden".split()
    def __init__(self, max_turns: Optional[int] = 4): self.max_turns = max_turns; self.reset()
    def reset(self, seed: Optional[int] = None) -> Tuple[str, dict]:
        r = random.Random(seed)
        self.plain = "".join(r.sample(self.WORDS, 2))
        c = r.choice([Caesar(r.randint(1, 25)), Xor(bytes(r.sample(range(1, 64), 2))), Rail(r.randint(2, 4))])
        self.turn = 0
        extra = {"Caesar": lambda: f"shift {c.k}", "Xor": lambda: f"key {c.key.hex()}", "Rail": lambda: f"{c.n} rails"}[type(c).__name__]()
        return f"{type(c).__name__} cipher, {extra}. Ciphertext: {c.encrypt(self.plain)} (crc {zlib.crc32(self.plain.encode()):08x}, sha {hashlib.sha1(self.plain.encode()).hexdigest()[:6]}). Plaintext as \\boxed{{word}}?", {"kind": type(c).__name__}
    def step(self, action: str):
        self.turn += 1
        got = action.partition("\\boxed{")[2].rpartition("}")[0].strip().lower()
        ok = got == self.plain
        near = sum(a == b for a, b in zip(got, self.plain))
        return ("yes" if ok else f"no, {near} letters in place"), 1.0 if ok else 0.0, ok, not ok and self.turn >= self.max_turns, {"b64": base64.b64encode(got.encode("utf-8", "replace")[:30]).decode()}
    def solution(self) -> str: return self.plain
