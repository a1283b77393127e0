"""``generate``: environments from a model, checked and put on the shelf."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ..admission import check_options
from ..bulk import Checkers
from ..client import Client, Sampling, Settings
from ..client.counting import count_text
from ..corpus import Corpus
from ..designer import DesignPlan, DesignResult, design, skills_for
from ..designer.plan import DESIGNER_SAMPLING
from ..designer.slots import asked, document_of, draw, slot_of
from ..memory import SqliteMemory
from ..shelf import Shelf
from ..store import home, search_path, user_shelf
from ..terminal import shown
from ..types import Isolation, Limits
from . import screen
from .generated import Shown, exit_code, row, summary
from .whole import Whole, whole


@dataclass(frozen=True)
class GenerateFlags:
    """Flags of generate."""

    base_url: Annotated[tuple[str, ...], Parameter(negative="")] = ()
    """Base URL of the designer's server, such as http://127.0.0.1:8000; several of servers with the same model."""
    model: str | None = None
    """Name of the designer's model; not needed where the server has one only."""
    agent_url: str | None = None
    """Base URL of the server that writes hints; the designer's by default."""
    agent_model: str | None = None
    """Name of the model that writes hints; the designer's by default."""
    key_variable: str | None = None
    """Environment variable that holds the key of the designer's server."""
    agent_key_variable: str | None = None
    """Environment variable that holds the key of --agent-url."""
    skill: Annotated[tuple[str, ...], Parameter(negative="")] = ()
    """Ask for this skill; may be given several times. The paper's twelve by default."""
    contract: str = ""
    """Ask for this contract only: answer, interactive or tools."""
    difficulty: str = "medium"
    """easy, medium or hard."""
    window: Whole = 0
    """Skills of one epoch, which turn with --epoch; 0 is all of them."""
    epoch: Whole = 0
    """Number of this run in a series."""
    corpus: str = ""
    """Documents to build on: a file or folder as for `spade-envs corpus`, or none; the bundled ones by default."""
    document_tokens: Whole = DesignPlan.document_tokens
    """Most tokens of a document."""
    memory_seeds: Whole = DesignPlan.memory_seeds
    """Environments of the memory that the designer is shown each time to learn from."""
    memory_negatives: Whole = DesignPlan.memory_negatives
    """Environments of the memory that it is shown each time since they failed, with the reason."""
    seed_strategy: str = DesignPlan.seed_strategy
    """How both are chosen: balanced, paper or uniform."""
    seed_tokens: Whole = DesignPlan.seed_tokens
    """Most tokens of each of them; a longer one is outlined."""
    repairs: Whole = DesignPlan.repairs
    """How many times findings are sent back."""
    no_hint: Annotated[bool, Parameter(negative="")] = False
    """Write no hints."""
    seed: Whole = 0
    """Run seed: another one gives other environments."""
    concurrency: Whole = 16
    """Environments in the making at the same time."""
    temperature: float = DESIGNER_SAMPLING.temperature
    """Of the designer."""
    top_p: float = DESIGNER_SAMPLING.top_p
    """Of the designer."""
    max_tokens: Whole = DESIGNER_SAMPLING.max_tokens
    """Most tokens of one reply of the designer."""
    token_budget: Whole | None = None
    """Most tokens of all requests of this call together."""
    shelf: Path | None = None
    """Folder of the shelf; your own by default."""
    log: Path | None = None
    """File of the run; by default one in your data folder, found again by the same command."""
    strict: Annotated[bool, Parameter(negative="")] = False
    """The stricter limits of self-play: 2 s to load or reset, 1 s for a step, 30 s in all."""
    isolation: Isolation = Isolation.SECCOMP
    """Least isolation to accept: kernel, seccomp or process."""
    dry_run: Annotated[bool, Parameter(negative="")] = False
    """Print what would be asked for, and ask nothing."""
    json: Annotated[bool, Parameter(name="--json", negative="")] = False
    """Print one JSON object per environment asked for, each on its own line."""


def generate(
    count: Annotated[int, Parameter(name="COUNT", converter=whole)],
    /,
    *,
    flags: Annotated[GenerateFlags, Parameter(name="*")] = GenerateFlags(),
) -> int:
    """Ask a model for COUNT environments, check each, send findings back, and put those that pass on the shelf.

    Whatever comes in is kept: the same command again goes on where it stopped, and asks nothing twice.

    Examples:

      spade-envs generate 100 --base-url http://127.0.0.1:8000
      spade-envs generate 20 --base-url http://127.0.0.1:8000 --skill logical-deduction --contract interactive
      spade-envs generate 50 --base-url https://models.example.org --model large --key-variable MODEL_KEY
      spade-envs generate 24 --window 3 --epoch 1 --dry-run

    Exit code 0 when every one was decided and at least one admitted, 1 when none was, 3 when some failed and the same
    command should be run again; 2 for wrong usage or a server that cannot be used.
    """
    plan = _plan(count, flags)
    corpus = None if flags.corpus == "none" else Corpus.open(flags.corpus or None)
    if flags.dry_run:
        _show(plan, corpus, as_json=flags.json)
        return 0
    if not flags.base_url:
        raise ValueError("--base-url is needed: the base URL of a model server, such as http://127.0.0.1:8000")
    result = asyncio.run(_generate(plan, corpus, flags))
    return exit_code(result)


