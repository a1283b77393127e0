"""One environment instance inside the worker: construction, calls, and what its ``solution()`` says."""

from __future__ import annotations

import decimal
import itertools
import json
import types
from collections.abc import Iterator
from types import CodeType
from typing import Any

from . import names
from .answers import Broke, Cleaner, ordinary, plain_start
from .columns import row
from .copies import States
from .namespace import Namespace
from .source import TOOL_BASE, choose

DEFAULT_TURNS = 10
MOST_ACTIONS = 2000
LONGEST_ACTION = 64 * 1024
_TURN = ("observation", "reward", "terminated", "truncated", "info", "repairs")


class Instance:
    """A constructed environment in a namespace of its own."""

    def __init__(self, code: CodeType, options: dict[str, Any]) -> None:
        self._code = code
        self._options = options
        self._longest: int = options["observation_bytes"]
        self.namespace = Namespace(options["output_bytes"], language=options["language"])
        self.namespace.streams.restart(0)
        self.context = decimal.Context()
        self.enter()
        self.namespace.run(_own(code))
        self.cls = self._resolve()
        self.env = self._construct(options.get("max_turns"))
        self.is_tool_base = isinstance(self.env, self.namespace.tool_base())
        """Whether the class derives from :data:`TOOL_BASE`."""
        self._first_context = self.context.copy()
        self.generator: Any = None
        self._used_twin: Instance | None = None
        self._states = States(self.namespace.globals)
        self.executes = False
        """Whether tool calls go to ``execute_tool`` instead of ``step``."""
        self.together = False
        """Whether ``step`` takes all tool calls of a turn at once."""

    def enter(self) -> None:
        """Make the process-wide state of the standard library this instance's own, before its code runs."""
        decimal.setcontext(self.context)

    def twin(self) -> Instance:
        """Another instance of the same source, made the same way."""
        return Instance(self._code, self._options)

    def cleaner(self) -> Cleaner:
        """A cleaner with this instance's limits."""
        return Cleaner(self._longest)

    # -- construction --------------------------------------------------------------------------------------

    def _resolve(self) -> type:
        chains: dict[str, list[str]] = {}
        classes: dict[str, type] = {}
        for value in list(self.namespace.globals.values()):
            if isinstance(value, type) and value.__module__ == names.SANDBOX_MODULE and value.__name__ != TOOL_BASE:
                own = [base for base in value.__mro__ if base.__module__ == names.SANDBOX_MODULE]
                if all(any(method in vars(base) for base in own) for method in ("reset", "step")):
                    chains[value.__name__] = [base.__name__ for base in own]
                    classes[value.__name__] = value
        if not self._options["language"]:
            self._add_plain(chains, classes)
        chosen = choose(chains, {name for name, cls in classes.items() if hasattr(cls, "solution")})
        if len(chosen) != 1:
            found = ", ".join(chosen) or "none"
            raise Broke("class", f"exactly one class with reset() and step() is needed; found: {found}")
        return classes[chosen[0]]

    def _add_plain(self, chains: dict[str, list[str]], classes: dict[str, type]) -> None:
        for value in list(self.namespace.globals.values()):
            if isinstance(value, type) and hasattr(value, "reset") and hasattr(value, "step"):
                chains.setdefault(value.__name__, [base.__name__ for base in value.__mro__])
                classes.setdefault(value.__name__, value)
        chains.pop(TOOL_BASE, None)

    def _construct(self, max_turns: int | None) -> Any:
        takes, required = _parameters(self.cls)
        if max_turns is None and "max_turns" in required:
            max_turns = DEFAULT_TURNS
        missing = required - {"max_turns"}
        if missing:
            needed = ", ".join(sorted(missing))
            raise Broke("class", f"{self.cls.__name__}() must need no arguments but max_turns; it needs {needed}")
        if max_turns is None:
            return self.cls()
        if takes:
            return self.cls(max_turns=max_turns)
        env = self.cls()
        if self._own_max_turns(env) is not None:
            env.max_turns = max_turns
        return env

    @staticmethod
    def _own_max_turns(env: Any) -> int | None:
        value = getattr(env, "max_turns", None)
        return value if type(value) is int and 0 < value < 100_000 else None

    # -- calls ---------------------------------------------------------------------------------------------

    def reset(self, seed: int, *, again: bool = False) -> dict[str, Any]:
        """Reset with a seed; the instance's streams restart first.

        With ``again`` an episode that was begun so before begins from a copy of its state, where there can be one.
        """
        self.generator = None
        if again and (kept := self._states.take(seed, self.namespace.streams)) is not None:
            self.env, self.context, answer = kept
            self.namespace.streams.strict_output = False
            return answer
        self.context = self._first_context.copy()
        self.enter()
        self.namespace.streams.restart(seed)
        if self.is_tool_base:
            # Authors forget these in reset(); a second episode must start like a first.
            self.env.turn_count = 0
            self.env._call_history = []
            self.env._current_msg = 0
        given = self._call_reset(seed)
        repairs: list[str] = []
        if (start := plain_start(given, self._longest)) is None:
            start = (cleaner := self.cleaner()).reset(given)
            repairs = sorted(cleaner.repairs)
        self.namespace.streams.strict_output = False
        tools = self.tools()
        answer = {
            "observation": start[0],
            "info": start[1],
            "tools": tools,
            "tool_base": self.is_tool_base,
            "max_turns": self._own_max_turns(self.env),
            "repairs": repairs,
        }
        if again:
            self._states.keep(seed, self.env, self.namespace.streams, self.context, answer)
        return answer

    def _call_reset(self, seed: int) -> Any:
        accepts = _accepts_keyword(self.env.reset, "seed")
        if accepts:
            return self.env.reset(seed=seed)
        return self.env.reset()

    def tools(self) -> list[Any]:
        """OpenAI tool schemas, empty for environments without tools."""
        if not callable(getattr(self.env, "get_tools", None)):
            return []
        offered = self.env.get_tools()
        if type(offered) not in (list, tuple):
            return []
        cleaned = self.cleaner().json(list(offered))
        return cleaned if isinstance(cleaned, list) else []

    def step(self, action: str, calls: list[str]) -> dict[str, Any]:
        """One turn. Several tool calls go one by one to environments that read only one per step."""
        values = self.turn(action, calls)
        if len(values) == 3:
            values = [*values[:2], False, False, values[2], []]
        return dict(zip(_TURN, values, strict=True))

    def turn(self, action: str, calls: list[str], names: list[str] | None = None) -> list[Any] | tuple[Any, ...]:
        """The values of :meth:`step` in order; of a turn that ended nothing and was plain (``ordinary``), as most are,
        those that differ: observation, reward and info. Where its info tells just the keys in ``names``, a
        ``columns.row`` instead."""
        decimal.setcontext(self.context)  # as enter() does
        if calls and self.executes:
            result = self._execute(calls, cleaner := self.cleaner())
        elif len(calls) > 1 and not self.is_tool_base and not self.together:
            result = self._each(calls, cleaner := self.cleaner())
        else:
            given = self.env.step(action)
            if names is not None and (taken := row(given, self._longest, names)) is not None:
                return taken
            if (values := ordinary(given, self._longest)) is not None:
                return values
            result = (cleaner := self.cleaner()).step(given)
        observation, reward, terminated, truncated, info = result
        return [observation, reward, terminated, truncated, info, sorted(cleaner.repairs)]

    def _each(self, calls: list[str], cleaner: Cleaner) -> tuple[str, float, bool, bool, dict[str, Any]]:
        texts = []
        result: tuple[str, float, bool, bool, dict[str, Any]] = ("", 0.0, False, False, {})
        for call in calls:
            result = cleaner.step(self.env.step(call))
            texts.append(result[0])
            if result[2] or result[3]:
                break
        return (cleaner.text("\n".join(texts)), *result[1:])

    def _execute(self, calls: list[str], cleaner: Cleaner) -> tuple[str, float, bool, bool, dict[str, Any]]:
        texts = []
        for call in calls:
            name, arguments = _parsed(call)
            if name is None:
                texts.append('Error: a tool call must be JSON with "name" and "arguments".')
                continue
            result = self.env.execute_tool(name, arguments)
            output = result.get("output", "") if isinstance(result, dict) else result
            texts.append(cleaner.text(output if isinstance(output, str) else json.dumps(output, default=str)))
        return cleaner.text("\n".join(texts)), 0.0, False, False, {}

    def hint(self) -> str:
        """The author's ``hint()``, or an empty string."""
        self.enter()
        if not callable(getattr(self.env, "hint", None)):
            return ""
        return self.cleaner().text(self.env.hint(), "hint")

    # -- the author's solution -------------------------------------------------------------------------------

    def solution(self, seed: int, *, used: bool = False) -> dict[str, Any]:
        """What ``solution()`` says for ``seed``, asked of a twin because it may change state.

        The twin is new, or with ``used`` the one that was asked before, as training reuses instances. A generator
        shares the played instance: it is kept, and :meth:`advance` drives it.
        """
        if not callable(getattr(self.env, "solution", None)):
            return {"kind": "none"}
        twin = self._used_twin if used and self._used_twin is not None else self.twin()
        self._used_twin = twin if used else None
        twin.reset(seed)
        answer = twin.env.solution()
        if isinstance(answer, types.GeneratorType):
            answer.close()
            self.generator = self.env.solution()
            return {"kind": "generator"}
        expected = getattr(twin.env, "_expected_answer", None)
        cleaner = self.cleaner()
        if answer is None:
            return {"kind": "none"}
        if isinstance(answer, Iterator):
            answer = list(itertools.islice(answer, MOST_ACTIONS))
        if isinstance(answer, (list, tuple)):
            actions = [self._action_text(item, cleaner) for item in list(answer)[:MOST_ACTIONS]]
            return {"kind": "list", "actions": actions}
        text = answer if isinstance(answer, str) else str(answer)
        return {
            "kind": "text",
            "text": cleaner.text(text, "solution"),
            "expected": None if expected is None else cleaner.text(str(expected), "solution"),
        }

    def _action_text(self, item: Any, cleaner: Cleaner) -> str:
        if isinstance(item, dict):
            call = {"name": item.get("name"), "arguments": item.get("arguments", {})}
            return cleaner.text(f"<tool_call>{json.dumps(call)}</tool_call>", "solution")
        if type(item) in (int, float):
            return str(item)
        return cleaner.text(item, "solution")

    def advance(self, observation: str | None) -> dict[str, Any]:
        """The generator's next action; ``None`` starts it."""
        self.enter()
        if self.generator is None:
            return {"action": None}
        try:
            plain = observation is None or not hasattr(_innermost(self.generator), "send")
            action = next(self.generator) if plain else self.generator.send(observation)
        except StopIteration:
            self.generator = None
            return {"action": None}
        return {"action": self._action_text(action, self.cleaner())}


