"""hashlib, hmac, base64, binascii, zlib and struct as puzzle material."""
import base64
import binascii
import hashlib
import hmac
import random
import re
import struct
import zlib


class DecoderEnv:
    WORDS = ["anchor", "bishop", "candle", "dragon", "engine", "falcon", "garden", "hammer", "island", "jacket"]

    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.text = " ".join(rng.sample(self.WORDS, 2)) + f" {rng.randint(10, 99)}"
        data = self.text.encode()
        layers = rng.sample(["hex", "base64", "reverse", "rot"], 3)
        for layer in layers:
            if layer == "hex":
                data = binascii.hexlify(data)
            elif layer == "base64":
                data = base64.b64encode(data)
            elif layer == "reverse":
                data = data[::-1]
            else:
                data = bytes((b + 1) % 256 for b in data)
        self.digest = hashlib.sha256(self.text.encode()).hexdigest()
        tag = hmac.new(b"key", self.text.encode(), "sha256").hexdigest()[:8]
        size = struct.unpack(">I", struct.pack(">I", len(zlib.compress(data))))[0]
        self.turn = 0
        return (
            f"A text went through {' then '.join(layers)} (rot adds 1 to each byte) and became:\n{data.decode('latin-1')}\n"
            f"(check {tag}, packed size {size}). What was the text? \\boxed{{text}}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        given = (m.group(1) if m else "").strip().encode("utf-8", "replace")
        if hmac.compare_digest(hashlib.sha256(given).hexdigest(), self.digest):
            return "Decoded.", 1.0, True, False, {}
        return "Wrong text.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.text}}}"]