def _plan(count: int, flags: GenerateFlags) -> DesignPlan:
    sampling = {"temperature": flags.temperature, "top_p": flags.top_p, "max_tokens": flags.max_tokens}
    return DesignPlan(
        count=count,
        skills=flags.skill or skills_for(flags.contract),
        window=flags.window,
        epoch=flags.epoch,
        contract=flags.contract,
        difficulty=flags.difficulty,
        repairs=flags.repairs,
        hints=not flags.no_hint,
        document_tokens=flags.document_tokens,
        memory_seeds=flags.memory_seeds,
        memory_negatives=flags.memory_negatives,
        seed_strategy=flags.seed_strategy,
        seed_tokens=flags.seed_tokens,
        seed=flags.seed,
        sampling=Sampling.of({"top_k": DESIGNER_SAMPLING.top_k, **sampling}),
        limits=Limits.selfplay() if flags.strict else Limits(),
    )


async def _generate(plan: DesignPlan, corpus: Corpus | None, flags: GenerateFlags) -> DesignResult:
    async with _clients(flags) as (client, agent):
        if not client.capabilities.extra_sampling:
            plan = replace(plan, sampling=replace(plan.sampling, top_k=0))
        shelf = Shelf(flags.shelf) if flags.shelf is not None else user_shelf()
        _ = shelf.namespace  # a folder that is no shelf is an error now, not after the work
        others = [one for one in search_path() if one.path != shelf.path] if flags.shelf is None else []
        checkers = Checkers(limits=plan.limits, run_seed=plan.seed, options=check_options(flags.isolation))
        with SqliteMemory(home() / "memory.db") as memory, checkers, Shown(as_json=flags.json) as display:
            result = await design(
                plan,
                client,
                agent=agent,
                shelf=shelf,
                memory=memory,
                corpus=corpus,
                log=flags.log,
                checkers=checkers,
                others=others,
                concurrency=flags.concurrency,
                on_progress=display.progress,
            )
    if flags.json:
        for end in result.ends:
            if end.slot not in display.told:
                print(json.dumps(row(end)), flush=True)
    else:
        summary(result)
    return result


@contextlib.asynccontextmanager
async def _clients(flags: GenerateFlags) -> AsyncIterator[tuple[Client, Client]]:
    """Clients of the designer and of the agent, opened."""
    settings = Settings(concurrency=max(1, flags.concurrency), total_tokens=flags.token_budget)
    async with contextlib.AsyncExitStack() as stack:
        client = agent = await stack.enter_async_context(
            Client(flags.base_url, flags.model, settings=settings, key_variable=flags.key_variable)
        )
        if (flags.agent_url or flags.agent_model) and not flags.no_hint:
            # A key goes to the server it was meant for, and to no other.
            key = flags.agent_key_variable if flags.agent_url else flags.key_variable
            urls = (flags.agent_url,) if flags.agent_url else flags.base_url
            agent = await stack.enter_async_context(
                Client(urls, flags.agent_model, settings=settings, key_variable=key)
            )
        yield client, agent


def _show(plan: DesignPlan, corpus: Corpus | None, *, as_json: bool) -> None:
    """What would be asked for."""
    out = screen.console()
    place = home() / "memory.db"
    with contextlib.ExitStack() as stack:
        # Looking must not make a memory.
        memory = stack.enter_context(SqliteMemory(place)) if place.exists() else None
        drawn = draw(plan, corpus, memory, keep=False) if memory is not None else None
    total, counted = 0, ""
    for number in range(plan.count):
        slot, document = slot_of(plan, number), document_of(plan, corpus, number)
        seeds, negatives = drawn.shown(number) if drawn is not None else ([], [])
        messages = asked(plan, slot, document, seeds, negatives)
        tokens, counted = count_text(messages.system + "\n" + messages.user)
        total += tokens
        facts = {"slot": number, "skill": slot.skill, "contract": slot.contract}
        facts |= {"seeds": [one.sha256 for one in seeds], "negatives": [one.sha256 for one in negatives]}
        name, title = (document.name, document.title) if document else ("", "")
        if as_json:
            print(json.dumps({**facts, "document": name, "title": title, "tokens": tokens, "counted_by": counted}))
            continue
        out.print(f"{number:>4}  {slot.skill:<24} {slot.contract:<12}", end="")
        out.print(f"{len(seeds)} seeds, {len(negatives)} bad examples, {tokens:>7,} tokens  ", end="")
        out.print(shown(title or "no document", limit=60))
    if not as_json:
        out.print(f"{plan.count} first prompts, {total:,} tokens, counted by {counted}; nothing was asked")
