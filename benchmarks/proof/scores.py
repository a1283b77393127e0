"""What the judged sources add up to."""

from __future__ import annotations

import dataclasses
import os
import platform
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from .judging import Judged
from .mutants import OPERATORS


@dataclasses.dataclass(frozen=True)
class OperatorScore:
    """How the gate did on one operator's mutants."""

    name: str
    mutants: int
    """Mutants that an oracle shows to be broken."""
    caught: int
    """Refused, or warned of where a warning is what is due."""
    right: int
    """Caught by a rule that may catch it."""
    undecided: int
    smoke: int
    """Refused by the reference's smoke test."""
    variants: int
    """Mutants that nothing shows to be broken."""
    spared: int
    """Of these, admitted."""

    @property
    def recall(self) -> float | None:
        """Share of the broken ones that were caught."""
        return self.caught / self.mutants if self.mutants else None


class Scores:
    """Figures of one run."""

    def __init__(self, judged: Sequence[Judged], jobs: int) -> None:
        self.judged = judged
        self.jobs = jobs
        self.good = [one for one in judged if one.kind == "good"]
        self.variants = [one for one in judged if one.kind == "variant"]
        self.mutants = [one for one in judged if one.kind == "mutant"]
        self.rare = [one for one in judged if one.kind == "rare"]
        self.operators = [self._operator(name) for name in dict.fromkeys(one.operator for one in judged) if name]

    def _operator(self, name: str) -> OperatorScore:
        rules = OPERATORS[name].rules
        mutants = [one for one in self.mutants if one.operator == name]
        variants = [one for one in self.variants if one.operator == name]
        return OperatorScore(
            name,
            len(mutants),
            sum(one.caught(rules) for one in mutants),
            sum(one.caught(rules) and one.right(rules) for one in mutants),
            sum(one.verdict == "undecided" for one in mutants),
            sum(not one.smoke for one in mutants),
            len(variants),
            sum(one.verdict == "admit" for one in variants),
        )

    @property
    def recall(self) -> float:
        """Share of all broken mutants that were caught."""
        return sum(one.caught for one in self.operators) / max(1, len(self.mutants))

    @property
    def smoke_recall(self) -> float:
        """The same for the reference's smoke test."""
        return sum(one.smoke for one in self.operators) / max(1, len(self.mutants))

    def missed(self) -> list[Judged]:
        """Broken mutants that were not caught."""
        return [one for one in self.mutants if not one.caught(OPERATORS[one.operator].rules)]

    def refused(self) -> list[Judged]:
        """Good sources and sound variants that were not admitted."""
        return [one for one in (*self.good, *self.variants) if one.verdict != "admit"]

    def by_rule(self) -> dict[str, int]:
        """How many broken mutants each rule had a finding on, warnings too."""
        counts: Counter[str] = Counter()
        for one in self.mutants:
            counts.update({*one.errors, *one.warnings})
        return dict(counts.most_common())

    def seconds(self) -> dict[str, float]:
        """Seconds per good source, start-up included: median and 95th percentile; and how they split by stage."""
        times = sorted(one.seconds for one in self.good) or [0.0]
        stages = {stage for one in self.good for stage in one.stages}
        split = {stage: sum(one.stages.get(stage, 0.0) for one in self.good) for stage in sorted(stages)}
        return {
            "median": statistics.median(times),
            "95th percentile": times[min(len(times) - 1, int(0.95 * len(times)))],
            "mean": statistics.fmean(times),
            **{f"share of {stage}": spent / max(1e-9, sum(times)) for stage, spent in split.items()},
        }

    def reproductions(self) -> tuple[int, int]:
        """Reproductions that show their fault again, and all that an episode can show."""
        good = sum(one.reproduced for one in self.judged)
        return good, good + sum(len(one.not_reproduced) for one in self.judged)

    def below(self, floors: Mapping[str, float]) -> list[str]:
        """Which floors were missed, in words."""
        said = []
        if self.mutants and self.recall < floors["recall"]:
            said.append(f"recall {self.recall:.1%}, at least {floors['recall']:.0%} is asked for")
        for one in self.operators:
            if one.recall is not None and one.recall < floors["worst operator"]:
                said.append(f"recall of {one.name!r} {one.recall:.0%}, at least {floors['worst operator']:.0%}")
        admitted = sum(one.verdict == "admit" for one in self.good) / max(1, len(self.good))
        if admitted < floors["good admitted"]:
            said.append(f"good sources admitted {admitted:.1%}, at least {floors['good admitted']:.0%}")
        said += [
            f"{one.name} is good and was refused: {'; '.join(one.messages)}"
            for one in self.good
            if one.verdict == "refuse"
        ]
        shown, all_ = self.reproductions()
        if shown < all_:
            said.append(f"{all_ - shown} of {all_} reproductions do not show their fault again")
        return said

    def as_json(self) -> dict[str, object]:
        """Everything but single sources, and those that were judged wrongly."""
        lengths = [one.length for one in self.mutants if one.length is not None]
        shown, all_ = self.reproductions()
        verdicts = {
            kind: Counter(one.verdict for one in self.judged if one.kind == kind) for kind in ("good", "variant")
        }
        return {
            "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
            "good": dict(verdicts["good"]),
            "good_spared_by_smoke_test": sum(one.smoke for one in self.good),
            "variants": dict(verdicts["variant"]),
            "mutants": len(self.mutants),
            "recall": self.recall,
            "recall_of_smoke_test": self.smoke_recall,
            "right_reason": sum(one.right for one in self.operators) / max(1, len(self.mutants)),
            "rare": {"mutants": len(self.rare), "refused": sum(one.verdict == "refuse" for one in self.rare)},
            "reproductions": {"shown_again": shown, "all": all_},
            "median_actions_of_a_counterexample": statistics.median(lengths) if lengths else None,
            "seconds_per_good_source": self.seconds(),
            "operators": [dataclasses.asdict(one) for one in self.operators],
            "findings_by_rule": self.by_rule(),
            "missed": [f"{one.operator}: {one.name}" for one in self.missed()],
            "spared_not": [
                f"{one.operator or 'good'}: {one.name}: {'; '.join(one.messages)}" for one in self.refused()
            ],
        }
