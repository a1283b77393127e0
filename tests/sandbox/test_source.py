"""What a syntax tree alone tells about a source, and frames, which carry everything else."""

from __future__ import annotations

import ast
import struct

import pytest

from spade_envs.sandbox import frames
from spade_envs.sandbox.source import depth, environments, mentions, parse


@pytest.mark.parametrize(
    ("test", "dropped"),
    [
        ("__name__ == '__main__'", True),
        ("'__main__' == __name__", True),
        ("__name__ == 'main'", False),
        ("name == '__main__'", False),
        ("__name__", False),
        ("1 < 2", False),
    ],
)
def test_only_the_main_block_is_dropped(test: str, dropped: bool) -> None:
    tree, problem = parse(f"x = 1\nif {test}:\n    y = 2\nz = 3", nesting=20)
    assert problem is None and tree is not None and len(tree.body) == (2 if dropped else 3)
    kept, _ = parse(f"if {test}:\n    y = 2\nelse:\n    y = 3", nesting=20)
    assert kept is not None and len(kept.body) == 1


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("x = 1\ny = 'a\0b'", 2, "null byte"),
        ("x = 1\ny = (", 2, "does not parse"),
        ("x = 1\n  y = 2", 2, "does not parse: unexpected indent"),
        ("(" * 1000, None, ""),
        ("x = " + "-" * 5000 + "1", None, ""),
        ("x = " + "+".join("1" * 2000), 1, "nested 2"),
        ("x = 1\ny = " + "[" * 20 + "]" * 20, 2, "nested 21 levels deep; at most 20"),
    ],
)
def test_what_does_not_parse_says_where(text: str, line: int | None, says: str) -> None:
    tree, problem = parse(text, nesting=20)
    assert tree is None and problem is not None and problem.kind == "syntax" and says in problem.message
    assert line is None or problem.line == line


def test_nesting_up_to_the_limit_is_fine() -> None:
    text = "y = " + "[" * 19 + "]" * 19
    assert parse(text, nesting=20)[0] is not None and depth(ast.parse(text))[0] == 20
    assert parse("\ufeffx = 1", nesting=20)[0] is not None


BOTH = "def reset(self): 1\n def step(self): 1"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"class A:\n {BOTH}", ["A"]),
        ("class A:\n def reset(self): 1\nclass B(A):\n def step(self): 1", ["B"]),
        (f"class A:\n {BOTH}\nclass BEnv:\n {BOTH}", ["BEnv"]),
        (f"class AEnv:\n {BOTH}\nclass BEnv:\n {BOTH}", ["AEnv", "BEnv"]),
        (f"class AEnv:\n {BOTH}\nclass B(AEnv): pass", ["B"]),
        ("class A(ToolUseBaseEnv):\n def reset(self): 1", ["A"]),
        ("class A(pkg.ToolUseBaseEnv):\n def reset(self): 1", ["A"]),
        ("class A(Generic[T]):\n def step(self): 1\n reset = other", ["A"]),
        ("class A(ToolUseBaseEnv):\n def step(self): 1", []),
        ("class A:\n def step(self): 1", []),
        (f"class A(B):\n {BOTH}\nclass B(A): pass", []),
        ("x = 1", []),
    ],
)
def test_classes_that_could_be_the_environment(text: str, found: list[str]) -> None:
    assert environments(ast.parse(text)) == found


@pytest.mark.parametrize(
    ("text", "numpy", "math"),
    [
        ("import numpy", True, False),
        ("np.zeros(3)", True, False),
        ("self.np_random", True, False),
        ("from math_verify import parse", False, True),
        ("import math; inp = snp", False, False),
    ],
)
def test_what_a_text_speaks_of(text: str, numpy: bool, math: bool) -> None:
    assert mentions(text) == (numpy, math)


def test_a_frame_is_cut_where_it_ends_and_bounded() -> None:
    data = frames.pack({"a": "é"}) + frames.pack([]) + frames.pack(None)
    for size in (1, 2, 5, len(data)):
        buffer = frames.Buffer()
        found = []
        for at in range(0, len(data), size):
            buffer.feed(data[at : at + size])
            while (body := buffer.take()) is not None:
                found.append(frames.unpack(body))
        assert found == [{"a": "é"}, [], None] and buffer.empty
    for announced, fits in ((frames.LARGEST, True), (frames.LARGEST + 1, False)):
        buffer = frames.Buffer()
        buffer.feed(struct.pack(">I", announced))
        if fits:
            assert buffer.take() is None
        else:
            with pytest.raises(frames.FrameError, match="announced"):
                buffer.take()
    with pytest.raises(frames.FrameError, match="at most"):
        frames.pack("x" * frames.LARGEST)


@pytest.mark.parametrize("body", [b"NaN", b"-Infinity", b"[Infinity]", b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5000])
def test_what_is_no_frame(body: bytes) -> None:
    with pytest.raises(frames.FrameError):
        frames.unpack(body)
