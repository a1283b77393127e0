"""A flag for every setting of a run, such as ``--run.seed 3``, made from the configuration's own sections."""

from __future__ import annotations

import dataclasses
import functools
import typing
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from ..selfplay.described import descriptions, sections
from ..selfplay.reading import Setting, toml
from .whole import whole


def _flag(section: str, field: dataclasses.Field[Any], kind: object, group: Group) -> object:
    """Annotation of one flag: its value, or ``None`` where it is not given."""
    about = descriptions().get(f"{section}.{field.name}", "")
    help_text = f"{about} [{_shown(field.default)}]"
    made = functools.partial(Parameter, help=help_text, group=group, show_default=False, negative_iterable="")
    parameter = made(converter=whole) if kind is int else made()
    return Annotated[typing.Optional[kind], parameter]  # noqa: UP045  # a type known at run time only


def _shown(default: object) -> str:
    """A default in a few words."""
    if isinstance(default, tuple):
        return " ".join(map(str, default)) or "none"
    return default or "empty" if isinstance(default, str) else toml(default)


def _flags_of(section: str, kind: type, order: int) -> type:
    about = descriptions().get(section, "")
    group = Group(f"{section}: {about}", sort_key=order)
    kinds = typing.get_type_hints(kind)
    fields = [(one.name, _flag(section, one, kinds[one.name], group), None) for one in dataclasses.fields(kind)]
    made = dataclasses.make_dataclass(f"{section.capitalize()}Flags", fields, frozen=True)
    made.__module__ = __name__  # else they would count as built in, and have no flags
    return made


def _all() -> type:
    parts = {name: _flags_of(name, kind, order) for order, (name, kind) in enumerate(sections().items(), 1)}
    made = dataclasses.make_dataclass(
        "SettingFlags", [(name, part, part()) for name, part in parts.items()], frozen=True
    )
    made.__module__ = __name__
    return made


if TYPE_CHECKING:
    SettingFlags = Any
else:
    SettingFlags = _all()
    """Dataclass with one dataclass per section, whose fields are ``None`` where a flag is not given."""

NO_FLAGS: Any = _all()() if TYPE_CHECKING else SettingFlags()
"""None is given."""


def given(flags: Any) -> list[Setting]:
    """The settings that flags were given for.

    >>> given(NO_FLAGS)
    []
    """
    found = []
    for section in sections():
        part = getattr(flags, section)
        for field in dataclasses.fields(part):
            value = getattr(part, field.name)
            if value is not None:
                name = f"{section}.{field.name}"
                found.append(Setting(name, value, f"--{name.replace('_', '-')}"))
    return found
