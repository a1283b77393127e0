"""The sections of the page, in the order of its navigation."""

from . import environment, table

SECTIONS = (table.SECTION, environment.SECTION)
