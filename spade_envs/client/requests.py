"""What may be asked of a model. A field that does not exist cannot be sent: servers ignore misspelt ones in silence."""

from __future__ import annotations

import dataclasses
import difflib
import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .failures import RequestFailed, refused


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How tokens are drawn. Every value is sent, so that no default of a server creeps in.

    Raises:
        ClientError: for a value of the wrong type or out of range.
    """

    temperature: float = 1.0
    """0 is greedy."""
    top_p: float = 1.0
    """Smallest set of tokens with this probability, in (0, 1]; 1 keeps all."""
    top_k: int = 0
    """Most probable tokens kept; 0 keeps all."""
    min_p: float = 0.0
    """Least probability, relative to the most probable token, in [0, 1]."""
    repetition_penalty: float = 1.0
    """Above 0; 1 is none."""
    presence_penalty: float = 0.0
    """In [-2, 2]."""
    frequency_penalty: float = 0.0
    """In [-2, 2]."""
    max_tokens: int = 1024
    """Tokens generated at most, for each of the ``n``."""
    min_tokens: int = 0
    """Tokens generated at least."""
    seed: int | None = None
    """Two requests with the same seed draw alike. ``None`` leaves it to the server, and nothing can be repeated."""
    n: int = 1
    """Replies to the same prompt."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply."""
    stop_token_ids: tuple[int, ...] = ()
    """Tokens that end a reply."""
    ignore_eos: bool = False
    """Whether to go on after the end of the sequence."""

    def __post_init__(self) -> None:
        _real("temperature", self.temperature, 0.0, 100.0)
        _real("top_p", self.top_p, 0.0, 1.0)
        _real("min_p", self.min_p, 0.0, 1.0)
        _real("repetition_penalty", self.repetition_penalty, 0.0, 100.0)
        _real("presence_penalty", self.presence_penalty, -2.0, 2.0)
        _real("frequency_penalty", self.frequency_penalty, -2.0, 2.0)
        if self.top_p == 0 or self.repetition_penalty == 0:
            raise refused("top_p and repetition_penalty must be above 0")
        _whole("top_k", self.top_k, 0)
        _whole("max_tokens", self.max_tokens, 1)
        _whole("min_tokens", self.min_tokens, 0, self.max_tokens)
        _whole("n", self.n, 1, 4096)
        if self.seed is not None:
            _whole("seed", self.seed, 0, 2**63 - 1)
        if not isinstance(self.stop, tuple) or not all(isinstance(text, str) and text for text in self.stop):
            raise refused(f"stop must be a tuple of texts that are not empty, not {self.stop!r}")
        check_tokens("stop_token_ids", self.stop_token_ids)
        if type(self.ignore_eos) is not bool:
            raise refused(f"ignore_eos must be True or False, not {self.ignore_eos!r}")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Sampling:
        """Sampling from a configuration file or a command line.

        Raises:
            ClientError: for a name that does not exist, with the nearest one that does.

        >>> Sampling.of({"temperature": 0.6, "stop": ["\\n"]}).stop
        ('\\n',)
        >>> Sampling.of({"tempreature": 0.6})
        Traceback (most recent call last):
        spade_envs.client.failures.RequestFailed: there is no sampling field 'tempreature'; did you mean 'temperatu...
        """
        names = [one.name for one in dataclasses.fields(cls)]
        for name in values:
            if name not in names:
                raise unknown_name("sampling field", str(name), names)
        plain: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
        return cls(**plain)


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool that a model wants, or wanted in an earlier turn."""

    id: str
    """Names the call, so that its result can be told apart."""
    name: str
    """Of the tool; a hostile model may name one that was not offered."""
    arguments: str
    """JSON text as the model wrote it, which may be no JSON."""


@dataclass(frozen=True)
class Message:
    """One message of a chat.

    Raises:
        ClientError: for another role than ``system``, ``user``, ``assistant`` or ``tool``.
    """

    role: str
    content: str
    """Sent with question marks for what UTF-8 cannot write."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an ``assistant`` message."""
    tool_call_id: str | None = None
    """Of a ``tool`` message: which call this answers."""

    def __post_init__(self) -> None:
        roles = ("system", "user", "assistant", "tool")
        if self.role not in roles:
            raise unknown_name("role", str(self.role), roles)
        if not isinstance(self.content, str):
            raise refused(f"the content of a message must be text, not {type(self.content).__name__}")


@dataclass(frozen=True)
class Tool:
    """A tool that a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of its arguments."""
    strict: bool = False
    """Ask the server to draw no arguments that break the schema. Without it vLLM holds them to nothing."""


class Form(enum.StrEnum):
    """What holds a reply to a structure."""

    JSON = "json"
    REGEX = "regex"
    CHOICE = "choice"
    GRAMMAR = "grammar"