def _own(code: CodeType) -> CodeType:
    """A copy of code and of all code in it. The interpreter notes within code what it has found there, which is of no
    use where instances share it, since each has its own classes and globals: measured, many then take a fifth longer.
    """
    return code.replace(co_consts=tuple(_own(one) if isinstance(one, CodeType) else one for one in code.co_consts))


def _innermost(generator: Any) -> Any:
    """Where a ``send`` would arrive: ``yield from [...]`` delegates to an iterator that takes none."""
    while isinstance(generator, types.GeneratorType) and generator.gi_yieldfrom is not None:
        generator = generator.gi_yieldfrom
    return generator


def _parsed(call: str) -> tuple[str | None, dict[str, Any]]:
    """Name and arguments of a tool call; ``None`` for one that is none."""
    try:
        data = json.loads(call.removeprefix("<tool_call>").removesuffix("</tool_call>"))
    except (ValueError, RecursionError):
        return None, {}
    name, arguments = (data.get("name"), data.get("arguments")) if isinstance(data, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(arguments, (dict, type(None))):
        return None, {}
    return name, arguments or {}


def function_of(method: Any) -> Any:
    """The Python function behind a method, or ``None``."""
    function = getattr(method, "__func__", method)
    function = getattr(function, "__wrapped__", function) if isinstance(function, types.FunctionType) else function
    return function if isinstance(function, types.FunctionType) else None


def _parameters(cls: type) -> tuple[bool, set[str]]:
    """Whether ``cls()`` takes ``max_turns``, and which parameters it requires. Runs nothing of the class."""
    initialise = function_of(cls.__init__)  # type: ignore[misc]  # looked up on the class on purpose
    if initialise is None:
        return False, set()
    code = initialise.__code__
    count = code.co_argcount
    positional = code.co_varnames[1:count]
    optional = len(initialise.__defaults__ or ())
    keyword_only = code.co_varnames[count : count + code.co_kwonlyargcount]
    required = set(positional[: max(0, len(positional) - optional)])
    required |= set(keyword_only) - set(initialise.__kwdefaults__ or {})
    takes_any = bool(code.co_flags & 0x08)
    return takes_any or "max_turns" in positional + keyword_only, required


def _accepts_keyword(method: Any, name: str) -> bool:
    function = function_of(method)
    if function is None:
        return True
    code = function.__code__
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return name in named or bool(code.co_flags & 0x08)
