"""The small notation in which templates write code, and its rendering in one author's style.

    <<word>>               a drawn word, number or name
    S.name                 a value of the episode's state
    F.name(...)            a rule of the task, written as a plain function
    R.randint(...)         the episode's random numbers: randint, choice, sample, shuffle
    => text ;; what        answer the player; `what` is nothing, WIN, LOSE, or a reward
    SEND expression        the next action of the solution, without its box

Comments on lines of their own and one-line docstrings stay or go with the style.
"""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize

from .style import Style


def fill(text: str, words: dict[str, str]) -> str:
    """Put in the drawn words; one that stands alone on its line brings all its lines to that depth."""

    def alone(match: re.Match[str]) -> str:
        return textwrap.indent(words[match.group(2)], match.group(1))

    text = re.sub(r"(?m)^([ \t]+)<<(\w+)>>$", alone, text)
    return re.sub(r"<<(\w+)>>", lambda match: words[match.group(1)], text)


def indented(code: str, depth: int = 1) -> str:
    """The code, `depth` levels deeper."""
    return textwrap.indent(code, "    " * depth)


def single_quoted(source: str) -> str:
    """The source with single quotes around those strings that hold no quotes."""
    lines = source.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        plain = re.fullmatch(r"""([rf]*)"([^"']*)\"""", token.string)
        if token.type == tokenize.STRING and plain:
            row, start = token.start
            line = lines[row - 1]
            lines[row - 1] = f"{line[:start]}{plain.group(1)}'{plain.group(2)}'{line[token.end[1] :]}"
    return "".join(lines)


def bare_signature(line: str) -> str:
    """A `def` line without its annotations."""
    tree = ast.parse(line.strip() + " pass")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.returns = None
    for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        argument.annotation = None
    return ast.unparse(function).splitlines()[0]


class Renderer:
    """Renders notation for one class."""

    def __init__(self, style: Style, class_name: str) -> None:
        self.style = style
        self.class_name = class_name

    def state(self, name: str) -> str:
        """How the code says one value of the state."""
        style = self.style
        forms = {
            "attributes": f"self.{name}",
            "private": f"self._{name}",
            # Single quotes, for this also stands inside double-quoted f-strings.
            "dict": f"self.{style.state_name}['{name}']",
            "dataclass": f"self.{style.state_name}.{name}",
        }
        return forms[style.state]

    def code(self, text: str) -> str:
        """Render a body that has `self`."""
        text = textwrap.dedent(text).strip("\n")
        text = self._prose(text)
        text = "\n".join(self._answer(line) for line in text.splitlines())
        text = re.sub(r"\bS\.(\w+)", lambda match: self.state(match.group(1)), text)
        text = re.sub(r"\bF\.(\w+)", lambda match: self._call(match.group(1), inside=False), text)
        return re.sub(r"(?<![\w'\".])R(?=[.,)])", self.style.rng, text)

    def function(self, text: str) -> str:
        """Render a rule of the task where the style puts it."""
        text = self._prose(textwrap.dedent(text).strip("\n"))
        text = re.sub(r"\bF\.(\w+)", lambda match: self._call(match.group(1), inside=True), text)
        head, _, rest = text.partition("\n")
        if not self.style.typed:
            head = bare_signature(head)
        if self.style.placing == "method":
            head = re.sub(r"\((?=\))", "(self", head, count=1) if "()" in head else head.replace("(", "(self, ", 1)
            head = head.replace("def ", "def _", 1)
        prefix = "@staticmethod\n" if self.style.placing == "static" else ""
        return f"{prefix}{head}\n{rest}"

    def _call(self, name: str, inside: bool) -> str:
        placing = self.style.placing
        if placing == "module":
            return name
        if placing == "method":
            return f"self._{name}"
        return f"{self.class_name}.{name}" if inside else f"self.{name}"

    def _prose(self, text: str) -> str:
        kept = []
        for line in text.splitlines():
            bare = line.strip()
            if bare.startswith("#") and not self.style.comments:
                continue
            if bare.startswith('"""') and bare.endswith('"""') and len(bare) > 5 and not self.style.docs:
                continue
            kept.append(line)
        return "\n".join(kept)

    def late(self) -> str:
        """The condition that the turns are used up."""
        return f"S.{self.style.turn} >= self.max_turns"

    def info(self) -> str:
        """The info of a step."""
        turn = f"S.{self.style.turn}"
        return {"empty": "{}", "turn": f'{{"turn": {turn}}}', "left": f'{{"turns_left": self.max_turns - {turn}}}'}[
            self.style.info
        ]

    def _answer(self, line: str) -> str:
        bare = line.lstrip()
        if not bare.startswith("=> "):
            return line
        margin = line[: len(line) - len(bare)]
        text, _, what = (part.strip() for part in bare[3:].partition(";;"))
        reward, done = {"": ("0.0", False), "WIN": ("1.0", True), "LOSE": ("0.0", True)}.get(what, (what, False))
        if what.startswith("WIN "):
            reward, done = what[4:], True
        return margin + "return " + self._returned(text, reward, done)

    def _returned(self, text: str, reward: str, done: bool) -> str:
        if self.style.flow in ("triple", "base"):
            return f"{text}, {reward}, {done}"
        if self.style.flow == "finish":
            rest = f", {reward}, {done}" if done else (f", {reward}" if reward != "0.0" else "")
            return f"self._finish({text}{rest})"
        if self.style.arity == 4:
            return f"{text}, {reward}, {done if done else self.late()}, {self.info()}"
        return f"{text}, {reward}, {done}, {'False' if done else self.late()}, {self.info()}"
