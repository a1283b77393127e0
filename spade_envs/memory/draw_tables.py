"""Tables of what was drawn from the memory, for whom."""

DRAW_TABLES = """
CREATE TABLE draws (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    strategy TEXT NOT NULL,
    skill TEXT NOT NULL,
    contract TEXT NOT NULL,
    seed INTEGER NOT NULL,
    run TEXT NOT NULL,
    slot INTEGER,
    seen INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
CREATE TABLE drawn (                                -- which sources a draw showed
    draw INTEGER NOT NULL REFERENCES draws (id),
    place INTEGER NOT NULL,                         -- in the order in which they are shown
    source INTEGER NOT NULL REFERENCES sources (id),
    role TEXT NOT NULL,                             -- positive or negative
    PRIMARY KEY (draw, place)
) WITHOUT ROWID;
CREATE INDEX draws_skill ON draws (skill);
CREATE INDEX drawn_source ON drawn (source);
CREATE INDEX sources_paper ON sources (verdict, skill, regret, plain) WHERE probes > 0
"""
"""Tables and indexes of the draws; ``sources_paper`` is what the paper's rule reads along."""
