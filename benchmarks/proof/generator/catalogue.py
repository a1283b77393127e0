"""All templates, and the generator over them."""

from __future__ import annotations

import random

from .answer_numbers import arithmetic_chain, inventory, schedule
from .answer_places import graph_distance, plane_walk
from .answer_texts import cipher, elimination
from .interactive_devices import button_machine, dial_lock
from .interactive_moves import hidden_maze, urgent_queue
from .interactive_plans import code_breaking, workshop
from .model import GeneratedSource, Template
from .tools_changes import booking, ledger
from .tools_devices import device_setup
from .tools_lookup import paged_total, record_chain

TEMPLATES: tuple[Template, ...] = (
    arithmetic_chain,
    schedule,
    inventory,
    cipher,
    elimination,
    graph_distance,
    plane_walk,
    hidden_maze,
    urgent_queue,
    dial_lock,
    button_machine,
    code_breaking,
    workshop,
    record_chain,
    paged_total,
    booking,
    ledger,
    device_setup,
)


def generate(seed: int, count: int) -> list[GeneratedSource]:
    """`count` sources, taking the templates in turn; the same seed gives the same sources."""
    sources = []
    for index in range(count):
        template = TEMPLATES[index % len(TEMPLATES)]
        # A generator of its own for each source: a longer run begins with the shorter one.
        source = template(random.Random(f"{seed}/{index}/{template.__name__}"))
        name = f"{template.__name__}_{seed}_{index:04d}"
        sources.append(GeneratedSource(name, source.text, source.contract))
    return sources
