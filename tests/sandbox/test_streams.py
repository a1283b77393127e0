"""The stream of an instance: seeded late, and like ``random.Random`` all the same."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from spade_envs.sandbox.streams import Stream, Streams, random_module, secrets_module, uuid_module

DRAWS: dict[str, Callable[[Any], Any]] = {
    "random": lambda rng: rng.random(),
    "getrandbits": lambda rng: rng.getrandbits(33),
    "randint, which draws again and again": lambda rng: [rng.randint(0, 32) for _ in range(9)],
    "choices": lambda rng: rng.choices(range(9), k=5),
    "sample": lambda rng: rng.sample(range(30), 5),
    "shuffle": lambda rng: rng.shuffle(list(range(9))),
    "gauss, which keeps one for later": lambda rng: rng.gauss(0, 1),
    "randbytes": lambda rng: rng.randbytes(5),
    "betavariate": lambda rng: rng.betavariate(2, 3),
    "getstate": lambda rng: rng.getstate(),
    "setstate": lambda rng: (rng.setstate(random.Random(3).getstate()), rng.random()),
    "seed again": lambda rng: (rng.seed(9), rng.random()),
    "seed with a text": lambda rng: (rng.seed("nine"), rng.random()),
}


@pytest.mark.parametrize("begins", ["restart", "seed", "restart after draws", "text"])
@pytest.mark.parametrize("seed", [0, 5, 2**40])
def test_whatever_is_drawn_first_it_draws_like_a_seeded_generator(begins: str, seed: int) -> None:
    streams = Streams(100)
    module = random_module(streams)
    for first, second in itertools.product(DRAWS.values(), repeat=2):
        like: Any = random.Random(seed)
        if begins == "seed":
            module.seed(seed)
        elif begins == "text":
            module.seed(str(seed))
            like.seed(str(seed))
        else:
            if begins == "restart after draws":
                module.gauss(0, 1)
            streams.restart(seed)
        assert first(module) == first(like) and second(module) == second(like)


def test_methods_taken_before_a_restart_draw_from_the_new_episode() -> None:
    streams = Streams(100)
    module = random_module(streams)
    taken = [module.random, module.getrandbits, module.randint, module.getstate, streams.rng.random]
    for seed, (at, draw) in itertools.product((1, 2), enumerate(taken)):
        streams.restart(seed)
        arguments = [(), (9,), (1, 10**9), (), ()][at]
        like = random.Random(seed)
        assert draw(*arguments) == getattr(like, ["random", "getrandbits", "randint", "getstate", "random"][at])(
            *arguments
        )


@pytest.mark.parametrize("wrong", ["\ud800", [], {}, Stream])
def test_seeding_that_fails_leaves_the_episode_its_seed(wrong: Any) -> None:
    streams = Streams(100)
    module = random_module(streams)
    for seed in (3, 9, 5):
        streams.restart(seed)
        with pytest.raises((TypeError, ValueError)):
            streams.rng.seed(wrong) if isinstance(wrong, (list, dict, type)) else module.seed(wrong)
        assert module.random() == random.Random(seed).random()


def test_a_restart_seeds_nothing_until_something_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams(100)
    module, seeded = random_module(streams), list[Any]()
    seed = random.Random.seed

    def counted(self: random.Random, a: Any = None, version: int = 2) -> None:
        seeded.append(a)
        seed(self, a, version)

    monkeypatch.setattr(random.Random, "seed", counted)
    streams.restart(4)
    module.seed(5)
    streams.restart(6)
    assert seeded == []
    module.random()
    module.random()
    assert seeded == [6]


def test_states_are_kept_and_restored() -> None:
    streams = Streams(100)
    module = random_module(streams)
    streams.restart(4)
    state = streams.state()
    drawn = [module.random(), module.gauss(0, 1)]
    streams.restart(5)
    streams.restore(state)
    assert [module.random(), module.gauss(0, 1)] == drawn


def test_the_other_modules_draw_from_it_too() -> None:
    streams = Streams(100)
    secrets, uuid = secrets_module(streams), uuid_module(streams)
    draws: list[Callable[[], Any]] = [lambda: secrets.randbits(40), lambda: secrets.randbelow(9), uuid.uuid4]
    for draw in draws:
        found = []
        for seed in (1, 2, 1):
            streams.restart(seed)
            found.append((draw(), draw()))
        assert found[0] == found[2]
    streams.restart(7)
    assert secrets.randbits(40) == random.Random(7).getrandbits(40)


def test_a_copy_draws_the_same() -> None:
    stream = Stream(0)
    stream.later(3)
    twin = copy.deepcopy(stream)
    assert twin.random() == stream.random() == random.Random(3).random()


def test_functions_keep_their_names_and_are_shared_by_copies_as_elsewhere() -> None:
    streams = Streams(100)
    module = random_module(streams)
    for name in ("random", "getrandbits", "getstate", "setstate", "seed", "randint", "gauss"):
        assert getattr(module, name).__name__ == name
    for draw in (module.random, random.random):
        assert copy.deepcopy(draw) is draw
