"""``probe``: regret, measured with a model."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Annotated

from cyclopts import Parameter
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from ..asynchronous import AsyncEnvs
from ..atomic import explained
from ..client import Client, Counters, RequestFailed
from ..codec import to_json
from ..hinting import HintError, write_hint
from ..memory import SqliteMemory
from ..memory.rows import KEPT_EPISODES
from ..probe import NO_HINT, Probed, ProbePlan, Subject, has_hint, missing_reasons, probe_many
from ..probe_records import keep_episodes, probed_before, remember
from ..sandbox.host import BoxOptions
from ..seeds import derive_seed
from ..sequential import credit
from ..terminal import shown, tame
from ..types import Episode, Isolation
from . import screen
from .asking import ASKED, ModelFlags, as_flags
from .naming import find
from .whole import Whole

NOTED = 16
"""Episodes after which a line tells how far it is, where no bar does."""


@dataclasses.dataclass(frozen=True)
class ProbeFlags:
    """How environments are probed."""

    json: Annotated[bool, Parameter(name="--json", negative="")] = False
    """Print one JSON object per environment, each on its own line."""
    pairs: Whole = 64
    """Seeds at most: 4, 8, 12, 16, 24, 32, 48 or 64. Most environments are decided earlier."""
    seed: Whole = 0
    """Run seed: with the source's hash it decides every seed."""
    max_turns: Whole | None = None
    """Turns of an episode at most; the author's own when lower."""
    graded: Annotated[bool, Parameter(negative="")] = False
    """Say that outcomes other than 0 and 1 can occur: it takes more pairs, and holds where they are rare."""
    write_hint: Annotated[bool, Parameter(negative="")] = False
    """Have the model write a hint for environments that have none."""
    resume: Annotated[bool, Parameter(negative="")] = False
    """Leave out what was probed before with this model, these prompts, seeds and sampling."""
    episodes: Path | None = None
    """New file for every episode that is played, one JSON object per line."""
    keep_episodes: Whole = 0
    """Episodes of each arm that go to the memory, up to 8; `spade-envs show ID --episode` shows one."""
    isolation: Isolation = Isolation.SECCOMP
    """Least isolation to accept: kernel, seccomp or process."""


def probe(
    env_ids: Annotated[list[str], Parameter(name="ID", negative="", json_list=False)],
    /,
    *,
    flags: Annotated[ProbeFlags, Parameter(name="*")] = ProbeFlags(),
    asked: Annotated[ModelFlags, Parameter(name="*")] = ASKED,
) -> int:
    """Measure what a hint is worth to a model: the same seeds are played without and with it.

    Every measurement is added to the memory; `spade-envs show ID` lists them, several models and dates side by side.

    Examples:

      spade-envs probe env-0001 --base-url http://localhost:8000
      spade-envs probe env-0001 env-0004 --base-url http://localhost:8000 --model policy-v7 --temperature 0.7
      spade-envs probe env-0001 --local
      spade-envs probe env-0001 --base-url http://localhost:8000 --resume --json

    Exit code 0 if every environment was measured, 1 if one is at fault or has no hint, else 3 if something is missing
    because the model server failed; 2 for wrong usage, an unknown id, or a server that does not answer.
    """
    asked.check()
    if not 0 <= flags.keep_episodes <= KEPT_EPISODES:
        raise ValueError(f"--keep-episodes must be 0 to {KEPT_EPISODES}, not {flags.keep_episodes}")
    plan = ProbePlan(
        agent=asked.agent(), run_seed=flags.seed, most_pairs=flags.pairs, cap_turns=flags.max_turns, graded=flags.graded
    )
    subjects = list({one.env_id: one for one in map(_subject, env_ids)}.values())  # one may be named in two ways
    with contextlib.ExitStack() as stack:
        memory = stack.enter_context(SqliteMemory())
        transcript = None if flags.episodes is None else stack.enter_context(_new_file(flags.episodes))
        return asyncio.run(_Run(flags, plan, memory, transcript).all(subjects, asked))


@contextlib.contextmanager
def _new_file(path: Path) -> Iterator[IO[str]]:
    try:
        stream = path.open("x", encoding="utf-8", errors="backslashreplace")
    except FileExistsError:
        raise ValueError(f"{path} is there already, and is not overwritten; name a new file") from None
    try:
        yield stream
    finally:
        with explained(f"write {path}"):
            stream.close()  # which may write what could not be written before


def _subject(env_id: str) -> Subject:
    shelf, entry = find(env_id)
    card = shelf.read_card(entry.name)
    return Subject(shelf.read_source(entry.name), entry.env_id, card.contract, card.max_turns or None, card.hint)


