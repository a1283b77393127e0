"""``lineage``, and what the memory knows around one source: relatives, neighbours, episodes."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from ..admission import together
from ..codec import to_json
from ..errors import StoreError
from ..fingerprints import fingerprint
from ..memory.lineage import family
from ..memory.looking import everything
from ..memory.records import Everything, Family, Relative, Row
from ..store import search_path
from ..terminal import shown, tame
from ..types import EnvSource, Episode, Neighbour
from . import screen
from .listing import regret_text, verdict_text
from .naming import memory_path, named, remembered
from .whole import Whole

SHOWN_RELATIVES = 24
"""Relatives that ``show`` draws; ``lineage`` draws more."""


@dataclasses.dataclass(frozen=True)
class Around:
    """What the memory knows of a source and of those around it."""

    everything: Everything
    family: Family
    neighbours: tuple[Neighbour, ...]
    """Those on shelves with the same code, and admitted ones with nearly the same, the nearest first."""
    episodes: tuple[Episode, ...]
    document: str
    """Title of the document it was grounded on, where the memory was told."""


def around(sha256: str) -> Around | None:
    """What the memory knows of a source; ``None`` without a memory. One that cannot be read hides no card."""
    if not memory_path().exists():
        return None
    try:
        with remembered() as memory:
            known = everything(memory, sha256)
            if known is None:
                return None
            document = memory.document(known.source.document) if known.source.document else None
            return Around(
                known,
                family(memory, sha256, most=SHOWN_RELATIVES),
                together(_same_code(known.source), memory.neighbours(known.source)),
                memory.episodes(sha256),
                " ".join(filter(None, document)) if document is not None else known.source.document,
            )
    except StoreError as error:
        print(f"spade-envs: {tame(str(error))}", file=sys.stderr)
        return None


def _same_code(source: EnvSource) -> tuple[Neighbour, ...]:
    """What on the shelves has the same code apart from comments and layout."""
    code = fingerprint(source.text)
    same = [entry for shelf in search_path() for entry in shelf.same_code(code) if entry.sha256 != source.sha256]
    return tuple(Neighbour(entry.sha256, 1.0, entry.env_id) for entry in same)


def show_around(known: Around, label: str, out: Console) -> None:
    """Relatives, neighbours and episodes, where there are any."""
    if known.document:
        out.print()
        out.print(Text("Document  ", style="bold").append(shown(known.document, limit=300)))
    if known.family.ancestors or known.family.descendants:
        out.print()
        out.print(tree(known.family, known.everything.row, label))
    show_nearest(known.neighbours, out)
    if known.episodes:
        won = sum(episode.success for episode in known.episodes)
        out.print()
        count = "1 episode is" if len(known.episodes) == 1 else f"{len(known.episodes)} episodes are"
        out.print(f"{count} kept, {won} won; --episode shows the newest", style="dim")


def show_nearest(neighbours: Sequence[Neighbour], out: Console) -> None:
    """Similar sources, where there are any."""
    if neighbours:
        out.print()
        out.print("Nearest", style="bold")
    for near in neighbours:
        out.print(shown(f"  {near.similarity:.2f}  {near.name or near.sha256[:12]}"))


def lineage(
    name: Annotated[str, Parameter(name="ID")],
    /,
    *,
    most: Whole = 200,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Show what a source descends from and what descends from it, with verdicts and regrets.

    A source descends from the one that it repairs, and from those that its designer was shown.

    Examples:

      spade-envs lineage env-1001
      spade-envs lineage 3fa9c1d2 --json

    Args:
        name: An id, or at least 6 digits of a hash.
        most: Relatives at most.
        as_json: One JSON object.
    """
    if most < 1:
        raise ValueError(f"--most must be at least 1, not {most}")
    found = named(name)
    with remembered() as memory:
        known = everything(memory, found.source.sha256)
        if known is None:
            raise StoreError(
                f"the memory does not know {found.label}: nothing is known of its lineage; `spade-envs memory rebuild`"
                " adds what is on the shelves"
            )
        relatives = family(memory, found.source.sha256, most=most)
    if as_json:
        print(json.dumps({"id": known.row.env_id, "sha256": known.row.sha256, **to_json(relatives)}))
        return 0
    out = screen.console()
    out.print(tree(relatives, known.row, found.label))
    if not relatives.complete:
        out.print(f"There are more than {most}; --most shows more of them.")
    return 0


def tree(relatives: Family, row: Row, label: str) -> Tree:
    """Both directions from a source, each relative below the one that it is known by."""
    root = Tree(_label(row, shown(label, "bold")), guide_style="dim")
    for title, some in (("descends from", relatives.ancestors), ("leads to", relatives.descendants)):
        if some:
            _grow(root.add(Text(title, style="dim")), row.sha256, some)
        else:
            root.add(Text(f"{title} nothing that is known", style="dim"))
    return root


def _grow(root: Tree, start: str, relatives: Sequence[Relative]) -> None:
    """Hang every relative below the one it is known by; those are one step nearer, and come first."""
    branches = {start: root}
    for one in sorted(relatives, key=lambda relative: relative.depth):
        kind = "" if one.kind == "parent" else f"  ({tame(one.kind)})"
        text = (
            _label(one.row) if one.row is not None else shown(f"{one.sha256[:12]}  not in the memory", "dim")
        ).append(kind, style="dim")
        branch = branches.get(one.via, root).add(text)
        branches.setdefault(one.sha256, branch)


def _label(row: Row, label: Text | None = None) -> Text:
    text = label or shown(row.env_id or row.sha256[:12], "bold")
    text = text.append(shown(f"  {row.name}  ", "cyan")).append(verdict_text(row))
    return text.append(shown(f"  {regret_text(row)}", "dim")) if row.measured is not None else text
