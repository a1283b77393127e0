"""Lays an answer or interactive sketch out as a source, in one author's style."""

from __future__ import annotations

import random
import re
import textwrap
from dataclasses import replace

from .model import Command, GeneratedSource, Sketch
from .notation import Renderer, fill, indented, single_quoted
from .pieces import BOX_FUNCTION, BOXES, METHOD_DOCS, PARSER_NAMES, PARSERS, draw_class
from .style import Style, draw_style

_DEFAULTS = {"int": "0", "str": '""', "bool": "False", "float": "0.0", "tuple": "()"}
_MODULES = ["random", "re", "math", "itertools", "heapq", "collections", "string", "json"]
_PREFIXES = {"table": ["_cmd_", "_handle_", "_on_"], "getattr": ["do_", "act_", "command_"]}
_ANSWER_FOOTERS = [
    r"Answer as \\boxed{{<<form>>}}. You have {self.max_turns} <<tries>>.",
    r"Reply with \\boxed{{<<form>>}}; {self.max_turns} <<tries>> in all.",
    r"\nFormat: \\boxed{{<<form>>}}\nAttempts: {self.max_turns}",
    r"Put your final answer into a box, as in \\boxed{{<<form>>}} ({self.max_turns} <<tries>>).",
]
_COMMAND_FOOTERS = [
    r"Each turn send one command as \\boxed{{COMMAND}}: <<usage>>. You have {self.max_turns} turns.",
    r"\nCommands: <<usage>>.\nWrite each as \\boxed{{command}}. Turns: {self.max_turns}.",
    r"One boxed command a turn, \\boxed{{...}}, for at most {self.max_turns} turns. You may say: <<usage>>.",
]
_WHOLE_FOOTERS = [
    r"Each turn send \\boxed{{<<form>>}}. You have {self.max_turns} turns.",
    r"\nFormat of a turn: \\boxed{{<<form>>}}. Turns: {self.max_turns}.",
]


