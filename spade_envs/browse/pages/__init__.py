"""The sections of the page, in the order of its navigation."""

from . import census, curriculum, plays, table

SECTIONS = (table.SECTION, plays.SECTION, curriculum.SECTION, census.SECTION)