class _Run:
    """One run over several environments."""

    def __init__(self, flags: ProbeFlags, plan: ProbePlan, memory: SqliteMemory, transcript: IO[str] | None) -> None:
        self.flags, self.plan, self.memory, self.transcript = flags, plan, memory, transcript
        self.codes: set[int] = set()
        self.out = screen.console()
        self.bar = Progress(
            *Progress.get_default_columns()[:2],
            TextColumn("{task.fields[facts]}"),
            TimeElapsedColumn(),
            console=self.out,
            transient=True,
            disable=flags.json or not sys.stdout.isatty(),
        )
        self.played = self.decided = self.total = self.most = 0
        self.written: set[str] = set()
        """Environments whose hint the model has written."""

    async def all(self, subjects: Sequence[Subject], asked: ModelFlags) -> int:
        """Probe them; the exit code."""
        options = BoxOptions(require=self.flags.isolation)
        async with asked.opened() as client:
            wanted = [subject for subject in subjects if not self._known(subject, client)]
            with self.bar, AsyncEnvs(options=options) as envs:
                self.total, self.most = len(wanted), 2 * self.plan.most_pairs * len(wanted)
                self.task = self.bar.add_task("Probing", total=self.most, facts=self._facts())
                if self.flags.write_hint:
                    written = await asyncio.gather(*(self._with_hint(subject, client, envs) for subject in wanted))
                    wanted = [subject for subject in written if subject is not None]
                async with contextlib.aclosing(probe_many(wanted, client, envs, self.plan, heard=self._heard)) as ended:
                    async for probed in ended:
                        remember(probed, self.memory)
                        keep_episodes(probed, self.memory, self.flags.keep_episodes)
                        self._tell(probed)
            self._note_use(client.counters())
        return next((code for code in (1, 3) if code in self.codes), 0)

    def _note_use(self, used: Counters) -> None:
        """What it has cost."""
        tokens = f"{used.prompt_tokens:,} tokens of prompts and {used.completion_tokens:,} of replies"
        uncounted = f" ({used.unmetered} replies were not counted)" if used.unmetered else ""
        self._note(f"{self.played} episodes, {tokens}{uncounted}, half the replies within {used.seconds_median:.2g} s")

    def _known(self, subject: Subject, client: Client) -> bool:
        """Whether --resume leaves it out; then what is known of it is told again."""
        model, written = client.model or "", self.flags.write_hint
        before = None
        if self.flags.resume:
            before = probed_before(subject, self.plan, model, self.memory, written=written)
        if before is not None:
            self._tell(Probed(subject, before, ()), before.date)
        return before is not None

    async def _with_hint(self, subject: Subject, client: Client, envs: AsyncEnvs) -> Subject | None:
        """The environment with a hint that the model writes, where it has none; ``None`` when no reply comes."""
        if subject.hint or await has_hint(subject, envs, self.plan):
            return subject
        seed = derive_seed(self.plan.run_seed, "hint", subject.source.sha256)
        try:
            hint = await write_hint(client, subject.source, subject.contract, seed=seed)
        except HintError as error:
            self._note(f"{subject.env_id}: no hint came of the model: {error}")
            return subject
        except RequestFailed as error:
            # The others are probed all the same.
            self._tell(Probed(subject, None, (), problem=f"its hint could not be written: {error}"), lost=True)
            return None
        self.written.add(subject.env_id)
        return dataclasses.replace(subject, hint=hint)

    def _facts(self) -> str:
        return f"{self.played} episodes, {self.decided} of {self.total} decided"

    def _heard(self, episode: Episode) -> None:
        self.played += 1
        self.bar.update(self.task, advance=1, facts=self._facts())
        if self.bar.disable and self.played % NOTED == 0:
            self._note(self._facts())
        if self.transcript is not None:
            row = {**to_json(episode), "outcome": episode.outcome, "success": episode.success}
            with explained(f"write {self.transcript.name}"):
                self.transcript.write(json.dumps(row) + "\n")
                self.transcript.flush()

    def _note(self, text: str) -> None:
        print(f"spade-envs: {tame(text)}", file=sys.stderr, flush=True)

    def _tell(self, probed: Probed, before: str = "", *, lost: bool = False) -> None:
        self.codes.add(3 if lost else _code(probed))
        if not before:
            self.decided += 1
            self.most -= max(0, 2 * self.plan.most_pairs - len(probed.episodes))  # what need not be played any more
            self.bar.update(self.task, total=self.most, facts=self._facts())
        if self.flags.json:
            print(json.dumps(_row(probed)), flush=True)
            return
        name = probed.subject.env_id
        if probed.probe is None:
            word = "FAULT" if probed.fault is not None else "NOTHING"
            self.out.print(shown(f"{word:<12}", "bold red").append(shown(name, "bold")))
        else:
            for line in screen.probe_lines(probed.probe, name):
                self.out.print(line)
        if before:
            self.out.print(shown(f"            measured before: {before}", "dim"))
        if probed.problem:
            self.out.print(shown(f"            {as_flags(probed.problem)}", limit=600))
        if probed.problem == NO_HINT:
            self.out.print("            --write-hint has the model write one", style="dim")
        if probed.subject.hint and probed.subject.env_id in self.written:
            self.out.print(shown(f"            hint written by the model: {probed.subject.hint}", "dim"))
        for reason, count in missing_reasons(probed.episodes).items():
            self.out.print(shown(f"            {count} without an outcome: {reason.value}", "yellow"))
        if probed.fault is not None:
            actions = ", ".join(tame(repr(action[:60])) for action in probed.fault.actions[:6])
            self.out.print(shown(f"            again: seed {probed.fault.seed} actions [{actions}]", "dim"))


def _code(probed: Probed) -> int:
    """What it adds to the exit code."""
    if probed.probe is None:
        return 3 if missing_reasons(probed.episodes) and probed.fault is None else 1
    lost = probed.probe.band == "uncertain" and any(probed.probe.missing)
    return 3 if lost or probed.problem else 0


def _row(probed: Probed) -> dict[str, object]:
    row: dict[str, object] = {"id": probed.subject.env_id, "sha256": probed.subject.source.sha256}
    row["probe"] = None if probed.probe is None else to_json(probed.probe)
    row["credit"] = None if probed.probe is None else credit(probed.probe.regret, screen.won(probed.probe)[0][0])
    row["problem"] = probed.problem
    row["fault"] = None if probed.fault is None else to_json(probed.fault)
    row["missing"] = {reason.value: count for reason, count in missing_reasons(probed.episodes).items()}
    return row
