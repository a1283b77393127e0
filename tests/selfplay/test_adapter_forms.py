"""What engines are given holds what trajectories hold: tokens, masks, log-probabilities, advantages."""

from __future__ import annotations

import asyncio
import dataclasses
import math
import types
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.adapters import collecting, prime_rl, slime, tinker, trl, trl_async, verl
from spade_envs.adapters.collecting import Collecting, advantage_of, check_temperature, numbered, prompt_length
from spade_envs.selfplay.batch import build_batch
from spade_envs.selfplay.config import TrainSection
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.trajectories import EXAMPLE, TrajectoryError, inert
from spade_envs.types import StopReason, Trajectory


@st.composite
def steps(draw: st.DrawFn) -> list[Trajectory]:
    """Trajectories of one step, some of one episode, in both roles."""
    made = []
    for place in range(draw(st.integers(1, 8))):
        mask = (0, *draw(st.lists(st.integers(0, 1), min_size=1, max_size=10)))
        made.append(
            dataclasses.replace(
                EXAMPLE,
                role=draw(st.sampled_from(["agent", "designer"])),
                group=f"g{draw(st.integers(0, 2))}",
                episode_id=f"e{place // 2}",
                token_ids=tuple(range(100 * place, 100 * place + len(mask))),
                loss_mask=mask,
                sampler_logprobs=tuple(-0.5 - place if bit else 0.0 for bit in mask),
                advantage=draw(st.integers(-8, 8)) / 4,
                policy_version=str(draw(st.integers(0, 3))),
            )
        )
    return made


@dataclasses.dataclass
class Read:
    """A trajectory as an engine reads it."""

    tokens: list[int]
    mask: list[int]
    logprobs: list[float]
    advantage: float


def from_prompt(row: dict[str, Any], prompt: str, response: str, mask: str, logprobs: str, advantage: float) -> Read:
    """From forms that are cut into prompt and response."""
    before = [0] * len(row[prompt])
    assert len(row[mask]) == len(row[logprobs]) == len(row[response]) > 0
    return Read(row[prompt] + row[response], before + row[mask], [0.0] * len(before) + row[logprobs], advantage)


def read_trl(made: Sequence[Trajectory]) -> list[Read]:
    rows = trl.to_trl(made)
    each = [{key: values[place] for key, values in rows.items()} for place in range(len(made))]
    return [
        from_prompt(row, "prompt_ids", "completion_ids", "env_mask", "logprobs", row["spade_advantage"]) for row in each
    ]


def read_verl(made: Sequence[Trajectory]) -> list[Read]:
    rows = [verl.to_verl(t) for t in made]
    advantages = verl.advantages_of([row["extra_fields"] for row in rows])
    return [
        from_prompt(row, "prompt_ids", "response_ids", "response_mask", "response_logprobs", advantage)
        for row, advantage in zip(rows, advantages, strict=True)
    ]


def read_slime(made: Sequence[Trajectory]) -> list[Read]:
    found = []
    for row in slime.rows_of(made):
        cut = len(row["tokens"]) - row["response_length"]
        parts = {**row, "prompt": row["tokens"][:cut], "response": row["tokens"][cut:]}
        found.append(from_prompt(parts, "prompt", "response", "loss_mask", "rollout_log_probs", row["reward"]))
    return found


def read_prime(made: Sequence[Trajectory]) -> list[Read]:
    rows = [prime_rl.to_prime(t, "spade") for t in made]
    for row, t in zip(rows, made, strict=True):
        assert {len(row[key]) for key in ("mask", "logprobs", "temperatures", "advantages")} == {len(t.token_ids)}
        assert all(not value or bit for value, bit in zip(row["advantages"], row["mask"], strict=True))
    return [
        Read(row["token_ids"], list(map(int, row["mask"])), row["logprobs"], max(row["advantages"], key=abs))
        for row in rows
    ]


def read_tinker(made: Sequence[Trajectory]) -> list[Read]:
    forms = [tinker.to_tinker(t) for t in made]
    for form, t in zip(forms, made, strict=True):
        assert form.input_tokens[1:] == form.target_tokens[:-1]
        lengths = {len(form.input_tokens), len(form.target_tokens), len(form.logprobs), len(form.advantages)}
        assert lengths == {len(t.token_ids) - 1}
    return [
        Read(
            [form.input_tokens[0], *form.target_tokens],
            list(t.loss_mask),  # Tinker has none
            [0.0, *form.logprobs],
            max(form.advantages, key=abs),
        )
        for form, t in zip(forms, made, strict=True)
    ]


def read_trl_async(made: Sequence[Trajectory]) -> list[Read]:
    rows = [trl_async.to_trl_async(t, 0) for t in made]
    for row in rows:
        assert row["input_ids"].dtype == row["completion_mask"].dtype == np.int64
        assert row["old_log_probs"].dtype == np.float32
    return [
        Read(
            row["input_ids"].tolist(), row["completion_mask"].tolist(), row["old_log_probs"].tolist(), row["advantage"]
        )
        for row in rows
    ]


