"""How a run of the designer looks: a line for every slot that ended, a bar on a terminal, a summary."""

from __future__ import annotations

import json
import sys
from types import TracebackType

from rich.progress import Progress, TaskID
from rich.text import Text

from ..designer import Decision, DesignResult, SlotEnd
from ..designer import Progress as Standing
from ..terminal import shown, tame
from . import screen
from .asking import as_flags

_STYLES = {
    Decision.ADMITTED: "bold green",
    Decision.REFUSED: "bold red",
    Decision.UNDECIDED: "bold yellow",
    Decision.DUPLICATE: "bold cyan",
    Decision.FAILED: "bold magenta",
}


class Shown:
    """Shows a run while it goes on; a context manager.

    Args:
        as_json: print an object for every slot instead.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.told: set[int] = set()
        """Slots whose end was shown."""
        self._json, self._out = as_json, screen.console()
        self._bar: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> Shown:
        if not self._json and sys.stdout.isatty():
            self._bar = screen.progress("Generating", self._out)
            self._task = self._bar.add_task("", total=None, facts="")
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def progress(self, now: Standing) -> None:
        """Show where the run stands."""
        if self._bar is not None:
            facts = f"{now.asked} replies, {now.admitted} admitted, {now.tokens / 1000:,.0f}k tokens"
            self._bar.update(self._task, total=now.slots, completed=now.ended, facts=facts)
        if now.end is not None:
            self.told.add(now.end.slot)
            if self._json:
                print(json.dumps(row(now.end)), flush=True)
            else:
                self._out.print(_line(now.end))


def row(end: SlotEnd) -> dict[str, object]:
    """A slot as one JSON object."""
    return {
        "slot": end.slot,
        "skill": end.skill,
        "contract": end.contract,
        "verdict": end.decision.value,
        "id": end.env_id,
        "sha256": end.sha256,
        "rule": end.rule,
        "message": end.why,
        "hint": end.hint,
        "replies": end.replies,
        "prompt_tokens": end.prompt_tokens,
        "completion_tokens": end.completion_tokens,
    }


def summary(result: DesignResult) -> None:
    """What a run came to."""
    out = screen.console()
    if result.was_over:
        out.print(
            f"This run had been finished before; --seed {result.plan.seed + 1} asks for other environments.",
            style="bold",
        )
    refused = [f"{count} {rule}" for rule, count in result.stopped_by.most_common()]
    repaired = sum(end.repaired for end in result.ends)
    written = sum(end.hint == "written" for end in result.ends)
    facts = [
        ("admitted", f"{result.count(Decision.ADMITTED)} of {result.plan.count}, {repaired} of them after a repair"),
        ("hints", f"{written} written" if result.plan.hints else "none wanted"),
        ("duplicates", str(result.count(Decision.DUPLICATE) or "")),
        ("undecided", str(result.count(Decision.UNDECIDED) or "")),
        ("failed", str(result.count(Decision.FAILED) or "")),
        ("stopped by", ", ".join(refused)),
        ("tokens", f"{result.prompt_tokens:,} of prompts, {result.completion_tokens:,} of replies"),
        ("log", str(result.log)),
    ]
    for name, value in facts:
        if value:
            out.print(f"  {name:<11}", style="dim", end="")
            out.print(shown(value))
    if result.count(Decision.FAILED):
        out.print(_advice(result), style="bold")


def exit_code(result: DesignResult) -> int:
    """3 when a slot failed, else 1 when none was admitted, else 0."""
    if result.count(Decision.FAILED):
        return 3
    return 0 if result.count(Decision.ADMITTED) else 1


def _advice(result: DesignResult) -> str:
    too_long = sum(end.rule == "request.context" for end in result.ends)
    if too_long == result.count(Decision.FAILED):
        return (
            "The prompts that failed do not fit into the model's context: lower --max-tokens, --document-tokens, "
            "--memory-seeds or --seed-tokens, or serve the model with a longer context."
        )
    spent = sum(end.rule == "request.budget" for end in result.ends)
    if spent == result.count(Decision.FAILED):
        return "The budget was used up: run the same command again with a larger --token-budget, or with none."
    return "Some failed: run the same command again, it asks for nothing twice."


def _line(end: SlotEnd) -> Text:
    """``REFUSED    slot 3  causal-inference  static.imports: ...``."""
    line = Text(f"{end.decision.value.upper():<10} ", style=_STYLES[end.decision])
    line.append(f"slot {end.slot}  {end.skill} {end.contract}  ")
    if end.decision is Decision.ADMITTED:
        line.append(tame(end.env_id), style="bold")
        return line
    line.append(tame(end.rule), style="bold")
    return line.append(": ").append(shown(as_flags(" ".join(end.why.split())), limit=300))
