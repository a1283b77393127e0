"""Pieces that every author writes anew: random numbers, box readers, ways to box an action."""

from __future__ import annotations

import random
import textwrap

_LCG = {
    "__init__": """
        def __init__(self, seed):
            mixed = (abs(int(seed)) + <<add>>) * 0x9E3779B97F4A7C15 % 2**64
            self.value = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9 % 2**64
    """,
    "below": """
        def below(self, count):
            self.value = (self.value * 6364136223846793005 + 1442695040888963407) % 2**64
            return (self.value >> 33) % count
    """,
    "randint": """
        def randint(self, low, high):
            return low + self.below(high - low + 1)
    """,
    "choice": """
        def choice(self, items):
            return items[self.below(len(items))]
    """,
    "shuffle": """
        def shuffle(self, items):
            for last in range(len(items) - 1, 0, -1):
                other = self.below(last + 1)
                items[last], items[other] = items[other], items[last]
    """,
    "sample": """
        def sample(self, items, count):
            pool = list(items)
            return [pool.pop(self.below(len(pool))) for _ in range(count)]
    """,
}

_NUMPY = {
    "__init__": """
        def __init__(self, seed):
            self.np_random = np.random.default_rng(abs(int(seed)))
    """,
    "randint": """
        def randint(self, low, high):
            return int(self.np_random.integers(low, high + 1))
    """,
    "choice": """
        def choice(self, items):
            return items[int(self.np_random.integers(len(items)))]
    """,
    "sample": """
        def sample(self, items, count):
            items = list(items)
            return [items[int(i)] for i in self.np_random.permutation(len(items))[:count]]
    """,
    "shuffle": """
        def shuffle(self, items):
            items[:] = self.sample(items, len(items))
    """,
}

# NumPy's shuffle is written with its sample.
_NEEDS: dict[str, dict[str, list[str]]] = {"lcg": {}, "numpy": {"shuffle": ["sample"]}}


def draw_class(kind: str, name: str, code: str, rng: random.Random) -> str:
    """A class of random numbers (`lcg` or `numpy`) with those methods that `code` uses."""
    methods = _LCG if kind == "lcg" else _NUMPY
    wanted = {method for method in methods if f".{method}(" in code}
    wanted |= {need for method in wanted for need in _NEEDS[kind].get(method, [])} | {"__init__", "below"}
    add = str(rng.randrange(10**6) * 2 + 1)
    body = "\n".join(
        textwrap.indent(textwrap.dedent(text).strip("\n").replace("<<add>>", add), "    ") + "\n"
        for method, text in methods.items()
        if method in wanted
    )
    return f"class {name}:\n{body.rstrip()}\n"


PARSERS = {
    "search": r"""
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        if match:
            content = match.group(1).strip()
        else:
            content = None
    """,
    "findall": r"""
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", action)
        content = boxes[-1].strip() if boxes else None
    """,
    "find": r"""
        content = None
        start = action.rfind("\\boxed{")
        if start >= 0:
            end = action.find("}", start)
            if end > start:
                content = action[start + len("\\boxed{") : end].strip()
    """,
    "split": r"""
        content = None
        if "\\boxed{" in action:
            tail = action.split("\\boxed{")[-1]
            if "}" in tail:
                content = tail.split("}")[0].strip()
    """,
    "balanced": r"""
        content = None
        start = action.rfind("\\boxed{")
        if start != -1:
            depth = 0
            for index in range(start + 6, len(action)):
                depth += {"{": 1, "}": -1}.get(action[index], 0)
                if depth == 0:
                    content = action[start + 7 : index].strip()
                    break
    """,
    "slice": r"""
        text = action.strip()
        if text.startswith("\\boxed{") and text.endswith("}"):
            content = text[7:-1].strip()
        else:
            content = None
    """,
}

PARSER_NAMES = ["extract_boxed", "parse_box", "read_box", "unbox", "get_content"]

BOXES = {
    "concat": '"\\\\boxed{" + %s + "}"',
    "percent": '"\\\\boxed{%%s}" %% (%s)',
    "format": '"\\\\boxed{{{}}}".format(%s)',
    "function": "boxed(%s)",
}

BOX_FUNCTION = 'def boxed(text):\n    return f"\\\\boxed{{{text}}}"\n'

METHOD_DOCS = {
    "__init__": ["Create the environment.", "Keep the limit and draw a first episode.", "Set up; see reset()."],
    "reset": [
        "Start a new episode.",
        "Draw a fresh instance from the seed.",
        "Reset everything; same seed, same task.",
    ],
    "step": ["Take one action.", "Process the player's reply.", "Apply an action and report what happened."],
    "solution": ["The actions that win this episode.", "A sure way to win.", "Winning play for the current episode."],
    "hint": ["How to go about it.", "Advice on the approach.", "A nudge, no more."],
}