READERS = [read_trl, read_trl_async, read_verl, read_slime, read_prime, read_tinker]


@pytest.mark.parametrize("read", READERS)
@given(steps())
def test_forms_hold_everything(read: Callable[[Sequence[Trajectory]], list[Read]], made: list[Trajectory]) -> None:
    sums: dict[tuple[str, str], list[float]] = defaultdict(list)
    for found, t in zip(read(made), made, strict=True):
        assert tuple(found.tokens) == t.token_ids
        assert tuple(found.mask) == t.loss_mask
        assert tuple(found.logprobs) == t.sampler_logprobs
        trained = any(t.loss_mask) or read not in (read_prime, read_tinker)
        sums[t.role, t.group].append(found.advantage - (t.advantage or 0.0) if trained else 0.0)
    assert all(math.fsum(differences) == 0.0 for differences in sums.values())


@pytest.mark.parametrize("read", READERS)
def test_what_is_not_fit_is_refused(read: Callable[[Sequence[Trajectory]], list[Read]]) -> None:
    for change, message in (({"advantage": None}, "no advantage"), ({"reward": math.nan}, "reward is nan")):
        with pytest.raises(TrajectoryError, match=message):
            read([dataclasses.replace(EXAMPLE, **change)])


# -- what they have in common ----------------------------------------------------------------------------------


class Given:
    """A collector that gives what it was given, or raises it."""

    def __init__(self, *steps: Sequence[Trajectory] | Exception) -> None:
        self.steps = list(steps)
        self.loops: set[int] = set()

    async def collect(self) -> Sequence[Trajectory]:
        self.loops.add(id(asyncio.get_running_loop()))
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step


def test_collecting_keeps_one_loop_and_works_inside_another() -> None:
    collector = Given([EXAMPLE], [EXAMPLE, EXAMPLE], ValueError("gone"))
    collecting_ = Collecting(collector)

    async def inside() -> list[Trajectory]:
        return collecting_.collect()

    assert len(asyncio.run(inside())) == 1 and len(collecting_.collect()) == 2
    assert len(collector.loops) == 1
    with pytest.raises(ValueError, match="gone"):
        collecting_.collect()
    collecting_.close()


def test_what_has_no_outcome_is_left_out() -> None:
    lost = dataclasses.replace(EXAMPLE, advantage=None, stop_reason=StopReason.SERVER_ERROR)
    assert collecting.usable([lost, EXAMPLE]) == [EXAMPLE]
    with pytest.raises(TrajectoryError, match="no advantage"):
        collecting.usable([dataclasses.replace(EXAMPLE, advantage=None)])


def test_a_prompt_has_a_token_and_so_has_the_rest() -> None:
    assert [prompt_length(inert(EXAMPLE, length)) for length in (1, 2, 5)] == [1, 1, 4]
    assert prompt_length(EXAMPLE) == 2 and advantage_of(EXAMPLE) == 0.5
    assert numbered("abac") == [0, 1, 0, 2]


def test_temperatures_have_to_agree() -> None:
    check_temperature([EXAMPLE, inert(dataclasses.replace(EXAMPLE, temperature=0.5), 2)], 1.0, "x")
    with pytest.raises(ConfigError, match=r"sampled at temperature 1\.0, but x is 0\.7"):
        check_temperature([EXAMPLE], 0.7, "x")


# -- Tinker ----------------------------------------------------------------------------------------------------


def test_tinkers_sums_are_our_means() -> None:
    made = [dataclasses.replace(EXAMPLE, role=role, advantage=0.5) for role in ("designer", "agent", "agent")]
    batch = build_batch(made[1:], made[:1], TrainSection(batch=5), 3.0, 0)
    forms = tinker.data(batch)
    assert len(forms) == 3
    assert [form.advantages[1] for form in forms] == [0.5 * 3 / 2, 0.5 / 4, 0.5 / 4]


def test_a_step_of_tinker_asks_for_both_before_it_waits() -> None:
    said: list[str] = []

    def later(name: str) -> Any:
        return types.SimpleNamespace(result=lambda: said.append(f"{name} done"))

    class Client:
        def forward_backward(self, data: Any, loss: str) -> Any:
            said.append(f"{loss} {len(data)}")
            return later("forward")

        def optim_step(self, adam: Any) -> Any:
            said.append(f"adam {adam}")
            return later("adam")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tinker, "as_tinker", list)
        tinker.step(Client(), build_batch([EXAMPLE], [], TrainSection(), 1.0, 0), 7)
        cold = dataclasses.replace(EXAMPLE, temperature=0.5)
        with pytest.raises(ConfigError, match="Tinker"):
            tinker.step(Client(), build_batch([cold], [], TrainSection(), 1.0, 0), 7)
    assert said == ["importance_sampling 1", "adam 7", "forward done", "adam done"]
