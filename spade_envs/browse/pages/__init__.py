"""The sections of the page, in the order of its navigation."""

from . import census, curriculum, environment, plays, table

SECTIONS = (table.SECTION, environment.SECTION, plays.SECTION, curriculum.SECTION, census.SECTION)
