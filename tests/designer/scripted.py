"""A designer that follows a script, over real sockets: what it answers is a function of the slot and the turn."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "client"))

from standin import Handler, StandIn

from spade_envs.client import Sampling
from spade_envs.designer import Decision, DesignPlan
from spade_envs.designer.slots import slot_of
from spade_envs.types import Limits

LIMITS = Limits(
    load_seconds=2.0,
    reset_seconds=1.0,
    step_seconds=0.5,
    grace_seconds=0.5,
    witness_seeds=6,
    more_seeds=6,
    far_seeds=6,
    explore_lists=10,
    explore_examples=0,
    floor_episodes=4,
    floor_more=4,
    poke_episodes=4,
    shrink_replays=4,
)
"""A gate that takes a fifth of a second."""

HINT = "Look up how base64 packs three bytes, and write two hexadecimal digits for each."
"""Of the stand-in for the writer of hints."""

SOURCE = '''
import base64, random

class HexEnv:
    """Base64 as hexadecimal digits, number @TAG@."""
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed)
        self.turns = 0
        self.raw = bytes(r.randrange(256) for _ in range(6)) + bytes([@TAG@ % 256])
        self.answer = self.raw.hex()
        return f"Task @TAG@: {base64.b64encode(self.raw).decode()} is base64. As hex? \\\\boxed{hex}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\\\boxed{" + self.answer + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return ["\\\\boxed{" + self.answer + "}"]
'''.replace("{hex}", "{{hex}}")


def good(tag: int) -> str:
    """A sound source; another ``tag`` is another environment."""
    return SOURCE.replace("@TAG@", str(tag))


def broken(tag: int, turn: int = 0) -> str:
    """A source whose solution does not win; each turn's is another one."""
    return good(tag).replace('return ["\\\\boxed{" + self.answer', f'return ["\\\\boxed{{x{turn}" + self.answer')


def unproven(tag: int, turn: int = 0) -> str:
    """A source whose solution is prose: nobody knows whether it can be won."""
    return good(tag).replace('return ["\\\\boxed{" + self.answer + "}"]', f"return 'Think {turn} times, hard.'")


def hanging(tag: int) -> str:
    """A source that hangs on its first turn."""
    return good(tag).replace("self.turns += 1", "self.turns += 1\n        while True: pass")


def bomb(tag: int) -> str:
    """A source that would fork for ever."""
    return (
        good(tag)
        .replace("import base64", "import os, base64")
        .replace("self.turns = 0", "self.turns = 0\n        while True: os.fork()")
    )


def escaping(tag: int) -> str:
    """A source that would write on a terminal."""
    return (
        good(tag).replace("HexEnv:", "HexEnv:\n    title = '\x1b]0;owned\x07\u202e'").replace("solution", "solve\u202e")
    )


def block(source: str) -> str:
    """A reply with a source."""
    return f"Here it is.\n```python\n{source}```\nDone."


@dataclass(frozen=True)
class Said:
    """A reply, and how it ended."""

    text: str
    finish: str = "stop"


def drafted(tag: int) -> Said:
    """A draft in the think text, a shell block, an earlier block, and the source last."""
    draft = f"<think>\nFirst try:\n```python\n{broken(tag)}```\nNo.\n</think>\n"
    return Said(f"{draft}```sh\nrm -rf /\n```\n```python\nx = 1\n```\nFinally:\n{block(good(tag))}")


def replies(kind: str, tag: int) -> list[Said]:
    """What a slot of this kind is answered, turn after turn; the last for ever."""
    right = Said(block(good(tag)))
    return {
        "good": [right],
        "drafted": [drafted(tag)],
        "no code": [Said("I would rather not."), right],
        "empty": [Said("<think>hm</think>"), right],
        "cut": [Said(f"```python\n{good(tag)[:200]}", "length"), right],
        "cut after a block": [Said(f"{block(broken(tag))} And then", "length"), right],
        "syntax": [Said(block("def (:\n" + good(tag))), right],
        "mended": [Said(block(broken(tag))), right],
        "mended late": [Said(block(broken(tag, 0))), Said("Sorry?"), right],
        "repeated": [Said(block(broken(tag))), Said(block(broken(tag))), right],
        "refused": [Said(block(broken(tag, turn))) for turn in range(3)],
        "no code ever": [Said("No."), Said(""), Said("```python\nx = 1")],
        "undecided": [Said(block(unproven(tag, turn))) for turn in range(3)],
        "proven late": [Said(block(unproven(tag))), right],
        "hangs": [Said(block(hanging(tag)))] * 3,
        "bomb": [Said(block(bomb(tag))), right],
        "huge": [Said("A" * 5_000_000), right],
        "escapes": [Said(block(escaping(tag))), right],
        "escapes ever": [Said("\x1b[2J\x1b]0;owned\x07 I am \u202eyour terminal")] * 3,
    }[kind]


