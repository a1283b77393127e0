"""``corpus``: what is in a corpus."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from ..codec import to_json
from ..corpus import Corpus, CorpusReport, Document, Sampler, token_counter
from ..encodings import CHARACTERS_PER_TOKEN, ENCODINGS, encoding
from ..terminal import shown
from . import screen
from .whole import Whole

COUNTED = 200
"""Documents whose tokens are counted."""
LOOKED_AT = 100_000
"""Tokens of a document that are counted at most."""
TITLES = 5
SHOWN = 4000
"""Characters of a document that are printed."""


@dataclass(frozen=True)
class Tokens:
    """How long documents are, in tokens of ``encoding``, or in ``bytes`` where no encoding is at hand."""

    encoding: str
    counted: int
    least: int
    median: int
    most_of_90_percent: int
    most: int


def corpus(
    path: Path | None = None,
    /,
    *,
    sample: Whole = 0,
    seed: Whole = 0,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Show what a corpus holds: its documents, their length, what was skipped and why; or some of the documents.

    Without PATH it is the corpus that comes with the package.

    Examples:

      spade-envs corpus
      spade-envs corpus my-documents/
      spade-envs corpus rows.jsonl.zst --sample 3 --seed 7
      spade-envs corpus --sample 1 --json | jq -r .text

    Args:
        path: A .jsonl, .jsonl.zst, .parquet, .txt or .md file, or a folder of them.
        sample: Print so many documents, at most as many as there are.
        seed: Which ones.
        as_json: One JSON object; with --sample one per document, each on its own line.
    """
    if sample < 0:
        raise ValueError(f"--sample must be at least 0, not {sample}")
    opened = Corpus.open(path)
    sampler = Sampler(opened, seed)
    if sample:
        for _ in range(min(sample, len(opened))):
            _print_document(next(sampler), as_json=as_json)
        return 0
    documents = [next(sampler) for _ in range(min(COUNTED, len(opened)))]
    tokens = _measured(documents)
    titles = [document.title for document in documents[:TITLES]]
    if as_json:
        facts = {"path": str(opened.path), "fingerprint": opened.fingerprint, **to_json(opened.report)}
        print(json.dumps({**facts, "tokens": to_json(tokens), "titles": titles}))
        return 0
    out = screen.console()
    out.print(shown(str(opened.path), "bold"))
    for name, value in _facts(opened.report, tokens):
        out.print(f"  {name:<10}", style="dim", end="")
        out.print(shown(value))
    for example in opened.report.examples:
        out.print(shown(f"            {example}", limit=300))
    out.print("  such as", style="dim")
    for title in titles:
        out.print(shown(f"            {title}"))
    return 0


def _print_document(document: Document, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"name": document.name, "sha256": document.sha256, "text": document.text}))
        return
    out = screen.console()
    out.print(shown(document.name, "bold"))
    out.print(shown(document.text.rstrip("\n"), limit=SHOWN))
    out.print()


def _measured(documents: list[Document]) -> Tokens:
    name = ENCODINGS[0]
    count = token_counter(name)
    # Counting a hostile text whole may take very long.
    counts = np.array([count(document.text[: LOOKED_AT * CHARACTERS_PER_TOKEN]) for document in documents])
    low, middle, high, top = (int(value) for value in np.percentile(counts, (0, 50, 90, 100)))
    return Tokens(name if encoding(name) is not None else "bytes", len(documents), low, middle, high, top)


def _facts(report: CorpusReport, tokens: Tokens) -> list[tuple[str, str]]:
    unit = "bytes" if tokens.encoding == "bytes" else f"{tokens.encoding} tokens"
    scope = "" if tokens.counted == report.documents else f", in a sample of {tokens.counted}"
    skipped = [f"{one.rows:,} {one.reason}" for one in report.skipped]
    facts = [
        ("kind", ", ".join(report.kinds)),
        ("files", f"{report.files:,}, {report.bytes:,} bytes"),
        ("documents", f"{report.documents:,}"),
        (
            "length",
            f"{tokens.least:,} to {tokens.most:,} {unit}, half up to {tokens.median:,}, "
            f"nine of ten up to {tokens.most_of_90_percent:,}{scope}",
        ),
        ("fields", ", ".join(report.fields) and f"{', '.join(report.fields)}, in rows without a text"),
        ("aside", f"{report.passed_over:,} text files beside files of rows" if report.passed_over else ""),
        ("skipped", ", ".join(skipped)),
    ]
    return [(name, value) for name, value in facts if value]
