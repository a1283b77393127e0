"""The designer: a model is asked for environments, what it writes is checked, what passes goes on a shelf.

    documents + memory --Design--> reply --EnvSource--> gate --Report--> findings back, or a hint --> shelf, memory

:func:`design` runs a :class:`DesignPlan`; everything that comes in is in the log of the run, so that a run that was
killed goes on where it was.
"""

from __future__ import annotations

from .lines import Decision
from .plan import DesignPlan, skills_for
from .results import DesignResult, Progress, SlotEnd
from .run import design

__all__ = ["Decision", "DesignPlan", "DesignResult", "Progress", "SlotEnd", "design", "skills_for"]
