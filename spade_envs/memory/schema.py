"""The tables of the memory, and how older files become newer ones."""

from __future__ import annotations

from .draw_tables import DRAW_TABLES
from .facets import FACETS
from .nearness import NEAR_TABLES

VERSION = 2
"""Version of the tables below, kept in ``PRAGMA user_version``. A newer file is refused, an older one is rewritten."""

_SOURCES = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL UNIQUE,                    -- 32 bytes
    name TEXT NOT NULL,
    skill TEXT NOT NULL,
    contract TEXT NOT NULL,                         -- declared, or as the last report found it
    verdict TEXT NOT NULL DEFAULT 'unchecked',      -- of the last report
    rule TEXT NOT NULL DEFAULT '',                  -- first rule of the last report that did not let it pass
    env_id TEXT NOT NULL DEFAULT '',
    made_by TEXT NOT NULL,
    run TEXT NOT NULL,
    scale TEXT NOT NULL,
    step INTEGER,
    pool TEXT NOT NULL,
    path TEXT NOT NULL,
    recipe TEXT NOT NULL,
    difficulty TEXT NOT NULL,
    parent BLOB,                                    -- 32 bytes; text where it is no hash
    document TEXT NOT NULL,
    lines INTEGER NOT NULL,
    seen INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
    probes INTEGER NOT NULL DEFAULT 0,              -- from here on: measuring.summary of the last probes
    pairs INTEGER NOT NULL DEFAULT 0,
    plain REAL,
    regret REAL,
    low REAL,
    high REAL,
    band TEXT NOT NULL DEFAULT 'unprobed'
)
"""

# The number of the row ends every index: rows of one value come in their order.
_INDEXES = """
CREATE INDEX sources_skill ON sources (skill);
CREATE INDEX sources_contract ON sources (contract);
CREATE INDEX sources_verdict ON sources (verdict);
CREATE INDEX sources_made_by ON sources (made_by) WHERE made_by <> '';
CREATE INDEX sources_rule ON sources (rule) WHERE rule <> '';
CREATE INDEX sources_band ON sources (band) WHERE probes > 0;
CREATE INDEX sources_run ON sources (run, step) WHERE run <> '';
CREATE INDEX sources_scale ON sources (scale) WHERE scale <> '';
CREATE INDEX sources_pool ON sources (pool) WHERE pool <> '';
CREATE INDEX sources_document ON sources (document) WHERE document <> '';
CREATE INDEX sources_parent ON sources (parent) WHERE parent IS NOT NULL;
CREATE INDEX sources_env_id ON sources (env_id) WHERE env_id <> '';
CREATE INDEX sources_regret ON sources (low) WHERE probes > 0;
CREATE INDEX sources_hardest ON sources (plain) WHERE probes > 0;
CREATE INDEX sources_seeds ON sources (verdict, skill, contract);
CREATE INDEX sources_best ON sources (verdict, skill, contract, low) WHERE probes > 0;
CREATE INDEX reports_source ON reports (source);
CREATE INDEX probes_source ON probes (source);
CREATE INDEX episodes_source ON episodes (source, hinted);
CREATE INDEX descents_parent ON descents (parent)
"""

_OTHERS = """
CREATE TABLE texts (
    id INTEGER PRIMARY KEY REFERENCES sources (id),
    body BLOB NOT NULL,                             -- UTF-8, compressed; a refused source may hold lone surrogates
    hint TEXT NOT NULL,
    declared TEXT NOT NULL,                         -- contract that its author declared
    claimed TEXT NOT NULL                           -- what its pool says of it, JSON
);
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES sources (id),
    verdict TEXT NOT NULL,
    body BLOB NOT NULL,                             -- JSON, compressed
    seen INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
CREATE TABLE probes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES sources (id),
    model TEXT NOT NULL,
    band TEXT NOT NULL,
    body BLOB NOT NULL,                             -- JSON, compressed
    seen INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
CREATE TABLE episodes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES sources (id),
    hinted INTEGER NOT NULL,
    outcome REAL,
    body BLOB NOT NULL,                             -- JSON, compressed
    seen INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
CREATE TABLE documents (
    identity TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    title TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE descents (                             -- which sources were shown to the designer of which
    child BLOB NOT NULL,                            -- hashes: either may be unknown here
    parent BLOB NOT NULL,
    PRIMARY KEY (child, parent)
) WITHOUT ROWID;
CREATE TABLE counts (
    facet TEXT NOT NULL,
    value TEXT NOT NULL,
    sources INTEGER NOT NULL,
    PRIMARY KEY (facet, value)
) WITHOUT ROWID;
CREATE TABLE dictionaries (
    body BLOB NOT NULL                              -- one row: what everything here is compressed with
);
CREATE VIRTUAL TABLE words USING fts5(word, content='', columnsize=0, detail=none, tokenize='unicode61')
"""


def _counting() -> list[str]:
    """Triggers that keep ``counts`` in step with ``sources``; new rows are counted together, by ``rows.count_new``."""
    up = "INSERT INTO counts VALUES ('{0}', new.{0}, 1) ON CONFLICT DO UPDATE SET sources = sources + 1"
    down = "UPDATE counts SET sources = sources - 1 WHERE facet = '{0}' AND value = old.{0}"
    return [
        f"CREATE TRIGGER counted_{facet} AFTER UPDATE OF {facet} ON sources WHEN old.{facet} <> new.{facet} "
        f"BEGIN {down.format(facet)}; {up.format(facet)}; END"
        for facet in FACETS
    ]


def statements() -> list[str]:
    """Everything that makes an empty memory."""
    parts = ";\n".join((_SOURCES, _OTHERS, NEAR_TABLES, DRAW_TABLES, _INDEXES)).split(";\n")
    # Runs of the index are merged 16 at a time instead of 4: a search looks into a few more of them, filling is faster.
    merging = "INSERT INTO words (words, rank) VALUES ('automerge', 16)"
    # Words of one transaction are sorted at once, not in parts of a mebibyte.
    sorting = "INSERT INTO words (words, rank) VALUES ('hashsize', 8388608)"
    return [*(part.strip() for part in parts), merging, sorting, *_counting()]