class Frame:
    """One source in the making."""

    def __init__(self, sketch: Sketch, rng: random.Random) -> None:
        self.sketch = sketch
        self.rng = rng
        self.style: Style = draw_style(rng)
        self.renderer = Renderer(self.style, sketch.class_name)
        tries = "try" if sketch.max_turns == 1 else rng.choice(["tries", "attempts"])
        sketch.commands = [
            replace(command, verb=fill(command.verb, sketch.words), usage=fill(command.usage, sketch.words))
            for command in sketch.commands
        ]
        usage = ", ".join(command.usage for command in sketch.commands)
        self.words = {**sketch.words, "usage": usage, "tries": tries}
        self.prefix = rng.choice(_PREFIXES.get(self.style.dispatch, [""]))
        self.module_pieces: list[str] = []
        names = {re.match(r"\s*def (\w+)", text).group(1) for text in sketch.functions}  # type: ignore[union-attr]
        taken = names | {"reset", "step", "solution", "hint", "play", "max_turns"}
        assert not taken & set(sketch.fields), taken & set(sketch.fields)

    def source(self) -> GeneratedSource:
        """The finished source."""
        sketch, style = self.sketch, self.style
        methods = self._methods()
        functions = [self.renderer.function(fill(text, self.words)) for text in sketch.functions]
        if style.placing == "module":
            self.module_pieces += functions
        else:
            methods += functions
        body = self._class(methods)
        constants = "\n".join(textwrap.dedent(fill(text, self.words)).strip("\n") for text in sketch.constants)
        pieces = [piece.strip("\n") for piece in [constants, *self.module_pieces, body] if piece.strip()]
        text = "\n\n\n".join(pieces) + "\n"
        # Nobody adds a generator of random numbers to a source that is long already.
        if style.source != "random" and len(text.splitlines()) < 118:
            name = self.rng.choice(["Draws", "Dice", "Lcg", "RandomSource"]) if style.source == "lcg" else "Draws"
            drawn = draw_class(style.source, name, text, self.rng)
            text = f"{drawn}\n\n{text}".replace("NEW_RNG(seed)", f"{name}(0 if seed is None else seed)")
        else:
            text = text.replace("NEW_RNG", "random.Random")
        text = self._imports(text) + text
        if self.rng.random() < 0.2:
            text = f'"""{sketch.class_name}: {fill(sketch.about, self.words)}"""\n\n{text}'
        if style.order % 4 == 0:
            text = single_quoted(text)
        return GeneratedSource(sketch.class_name, text, sketch.contract)

    def _imports(self, text: str) -> str:
        lines = []
        for module in _MODULES:
            if re.search(rf"(?<![\w.]){module}\.\w", text) or module in self.sketch.imports:
                lines.append(f"import {module}")
        if re.search(r"(?<![\w.])np\.", text):
            lines.append("import numpy as np")
        # The words of the contract that need no import are imported by most authors all the same.
        if self.rng.random() < 0.08:
            lines = []
        if "-> Generator" in text:
            lines.append("from typing import Generator")
        if "@dataclass" in text:
            lines.append("from dataclasses import dataclass, field")
        if self.style.parent == "gymnasium":
            lines.append("import gymnasium as gym")
        elif self.style.parent == "gym":
            lines.append("import gym")
        return "\n".join(sorted(lines)) + "\n\n\n" if lines else ""

    def _signature(self, name: str) -> str:
        typed, style = self.style.typed, self.style
        bound = f"max_turns{': int ' if typed else ''}{' = ' if typed else '='}{self.sketch.max_turns}"
        bound = bound.replace("  ", " ")
        options = (", options: dict | None = None" if typed else ", options=None") if style.options else ""
        result = "tuple[str, float, bool, bool, dict]" if style.arity == 5 else "tuple[str, float, bool, dict]"
        first = "str" if style.bare_reset else "tuple[str, dict]"
        table = {
            "__init__": (f"self, {bound}", "None"),
            "reset": (f"self, seed{': int | None = None' if typed else '=None'}{options}", first),
            "step": (f"self, action{': str' if typed else ''}", result),
            "solution": ("self", {"generator": "Generator", "text": "str"}.get(self._solution_form(), "list[str]")),
            "hint": ("self", "str"),
        }
        arguments, returned = table[name]
        return f"def {name}({arguments}){f' -> {returned}' if typed else ''}:"

    def method(self, name: str, body: str) -> str:
        """A method of the contract, with its signature and docstring."""
        doc = f'    """{self.rng.choice(METHOD_DOCS[name])}"""\n' if self.style.docs else ""
        return f"{self._signature(name)}\n{doc}{indented(body)}\n"

    def _methods(self) -> list[str]:
        code = self.renderer.code
        methods = [self.method("reset", self._reset_body())]
        if self.style.task_method:
            methods.append("def _describe(self):\n" + indented(code(self._task()) + "\nreturn text"))
        methods += self._step_methods()
        methods.append(self.method("solution", self._solution()))
        if self.sketch.hint and self.style.hinted:
            hint = fill(self.sketch.hint, self.words)
            methods.append(self.method("hint", f"return {_literal(hint)}"))
        return methods

    def _reset_body(self) -> str:
        style = self.style
        # Gym's own seeding would need its generator, which no text environment uses.
        lines = [f"{style.rng} = NEW_RNG(seed)"]
        if style.state == "dict":
            lines.append(f"self.{style.state_name} = {{}}")
        if style.state == "dataclass":
            lines.append(f"self.{style.state_name} = {self._dataclass()}()")
        lines.append(self.renderer.code(f"S.{style.turn} = 0"))
        lines.append(self.renderer.code(fill(self.sketch.setup, self.words)))
        text = "self._describe()" if style.task_method else "text"
        if not style.task_method:
            lines.append(self.renderer.code(self._task()))
        lines.append(f"return {text}" if style.bare_reset else f"return {text}, {{}}")
        return "\n".join(lines)

    def _task(self) -> str:
        sketch = self.sketch
        footers = _COMMAND_FOOTERS if sketch.commands else _ANSWER_FOOTERS
        if not sketch.commands and sketch.contract == "interactive":
            footers = _WHOLE_FOOTERS
        footer = fill(self.rng.choice(footers), self.words)
        gap = "" if footer.startswith("\\n") else " "
        return textwrap.dedent(fill(sketch.task, self.words)).strip("\n") + f'\ntext += f"{gap}{footer}"'

    def _dataclass(self) -> str:
        name = self.rng.choice(["Episode", "EpisodeState", "State", "TaskState"])
        lines = ["@dataclass", f"class {name}:"]
        for field_name, kind in {self.style.turn: "int", **self.sketch.fields}.items():
            default = _DEFAULTS.get(kind, f"field(default_factory={kind})")
            lines.append(f"    {field_name}: {kind} = {default}")
        self.module_pieces.append("\n".join(lines))
        return name

    def _parse(self) -> tuple[str, list[str]]:
        """The lines that find `content`, and the methods they need."""
        lines = textwrap.dedent(PARSERS[self.style.parser]).strip("\n")
        if self.style.parser_place == "inline":
            return lines, []
        name = self.rng.choice(PARSER_NAMES)
        if self.style.parser_place == "function":
            self.module_pieces.append(f"def {name}(action):\n{indented(lines)}\n    return content\n")
            return f"content = {name}(action)", []
        method = f"def _{name}(self, action):\n{indented(lines)}\n    return content\n"
        return f"content = self._{name}(action)", [method]

    def _step_methods(self) -> list[str]:
        style = self.style
        parse, methods = self._parse()
        body, handlers = self._play()
        body = fill(body, self.words)
        methods += handlers
        count = f"S.{style.turn} += 1"
        form = "COMMAND" if self.sketch.commands else self.words["form"]
        refuse = f'if content is None:\n    => "{self._format_words(form)}"'
        code = self.renderer.code
        if style.flow in ("inline", "finish"):
            step = "\n".join([code(count), code(parse), code(refuse), code(body)])
            methods.append(self.method("step", step))
            if style.flow == "finish":
                methods.append(self._finish())
            return methods
        play = "_play" if style.flow == "triple" else "play"
        late = f"late = not done and {self.renderer.late()}"
        flags = "done, late" if style.arity == 5 else "done or late"
        tail = f"{late}\nreturn text, reward, {flags}, {self.renderer.info()}"
        if style.flow == "base":
            step = code(f"{count}\n{parse}\n") + f"\ntext, reward, done = self.{play}(content)\n" + code(tail)
            self._base(step, methods if style.parser_place == "method" else [])
            if style.parser_place == "method":
                methods = methods[1:]
            play_body = code(refuse) + "\n" + code(body)
            methods.append(f"def {play}(self, content):\n{indented(play_body)}\n")
            return methods
        methods.append(self.method("step", code(f"{count}\ntext, reward, done = self.{play}(action)\n{tail}")))
        play_body = "\n".join([code(parse), code(refuse), code(body)])
        methods.append(f"def {play}(self, action):\n{indented(play_body)}\n")
        return methods

    def _format_words(self, form: str) -> str:
        return self.rng.choice(
            [
                rf"I read only what is in a box: \\boxed{{{form}}}.",
                rf"Invalid format. Use \\boxed{{{form}}}.",
                rf"No boxed text found; write it as \\boxed{{{form}}}.",
            ]
        )

    def _base(self, step: str, parsers: list[str]) -> None:
        name = self.rng.choice(["BoxedTask", "TurnBase", "BaseTask", "Exercise"])
        start = self.method("__init__", "self.max_turns = max_turns\nself.reset()")
        pieces = [start, self.method("step", step), *parsers[:1]]
        self.module_pieces.append(f"class {name}:\n" + "\n".join(indented(piece) for piece in pieces).rstrip())
        self.base_name = name

    def _finish(self) -> str:
        style = self.style
        flags = "done, late" if style.arity == 5 else "done or late"
        body = f"late = not done and {self.renderer.late()}\n"
        if self.rng.random() < 0.5:
            body += 'if late:\n    text += " That was the last turn."\n'
        body += f"return text, reward, {flags}, {self.renderer.info()}"
        return f"def _finish(self, text, reward=0.0, done=False):\n{indented(self.renderer.code(body))}\n"

    def _play(self) -> tuple[str, list[str]]:
        """The body that answers `content`, and the handlers it calls."""
        sketch, style = self.sketch, self.style
        if not sketch.commands:
            return textwrap.dedent(sketch.body).strip("\n"), []
        split = self.rng.choice(
            [
                'words = content.lower().split()\nverb, args = (words[0], words[1:]) if words else ("", [])',
                'verb, *args = content.lower().split() or [""]',
                'words = content.lower().split()\nverb = words[0] if words else ""\nargs = words[1:]',
            ]
        )
        unknown = f'=> f"{sketch.refusal} Commands: <<usage>>."'
        if style.dispatch == "elif_chain":
            lines = [split]
            for command in sketch.commands:
                word = "elif" if len(lines) > 1 else "if"
                lines.append(f'{word} verb == "{command.verb}" and len(args) == {command.arity}:')
                lines.append(indented(textwrap.dedent(command.body).strip("\n")))
            return "\n".join([*lines, unknown]), []
        handlers = [self._handler(command) for command in sketch.commands]
        if style.dispatch == "getattr":
            verbs = ", ".join(f'"{command.verb}"' for command in sketch.commands)
            known = f"handler = getattr(self, '{self.prefix}' + verb) if verb in ({verbs},) else None"
        else:
            table = "".join(f'    "{item.verb}": self.{self.prefix}{item.verb},\n' for item in sketch.commands)
            known = f"handlers = {{\n{table}}}\nhandler = handlers.get(verb)"
        return f"{split}\n{known}\nif handler is None:\n    {unknown}\nreturn handler(args)", handlers

    def _handler(self, command: Command) -> str:
        guard = f'if len(args) != {command.arity}:\n    => "Write it as {command.usage}."\n'
        body = fill(guard + textwrap.dedent(command.body).strip("\n"), self.words)
        return f"def {self.prefix}{command.verb}(self, args):\n{indented(self.renderer.code(body))}\n"

    def _solution_form(self) -> str:
        form = self.style.solution
        if self.sketch.reading:
            return "generator"
        # Text of several actions is read by guessing, so only one-liners of an answer come as text.
        return "list" if form == "text" and not self.sketch.one_action else form

    def _solution(self) -> str:
        form = self._solution_form()
        text = textwrap.dedent(fill(self.sketch.solution, self.words)).strip("\n")
        box = BOXES[self.style.box]
        if self.style.box == "function" and form != "text":
            self.module_pieces.append(BOX_FUNCTION)
        lines = []
        for line in text.splitlines():
            margin, send, expression = line.partition("SEND ")
            if not send:
                lines.append(line)
            elif form == "text":
                lines.append(f"{margin}return {expression}")
            elif form == "generator":
                lines.append(f"{margin}yield {box % expression}")
            elif self.sketch.one_action:
                lines.append(f"{margin}return [{box % expression}]")
            else:
                lines.append(f"{margin}actions.append({box % expression})")
        if form == "list" and not self.sketch.one_action:
            lines = ["actions = []", *lines, "return actions"]
        return self.renderer.code("\n".join(lines))

    def _class(self, methods: list[str]) -> str:
        style, sketch = self.style, self.sketch
        parent = {"gymnasium": "(gym.Env)", "gym": "(gym.Env)", "object": "(object)"}.get(style.parent, "")
        if style.flow == "base":
            parent = f"({self.base_name})"
        else:
            methods = [self.method("__init__", "self.max_turns = max_turns\nself.reset()"), *methods]
        if style.order % 3 == 0:
            random.Random(style.order).shuffle(methods)
        elif style.order % 3 == 1:
            last = methods[1:]
            random.Random(style.order).shuffle(last)
            methods = [methods[0], *last]
        doc = f'    """{fill(sketch.about, self.words)}"""\n\n' if style.docs or style.order % 2 else ""
        return f"class {sketch.class_name}{parent}:\n{doc}" + "\n".join(indented(m.strip("\n")) + "\n" for m in methods)


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def lay_out(sketch: Sketch, rng: random.Random) -> GeneratedSource:
    """The sketch as a source in a style drawn from `rng`."""
    while True:
        source = Frame(sketch, rng).source()
        # Wordy habits on a long task pass what one asks of such an author; draw other habits then.
        if 40 <= len(source.text.splitlines()) <= 150:
            return source
