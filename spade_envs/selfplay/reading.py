"""Configurations from TOML and back.

Later layers win: a preset, then a file, then flags. What a layer below sets and a layer above leaves without use falls
back to its default; what a file or a flag sets and nothing uses is an error.
"""

from __future__ import annotations

import dataclasses
import json
import re
import textwrap
import tomllib
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import GenericAlias

from ..atomic import explained, read_file, write_new
from .checks import nearest
from .config import Config
from .conflicts import rid_of_unused, unused
from .described import descriptions, sections, settings
from .failures import ConfigError

_WIDTH = 110
_KINDS: Mapping[object, str] = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


@dataclasses.dataclass(frozen=True)
class Setting:
    """One value that somebody gave."""

    name: str
    """``section.field``"""
    value: object
    where: str
    """``line 3 of run.toml``, or the flag."""


def read_settings(path: Path) -> list[Setting]:
    """Everything that a TOML file sets.

    Raises:
        ConfigError: it is no TOML, or has a key that there is not; with the line and the nearest right key.
        StoreError: it cannot be read.
    """
    with explained(f"read {path}"):
        data = read_file(path)
    try:
        text = data.decode()
        tables = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    found = []
    for section, table in tables.items():
        if not isinstance(table, dict) or section not in sections():
            raise ConfigError(_no_section(section, table, _where(path, text, "", section)))
        for field, value in table.items():
            found.append(Setting(f"{section}.{field}", value, _where(path, text, section, field)))
    return found


def with_settings(config: Config, given: Iterable[Setting]) -> Config:
    """The configuration with some values changed; see :meth:`Config.check` for whether they go together.

    Raises:
        ConfigError: there is no such setting, or it cannot have that value; with where it was given.
    """
    for one in given:
        section, _, field = one.name.partition(".")
        kinds = typing.get_type_hints(sections()[section])
        if field not in kinds:
            hint = nearest(field, kinds) or _elsewhere(field)
            raise ConfigError(f"{one.where}: there is no {one.name}; {hint}[{section}] has {', '.join(kinds)}")
        try:
            value = _taken(one.name, kinds[field], one.value)
            changed = dataclasses.replace(getattr(config, section), **{field: value})
        except ConfigError as error:
            raise ConfigError(f"{one.where}: {error}") from None
        config = dataclasses.replace(config, **{section: changed})
    return config


def resolved(config: Config, given: Iterable[Setting]) -> Config:
    """``given`` on top of ``config``, which may be a preset, and checked as a whole.

    Raises:
        ConfigError: as :func:`with_settings`, or the settings do not go together.
    """
    given = list(given)
    config = with_settings(config, given)
    said = {one.name for one in given}
    clean = rid_of_unused(config)
    kept = {name for name in unused(config) if name in said}
    for name in kept:
        section, _, field = name.partition(".")
        value = getattr(getattr(config, section), field)
        clean = dataclasses.replace(clean, **{section: dataclasses.replace(getattr(clean, section), **{field: value})})
    clean.check()
    return clean


def config_text(config: Config) -> str:
    """The whole configuration as TOML, each setting with what it means."""
    said, lines = descriptions(), []
    at = ""
    for section, field in settings():
        if section != at:
            at = section
            lines += ["", f"[{section}]", *_comment(said.get(section, ""))]
        lines += _comment(said.get(f"{section}.{field}", ""))
        lines.append(f"{field} = {toml(getattr(getattr(config, section), field))}")
    return "\n".join(lines).lstrip("\n") + "\n"


def save_config(config: Config, path: Path) -> None:
    """Write :func:`config_text` to a new file.

    Raises:
        StoreError: it cannot be written, or is there already.
    """
    with explained(f"write {path}"):
        write_new(path, config_text(config).encode())


def _taken(name: str, kind: object, value: object) -> object:
    """A value of TOML as a field has it."""
    if isinstance(kind, GenericAlias):
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{name} must be a list, such as {_example(kind)}, not {toml(value)}")
        return tuple(_taken(name, typing.get_args(kind)[0], one) for one in value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ConfigError(f"{name} must be {_KINDS[kind]}, not {toml(value)}")
    return value


def _example(kind: GenericAlias) -> str:
    parts = [part for part in typing.get_args(kind) if part is not Ellipsis]
    return "[" + ", ".join('"..."' if part is str else "0.5" for part in parts) + "]"


def toml(value: object) -> str:
    """A value as TOML, and for messages anything else.

    >>> toml(("a", "b")), toml(1e-6), toml(True), toml(3.0)
    ('["a", "b"]', '1e-06', 'true', '3.0')
    """
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _where(path: Path, text: str, section: str, key: str) -> str:
    """Where a key stands, as well as a look at the lines tells; the file alone where it does not."""
    at = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]+)\]", line):
            at = header[1].strip().strip("\"'")
            if not section and at.partition(".")[0].strip() == key:
                return f"{path} line {number}"
            continue
        match = re.match(r"\s*([^=#\s]+)\s*=", line)
        name = match[1].replace('"', "").replace("'", "") if match else ""
        if name == (key if at == section else f"{section}.{key}"):
            return f"{path} line {number}"
    return str(path)


def _no_section(name: str, value: object, where: str) -> str:
    names = ", ".join(f"[{section}]" for section in sections())
    if not isinstance(value, dict):
        return f"{where}: {name} is outside of a section; {_elsewhere(name)}A file has {names}"
    return f"{where}: there is no section [{name}]; {nearest(name, sections())}A file has {names}"


def _elsewhere(field: str) -> str:
    """Which section has a setting of this name, or of one near to it."""
    by_name = {name: section for section, name in reversed(list(settings()))}
    if field in by_name:
        return f"did you mean [{by_name[field]}] {field}? "
    near = nearest(field, by_name)
    name = near.removeprefix("did you mean ").removesuffix("? ")
    return f"did you mean [{by_name[name]}] {name}? " if near else ""