GOOD_KINDS = ("good", "drafted")
MENDED_KINDS = (
    "no code", "empty", "cut", "cut after a block", "syntax", "mended", "mended late", "repeated", "proven late",
    "bomb", "huge", "escapes",
)  # fmt: skip
BAD_KINDS = {
    "refused": Decision.REFUSED,
    "no code ever": Decision.REFUSED,
    "undecided": Decision.UNDECIDED,
    "hangs": Decision.REFUSED,
    "escapes ever": Decision.REFUSED,
}
TWIN = "twin"
"""As good, but the code of the slot before."""


def kinds_of(count: int, seed: int = 0) -> list[str]:
    """Kinds of slots: two thirds good at once, each other kind at least once where there is room."""
    draw = random.Random(seed)
    other = [*MENDED_KINDS, *BAD_KINDS]
    wrong = [other[at % len(other)] for at in range(max(1, count // 3))]
    kinds = wrong + [GOOD_KINDS[at % 5 == 0] for at in range(count - len(wrong))]
    draw.shuffle(kinds)
    after_good = [at for at in range(1, count) if kinds[at] == kinds[at - 1] == "good"]
    if after_good:
        kinds[after_good[0]] = TWIN
    return kinds


def plan_of(count: int, **changes: Any) -> DesignPlan:
    """A plan for so many slots, with the quick gate."""
    values: dict[str, Any] = {
        "count": count,
        "contract": "answer",
        "skills": ("logical-deduction", "optimization", "causal-inference"),
        "limits": LIMITS,
        "sampling": Sampling(max_tokens=4000),
        "model": "tiny",
        "agent_model": "tiny",
    }
    return DesignPlan(**{**values, **changes})


@dataclass
class Scripted:
    """A server that answers the slots of a plan by their kinds."""

    plan: DesignPlan
    kinds: list[str]
    slow: int = 10
    """Every so manieth slot is answered last of those in flight."""
    standin: StandIn = field(init=False)
    asked: list[tuple[int, int]] = field(default_factory=list)
    """Slot and turn of requests, in order; hints are not among them."""
    hints: int = 0

    def __post_init__(self) -> None:
        slots = [slot_of(self.plan, number) for number in range(self.plan.count)]
        self._turns = {seed: (slot.number, turn) for slot in slots for turn, seed in enumerate(slot.seeds)}
        self._hints = {seed: slot.number for slot in slots for seed in slot.hint_seeds}
        self.standin = StandIn(models=[{"id": "tiny", "max_model_len": 10**6}], always=self.handler())

    def handler(self) -> Handler:
        """What answers."""

        async def handle(request: Any, body: dict[str, Any]) -> Any:
            if body["seed"] in self._hints:
                self.hints += 1
                return self.standin.good(body, message={"role": "assistant", "content": HINT})
            slot, turn = self._turns[body["seed"]]
            self.asked.append((slot, turn))
            if slot % self.slow == self.slow - 1:
                await asyncio.sleep(0.2)
            said = self.reply(slot, turn)
            message = {"role": "assistant", "content": said.text}
            return self.standin.good(body, message=message, finish_reason=said.finish)

        return handle

    def reply(self, slot: int, turn: int) -> Said:
        """What is said in a turn of a slot."""
        kind = self.kinds[slot]
        said = replies("good", slot - 1) if kind == TWIN else replies(kind, slot)
        return said[min(turn, len(said) - 1)]

    def expected(self, slot: int) -> Decision:
        """How a slot must end."""
        kind = self.kinds[slot]
        return Decision.DUPLICATE if kind == TWIN else BAD_KINDS.get(kind, Decision.ADMITTED)

    def final_source(self, slot: int) -> str:
        """The text that must be admitted in this slot."""
        return good(slot)


def shortened(plan: DesignPlan, **changes: Any) -> DesignPlan:
    """The plan with changes."""
    return dataclasses.replace(plan, **changes)
