"""The task of language models: write an environment in Python, on a document, beside what the memory shows."""

from __future__ import annotations

from collections.abc import Sequence

from ..client import Reply as Answer
from ..corpus import Corpus, Document, truncated
from ..corpus import Sampler as Documents
from ..designer.attempts import Attempt, read_reply, repair_messages
from ..hinting import HintError, read_hint
from ..memory.records import Drawn as Shown
from ..prompts import BadExample, Design, agent_system, designer_messages, hint_messages
from ..types import EnvSource
from .config import Config
from .tasks import Held, Refused, Said, Slot, Unread

DOCUMENT_TOKENS = 1500
"""Most tokens of a document; longer ones are cut."""


class SourceTask:
    """A :class:`~spade_envs.selfplay.tasks.Task`: sources in fenced blocks, hints in a sentence or three.

    Args:
        config: of the run.
        corpus: documents to build on; ``None`` for none.
        held_out: environments to measure the agent on.
    """

    def __init__(self, config: Config, corpus: Corpus | None, held_out: Sequence[Held] = ()) -> None:
        self._config, self._corpus, self._held = config, corpus, tuple(held_out)

    def prompt(self, slot: Slot, shown: Shown) -> Said:
        """The rules of the contract, the skill, a document, and what the memory shows.

        Raises:
            StoreError: when the document cannot be read.
        """
        document = self._document(slot)
        asked = designer_messages(
            Design(
                slot.skill,
                slot.contract,
                self._config.design.difficulty,
                "" if document is None else truncated(document, DOCUMENT_TOKENS).text,
                tuple(EnvSource(one.text) for one in shown.positives),
                tuple(BadExample(one.text, one.why, one.finding) for one in shown.negatives),
            )
        )
        return Said(asked.system, asked.user)

    def repair(self, slot: Slot, shown: Shown, refused: Sequence[Refused]) -> Said:
        """The task again, the last source, and what the gate said about it: one message, so that it never grows."""
        said = self.prompt(slot, shown)
        attempts = [_attempt(one) for one in refused]
        told = repair_messages(attempts, refused[-1].reply)
        return Said(said.system, "\n\n".join([said.user, *(one.content for one in told)]))

    def read(self, slot: Slot, reply: str, *, ended: bool) -> EnvSource | Unread:
        """The last complete fenced block outside think text."""
        text, rule, problem = read_reply(reply, "stop" if ended else "length", len(reply))
        if problem:
            return Unread(rule, problem)
        document = self._document(slot)
        return EnvSource(text, slot.skill, slot.contract, document="" if document is None else document.sha256)

    def hint_prompt(self, source: EnvSource, contract: str, refused: Sequence[str]) -> Said | None:
        """The manner of the contract, then the source."""
        asked = hint_messages(source, contract, refused)
        return Said(asked.system, asked.user)

    def hint(self, reply: str, *, ended: bool) -> str | Unread:
        """One line of at most 120 words."""
        try:
            return read_hint(Answer(text=reply, finish_reason="stop" if ended else "length"))
        except HintError as error:
            return Unread("hint.unread", str(error))

    def agent_system(self, contract: str) -> str:
        """The agent's fixed prompt."""
        return agent_system(contract).text

    def uniform(self, slot: Slot) -> str | None:
        """There is no uniform distribution over programs."""
        return None

    def held_out(self) -> Sequence[Held]:
        """Environments to measure the agent on."""
        return self._held

    def warm_up(self, seed: int, count: int) -> Sequence[tuple[Said, tuple[str, ...]]]:
        """A language model needs none."""
        return ()

    def _document(self, slot: Slot) -> Document | None:
        """Each slot of a run has a document of its own; the order follows from the run's seed alone."""
        if self._corpus is None:
            return None
        epoch = slot.cycle // self._config.design.interval
        return next(Documents(self._corpus, self._config.run.seed, epoch * self._config.design.slots + slot.number))


def _attempt(refused: Refused) -> Attempt:
    unread = refused.unread or Unread("", "")
    return Attempt(refused.source, unread.rule, unread.problem, refused.report)
