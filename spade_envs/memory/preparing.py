"""All that can be done about sources before the file is locked, of many in a thread while others are inserted."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from ..types import EnvSource, Report, Severity
from .packing import Packer, hash_in, name_of, storable, words_of
from .records import UNCHECKED

TOGETHER = 2000
"""Sources that are added in one transaction, at most."""
FIRST = 250
"""Sources of the first part; each further one may be twice as large, so that the second thread soon has work."""
CHARACTERS = 16 * 1024 * 1024
"""Characters of their texts, after which no more are added in it: sources may be large."""
MOST_STEP = 2**63 - 1


class Prepared(NamedTuple):
    """A source, with a first report or without, as it will stand in the tables; its number is not known yet."""

    columns: tuple[object, ...]
    """Of ``sources``."""
    texts: tuple[object, ...]
    """Of ``texts``."""
    words: str
    report: tuple[str, bytes] | None
    """Verdict and record."""


def prepared(packer: Packer, source: EnvSource, report: Report | None = None) -> Prepared:
    """A source as it will stand in the tables.

    Raises:
        StoreError: for a NaN in the report.
    """
    origin, name = source.origin, name_of(source.text)
    step = None if origin.step is None else max(-MOST_STEP, min(MOST_STEP, origin.step))
    verdict, rule, contract = (UNCHECKED, "", "") if report is None else said(report)
    columns = (
        bytes.fromhex(source.sha256),
        name,
        storable(source.skill),
        contract or storable(source.contract),
        verdict,
        rule,
        *map(storable, (source.made_by, origin.run, origin.scale)),
        step,
        *map(storable, (origin.pool, origin.path, origin.recipe, origin.difficulty)),
        hash_in(source.parent) if source.parent else None,
        storable(source.document),
        _lines(source.text),
    )
    told = map(storable, (source.hint, source.contract, origin.claimed))
    record = None if report is None else (verdict, packer.record(report))
    return Prepared(columns, (packer.packed(source.text), *told), words_of(source, name), record)


def prepared_ahead(
    packer: Packer, remembered: Iterable[tuple[EnvSource, Report | None]]
) -> Generator[list[Prepared], None, None]:
    """Sources in parts of up to :data:`TOGETHER`; while one part is used, the next is prepared in a thread.

    ``remembered`` is read in the thread that asks, one part ahead. An error of it, and one of preparing, is raised
    once the part before has been used. Close this to be sure that no thread is left.

    Raises:
        StoreError: for a NaN in a report.
    """

    def prepare(part: Sequence[tuple[EnvSource, Report | None]]) -> list[Prepared]:
        return [prepared(packer, source, report) for source, report in part]

    parts = _parts(remembered)
    with ThreadPoolExecutor(1, "spade-envs-prepare") as thread:  # which starts with the second part
        ready = prepare(next(parts, []))
        while ready:
            following: Future[list[Prepared]] | None = None
            problem: Exception | None = None
            try:
                if part := next(parts, []):
                    following = thread.submit(prepare, part)
            except Exception as error:
                problem = error
            yield ready
            if problem is not None:
                raise problem
            ready = [] if following is None else following.result()


def _parts(
    remembered: Iterable[tuple[EnvSource, Report | None]],
) -> Iterator[list[tuple[EnvSource, Report | None]]]:
    part: list[tuple[EnvSource, Report | None]] = []
    characters, most = 0, min(FIRST, TOGETHER)
    for source, report in remembered:
        part.append((source, report))
        characters += len(source.text)
        if len(part) == most or characters >= CHARACTERS:
            yield part
            part, characters, most = [], 0, min(2 * most, TOGETHER)
    if part:
        yield part


def said(report: Report) -> tuple[str, str, str]:
    """Verdict, the first rule that did not let the source pass, and contract."""
    first = next((one.rule for one in report.findings if one.severity is not Severity.WARNING), "")
    return report.verdict.value, storable(first), storable(report.contract)


def _lines(text: str) -> int:
    """Lines of a text, as ``wc -l`` and editors count them: a newline ends a line and begins none.

    >>> _lines("x = 1"), _lines("x = 1\\n"), _lines("x = 1\\ny = 2")
    (1, 1, 2)
    """
    return text.count("\n") + (not text.endswith("\n"))
