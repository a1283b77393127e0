"""Lays out environments of the tools contract, on ToolUseBaseEnv."""

from __future__ import annotations

import random
import re
import textwrap
from dataclasses import dataclass, field, replace

from .model import GeneratedSource
from .notation import Renderer, bare_signature, fill, indented, single_quoted
from .pieces import METHOD_DOCS, draw_class
from .style import draw_style

_MODULES = ["random", "re", "math", "itertools", "json", "copy"]


@dataclass(frozen=True)
class Tool:
    """One tool: `parameters` maps names to (type, description); `body` is code that returns text."""

    name: str
    description: str
    parameters: dict[str, tuple[str, str]]
    body: str


@dataclass
class ToolSketch:
    """What a template of the tools contract writes.

    `setup` sets `self._state` and the hidden values; `ask` sets the expected answer or messages with criteria, and
    `text`. In `solution` a line `CALL name(argument=value)` is a call and `ANSWER value` the end.
    """

    class_name: str
    about: str
    tools: list[Tool]
    setup: str
    ask: str
    solution: str
    hint: str
    words: dict[str, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)


class ToolFrame:
    """One source of the tools contract in the making."""

    def __init__(self, sketch: ToolSketch, rng: random.Random) -> None:
        self.sketch = sketch
        self.rng = rng
        style = draw_style(rng)
        # The base class keeps the records in `_state`; other values are attributes in either spelling.
        self.style = replace(style, state=rng.choice(["attributes", "private"]))
        self.renderer = Renderer(self.style, sketch.class_name)
        # Four schemas and more fill pages; everybody shortens them.
        self.schema = rng.choice(["inline", "function", "constant", "method"]) if len(sketch.tools) < 4 else "function"
        self.call = rng.choice(["function", "method", "dumps"])
        self.form = rng.choices(["list", "grouped", "generator", "text"], [5, 2, 3, 1])[0]
        self.module_pieces: list[str] = []

    def source(self) -> GeneratedSource:
        """The finished source."""
        sketch, style = self.sketch, self.style
        methods = [self._reset()]
        if self.schema == "method":
            methods.append(
                f"def _build_tools(self):\n    return {self._tools_literal().replace(chr(10), chr(10) + '    ')}"
            )
        methods += [self._tool(tool) for tool in sketch.tools]
        methods.append(self._solution())
        if style.hinted:
            methods.append(self._method("hint", "self", f'return "{fill(sketch.hint, sketch.words)}"'))
        functions = [self.renderer.function(fill(text, sketch.words)) for text in sketch.functions]
        if style.placing == "module":
            self.module_pieces += functions
        else:
            methods += functions
        if self.call == "method":
            methods.append(f"def _call(self, tool, **arguments):\n{indented(_CALL_BODY)}")
        elif self.call == "function":
            self.module_pieces.append(f"def tool_call(tool, **arguments):\n{indented(_CALL_BODY)}")
        if style.order % 3 == 0:
            random.Random(style.order).shuffle(methods)
        doc = f'    """{fill(sketch.about, sketch.words)}"""\n\n' if style.docs else ""
        body = f"class {sketch.class_name}(ToolUseBaseEnv):\n{doc}" + "\n\n".join(
            indented(m.strip("\n")) for m in methods
        )
        constants = "\n".join(fill(text, sketch.words) for text in sketch.constants)
        text = (
            "\n\n\n".join(piece.strip("\n") for piece in [constants, *self.module_pieces, body] if piece.strip()) + "\n"
        )
        text = self._with_imports(self._with_draws(text))
        if style.order % 4 == 0:
            text = single_quoted(text)
        return GeneratedSource(sketch.class_name, text, "tools")

    def _with_draws(self, text: str) -> str:
        if self.style.source == "random" or len(text.splitlines()) > 118:
            return text.replace("NEW_RNG", "random.Random")
        drawn = draw_class(self.style.source, "Draws", text, self.rng)
        return f"{drawn}\n\n{text}".replace("NEW_RNG(seed)", "Draws(0 if seed is None else seed)")

    def _with_imports(self, text: str) -> str:
        lines = [f"import {name}" for name in _MODULES if re.search(rf"(?<![\w.]){name}\.\w", text)]
        if re.search(r"(?<![\w.])np\.", text):
            lines.append("import numpy as np")
        if "-> Generator" in text:
            lines.append("from typing import Generator")
        if self.rng.random() < 0.3:
            lines.append("from tool_use_base_env import ToolUseBaseEnv")
        return "\n".join(lines) + "\n\n\n" + text if lines else text

    def _method(self, name: str, arguments: str, body: str, returned: str = "str") -> str:
        arrow = f" -> {returned}" if self.style.typed else ""
        doc = f'    """{self.rng.choice(METHOD_DOCS[name])}"""\n' if self.style.docs and name in METHOD_DOCS else ""
        return f"def {name}({arguments}){arrow}:\n{doc}{indented(body)}"

    def _reset(self) -> str:
        style, words = self.style, self.sketch.words
        tools = {
            "inline": f"self._tools = {self._tools_literal()}",
            "function": f"self._tools = {self._tools_literal()}",
            "constant": "self._tools = copy.deepcopy(TOOLS)",
            "method": "self._tools = self._build_tools()",
        }[self.schema]
        if self.schema == "constant":
            self.module_pieces.append(f"TOOLS = {self._tools_literal()}")
        if self.schema == "function":
            self.module_pieces.append(_SCHEMA_FUNCTION)
        code = self.renderer.code
        lines = [f"{style.rng} = NEW_RNG(seed)", code(fill(self.sketch.setup, words))]
        lines.insert(self.rng.randint(0, 2), tools)
        lines.append(code(fill(self.sketch.ask, words)))
        lines.append("return text" if style.bare_reset else "return text, {}")
        arguments = "self, seed: int | None = None" if style.typed else "self, seed=None"
        return self._method("reset", arguments, "\n".join(lines), "str" if style.bare_reset else "tuple[str, dict]")

    def _tools_literal(self) -> str:
        entries = []
        for tool in self.sketch.tools:
            name, description = fill(tool.name, self.sketch.words), fill(tool.description, self.sketch.words)
            parameters = {fill(key, self.sketch.words): value for key, value in tool.parameters.items()}
            if self.schema == "function":
                inner = "".join(f', {key}=("{kind}", "{about}")' for key, (kind, about) in parameters.items())
                entries.append(f'    "{name}": schema("{description}"{inner}),')
                continue
            inner = "".join(
                f'                "{key}": {{"type": "{kind}", "description": "{about}"}},\n'
                for key, (kind, about) in parameters.items()
            )
            required = ", ".join(f'"{key}"' for key in parameters)
            entries.append(
                f'    "{name}": {{\n        "description": "{description}",\n        "parameters": {{\n'
                f'            "type": "object",\n            "properties": {{\n{inner}            }},\n'
                f'            "required": [{required}],\n        }},\n    }},'
            )
        return fill("{\n" + "\n".join(entries) + "\n}", self.sketch.words)

    def _tool(self, tool: Tool) -> str:
        kinds = {"string": "str", "integer": "int"}
        arguments = "".join(f", {key}: {kinds[kind]}" for key, (kind, _) in tool.parameters.items())
        head = fill(f"def tool_{tool.name}(self{arguments}) -> str:", self.sketch.words)
        if not self.style.typed:
            head = bare_signature(head)
        body = self.renderer.code(fill(textwrap.dedent(tool.body), self.sketch.words))
        doc = f'    """{fill(tool.description, self.sketch.words)}"""\n' if self.style.docs else ""
        return f"{head}\n{doc}{indented(body)}"

    def _called(self, text: str) -> str:
        """The expression for `name(argument=value)`."""
        name, _, arguments = text.partition("(")
        arguments = arguments[:-1]
        if self.call == "dumps":
            # json.dumps of a dict, written where it is needed.
            return f'"<tool_call>" + json.dumps({{"name": "{name}", "arguments": dict({arguments})}}) + "</tool_call>"'
        word = "tool_call" if self.call == "function" else "self._call"
        return f'{word}("{name}"{", " + arguments if arguments else ""})'

    def _solution(self) -> str:
        text = textwrap.dedent(fill(self.sketch.solution, self.sketch.words)).strip("\n")
        lines = [] if self.form == "generator" else ["calls = []"]
        for line in text.splitlines():
            margin, call, rest = line.partition("CALL ")
            if call:
                made = self._called(rest)
                lines.append(f"{margin}yield {made}" if self.form == "generator" else f"{margin}calls.append({made})")
                continue
            margin, answer, rest = line.partition("ANSWER ")
            lines += [margin + ending for ending in self._ending(rest)] if answer else [line]
        body = self.renderer.code("\n".join(lines))
        returned = {"generator": "Generator", "text": "str"}.get(self.form, "list[str]")
        return self._method("solution", "self", body, returned)

    def _ending(self, value: str) -> list[str]:
        plain = value.strip('"') if value.startswith('"') else "{" + value + "}"
        prefix = "" if value.startswith('"') else "f"
        answer = f'{prefix}"<answer>{plain}</answer>"'
        if self.form == "generator":
            return [f"yield {answer}"]
        if self.form == "text":
            return [f'calls.append({prefix}"ANSWER: {plain}")', 'return "\\n".join(calls)']
        if self.form == "grouped":
            return [
                'replies = ["\\n".join(calls[i : i + 2]) for i in range(0, len(calls), 2)]',
                f"return replies + [{answer}]",
            ]
        return [f"calls.append({answer})", "return calls"]


_CALL_BODY = 'return "<tool_call>" + json.dumps({"name": tool, "arguments": arguments}) + "</tool_call>"'
_SCHEMA_FUNCTION = """
def schema(description, **parameters):
    properties = {name: {"type": kind, "description": text} for name, (kind, text) in parameters.items()}
    return {
        "description": description,
        "parameters": {"type": "object", "properties": properties, "required": list(properties)},
    }
"""


def lay_out_tools(sketch: ToolSketch, rng: random.Random) -> GeneratedSource:
    """The sketch as a source in a style drawn from `rng`."""
    return ToolFrame(sketch, rng).source()
