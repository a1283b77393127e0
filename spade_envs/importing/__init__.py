"""Released pools of environments, read as candidates: checked, counted, and admitted where they pass.

What the memory knows of them later is told by :func:`spade_envs.importing.census.census`.
"""

from .census import Blamed, Census, Counting, Steps, Tally, Trouble
from .pools import Candidate, Pool
from .problems import Problem, ProblemKind
from .run import ImportPlan, Judged, PoolImport, census_of

__all__ = [
    "Blamed",
    "Candidate",
    "Census",
    "Counting",
    "ImportPlan",
    "Judged",
    "Pool",
    "PoolImport",
    "Problem",
    "ProblemKind",
    "Steps",
    "Tally",
    "Trouble",
    "census_of",
]