@dataclass(frozen=True)
class Structure:
    """What a reply must look like: the server draws no token that breaks it."""

    form: Form
    value: Any
    """A JSON Schema, a regular expression, a tuple of texts, or a grammar in the server's own notation."""

    def __post_init__(self) -> None:
        kinds: dict[Form, type[Any]] = {Form.JSON: Mapping, Form.CHOICE: tuple, Form.REGEX: str, Form.GRAMMAR: str}
        if not isinstance(self.form, Form):
            raise unknown_name("form of a structure", str(self.form), [form.value for form in Form])
        if not isinstance(self.value, kinds[self.form]) or not self.value:
            wanted = {"Mapping": "a JSON Schema", "tuple": "a tuple of texts", "str": "text"}
            found = type(self.value).__name__
            raise refused(f"a structure of form {self.form} needs {wanted[kinds[self.form].__name__]}, not {found}")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What chats and completions have in common."""

    sampling: Sampling = field(default_factory=Sampling)
    model: str | None = None
    """Name of the model or adapter; ``None`` for the client's."""
    structure: Structure | None = None
    logprobs: bool = False
    """Whether to return the log probability of each drawn token."""
    deadline_seconds: float | None = None
    """``None`` for the client's."""

    def _check(self) -> None:
        if not isinstance(self.sampling, Sampling):
            raise refused("sampling must be a Sampling; Sampling.of makes one from a dict")
        if self.deadline_seconds is not None:
            _real("deadline_seconds", self.deadline_seconds, 1e-3, 1e9)


@dataclass(frozen=True, kw_only=True)
class ChatRequest(Asked):
    """Messages, to which the model answers the next one.

    >>> ChatRequest(messages=(Message("user", "Say one."),), sampling=Sampling(seed=1)).sampling.seed
    1
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: str = "auto"
    """``auto``, ``none``, ``required``, or the name of a tool."""
    token_ids: bool = False
    """Whether the reply must hold token ids; refused where a server cannot tell them."""
    template_options: Mapping[str, Any] = field(default_factory=dict)
    """What the model's chat template may be told, such as ``{"enable_thinking": False}``."""

    def __post_init__(self) -> None:
        self._check()
        if not isinstance(self.messages, tuple) or not self.messages:
            raise refused("messages must be a tuple of at least one Message")
        for message in self.messages:
            if not isinstance(message, Message):
                raise refused(f"messages must hold Message objects, not {type(message).__name__}")
        choices = ["auto", "none", "required", *(tool.name for tool in self.tools)]
        if self.tool_choice not in choices:
            raise unknown_name("tool choice", str(self.tool_choice), choices)


@dataclass(frozen=True, kw_only=True)
class TokensRequest(Asked):
    """Token ids, which the model continues: what went in and came out is known to the last token."""

    prompt: tuple[int, ...]
    logprobs: bool = True
    token_ids: bool = True
    """As for :class:`ChatRequest`."""

    def __post_init__(self) -> None:
        self._check()
        check_tokens("prompt", self.prompt)
        if not self.prompt:
            raise refused("prompt must hold at least one token")


def clean(text: str) -> str:
    """``text`` with question marks for what UTF-8 cannot write (lone surrogates), which JSON may smuggle in.

    >>> clean("a\\ud800b")
    'a?b'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def check_tokens(name: str, ids: object) -> None:
    """Refuse what is no tuple of token ids.

    Raises:
        ClientError: for another type, or an id that is no integer in ``range(2**31)``.
    """
    if not isinstance(ids, tuple):
        raise refused(f"{name} must be a tuple of token ids, not {type(ids).__name__}")
    for value in ids:
        if type(value) is not int or not 0 <= value < 2**31:
            raise refused(f"{name} must hold token ids, integers from 0 on, not {value!r}")


def unknown_name(what: str, found: str, allowed: list[str] | tuple[str, ...]) -> RequestFailed:
    """An error that names the nearest of what is allowed."""
    near = difflib.get_close_matches(found, allowed, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return refused(f"there is no {what} {found[:80]!r}; {hint}Allowed: {', '.join(sorted(allowed))}")


def _real(name: str, value: object, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise refused(f"{name} must be a number, not {value!r}")
    if not least <= value <= most:
        raise refused(f"{name} must be from {least:g} to {most:g}, not {value!r}")


def _whole(name: str, value: object, least: int, most: int | None = None) -> None:
    if type(value) is not int:
        raise refused(f"{name} must be an integer, not {value!r}")
    if value < least or (most is not None and value > most):
        raise refused(
            f"{name} must be at least {least}{f' and at most {most}' if most is not None else ''}, not {value}"
        )
