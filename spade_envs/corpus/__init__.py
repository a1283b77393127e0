"""The corpus: documents that a designer is asked to build environments on.

``Corpus.open(path)`` reads ``.jsonl``, ``.jsonl.zst``, ``.parquet``, ``.txt`` and ``.md``, whatever their size; without
a path it gives the documents that come with the package. :class:`Sampler` draws from it, :func:`truncated` cuts what
does not fit.
"""

from .documents import CorpusReport, Document
from .reading import Corpus
from .sampling import Sampler, SamplerState
from .truncation import Truncated, token_counter, truncated

__all__ = [
    "Corpus",
    "CorpusReport",
    "Document",
    "Sampler",
    "SamplerState",
    "Truncated",
    "token_counter",
    "truncated",
]
