"""Numeric views of real boxed environments, alone and together."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from making import put

from spade_envs import menus, registry
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.players import WRONG
from spade_envs.registry import register
from spade_envs.reproduction import play_witness
from spade_envs.rules import EXAMPLE
from spade_envs.shelf import Shelf
from spade_envs.spaces import UnicodeText
from spade_envs.store import bundled_path
from spade_envs.types import EnvSource
from spade_envs.wrappers import MASKED, ActionMenu, BytesObservation, HashedNgrams, TextView, TokenIds

ENV = "spade/env-0002"
CL100K = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""Name of the file of cl100k_base in tiktoken's cache."""


class Parrot(gymnasium.Env[str, str]):
    """Says what it is told to say, whatever it hears."""

    observation_space = UnicodeText(100_000)
    action_space = UnicodeText(100)

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.heard: list[str] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        return self.texts[0], {"text": "mine"}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self.heard.append(action)
        return self.texts[min(len(self.heard), len(self.texts) - 1)], 0, False, False, {}


@pytest.fixture
def env() -> Iterator[gymnasium.Env[str, str]]:
    made = gymnasium.make(ENV)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def no_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of encodings, and no way to fill it."""
    import tiktoken.load

    def refuse(blobpath: str) -> bytes:
        raise AssertionError(f"{blobpath} would be downloaded")

    monkeypatch.setattr(tiktoken.load, "read_file", refuse)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    return tmp_path


# -- together ----------------------------------------------------------------------------------------------------

VIEWS: dict[str, Callable[[Any], gymnasium.Env[Any, Any]]] = {
    "menu, bytes": lambda env: BytesObservation(ActionMenu(env)),
    "bytes, menu": lambda env: ActionMenu(BytesObservation(env, 300, "start"), 40),
    "menu, n-grams": lambda env: HashedNgrams(ActionMenu(env), 64, (2, 2)),
    "tokens, menu": lambda env: ActionMenu(TokenIds(env, 99)),
    "all": lambda env: TokenIds(HashedNgrams(ActionMenu(BytesObservation(env)))),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_pass_the_checker_and_come_back_from_their_spec(name: str) -> None:
    env = VIEWS[name](gymnasium.make(ENV))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The checker would rather see an environment without wrappers.
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version")
        check_env(env)
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec and again.observation_space == env.observation_space
    first, info = env.reset(seed=5)
    second, other = again.reset(seed=5)
    assert np.array_equal(first, second) and info["text"] == other["text"]
    assert info["text"].startswith("You stand at an old organ console")
    for one in (env, again):
        one.close()


def test_views_keep_what_the_environment_says(env: gymnasium.Env[str, str]) -> None:
    view = BytesObservation(ActionMenu(env))
    plain = gymnasium.make(ENV)
    text, told = plain.reset(seed=3)
    _, info = view.reset(seed=3)
    assert (info["text"], info["seed"]) == (text, told["seed"])
    text, *signals, _ = plain.step("\\boxed{SEAL}")
    observation, *same, info = view.step(np.int64(info["menu"].index("\\boxed{SEAL}")))
    assert info["text"] == text and same == signals and [type(s) for s in same] == [float, bool, bool]
    assert bytes(observation).rstrip(b"\0").decode() == text
    plain.close()


def test_a_view_needs_text() -> None:
    with pytest.raises(TypeError, match=r"observations that are text.*ndarray"):
        BytesObservation(gymnasium.make("CartPole-v1")).reset(seed=1)


def test_the_authors_own_text_in_info_is_not_mistaken_for_the_observation() -> None:
    assert BytesObservation(Parrot("shown")).reset()[1]["text"] == "shown"


# -- menus -------------------------------------------------------------------------------------------------------


def test_the_menu_view_is_won_by_numbers() -> None:
    env = gymnasium.make("spade/env-0002-menu")
    assert env.action_space == gymnasium.spaces.Discrete(64)
    assert env.observation_space == gymnasium.spaces.Box(0, 255, (1024,), np.uint8)
    source = Shelf(bundled_path()).read_source("env-0002")
    for seed in range(5):
        _, info = env.reset(seed=seed)
        for action in play_witness(source, seed).actions:
            number = info["menu"].index(action)
            assert info["action_mask"][number] == 1
            _, reward, terminated, truncated, info = env.step(number)
        assert (reward, terminated, truncated, info["success"], info["masked"]) == (1.0, True, False, True, False)
    env.close()


def test_the_mask_fits_the_menu(env: gymnasium.Env[str, str]) -> None:
    view = ActionMenu(env, size=20)
    _, info = view.reset(seed=1)
    assert info["action_mask"].dtype == np.int8 and info["action_mask"].tolist() == [1] * 17 + [0] * 3
    assert info["menu"] == menus.menu(info["text"], info["text"], (), 20)
    assert view.action_masks().dtype == np.bool_ and view.action_masks().tolist() == [True] * 17 + [False] * 3
    assert BytesObservation(view).get_wrapper_attr("action_masks") == view.action_masks
    short = ActionMenu(env, size=4).reset(seed=1)[1]
    assert short["menu"] == info["menu"][:4] and short["action_mask"].tolist() == [1] * 4


def test_a_masked_number_plays_a_text_that_is_wrong_anywhere(env: gymnasium.Env[str, str]) -> None:
    assert MASKED == WRONG
    view, plain = ActionMenu(env), gymnasium.make(ENV)
    view.reset(seed=1), plain.reset(seed=1)
    observation, *signals, info = view.step(63)
    assert (observation, *signals) == plain.step(WRONG)[:4] and info["masked"] is True
    assert "no command" in observation and info["action_mask"].sum() == 17
    plain.close()


def test_the_menu_follows_the_observation() -> None:
    parrot = Parrot("\\boxed{look} or \\boxed{take ITEM}", "Here: rope.", "Here: oil.")
    view = ActionMenu(parrot)
    _, info = view.reset()
    assert "\\boxed{take rope}" not in info["menu"]
    *_, info = view.step(0)
    assert "\\boxed{take rope}" in info["menu"]
    view.step(info["menu"].index("\\boxed{take rope}"))
    assert parrot.heard == ["\\boxed{look}", "\\boxed{take rope}"]
    view.step(0)
    assert view.reset()[1]["menu"] == ActionMenu(Parrot(parrot.texts[0])).reset()[1]["menu"]


def test_a_menu_of_tool_calls_plays_them() -> None:
    view = ActionMenu(gymnasium.make("spade/env-0003"))
    _, info = view.reset(seed=1)
    assert all(entry.startswith(("<tool_call>", "<answer>")) for entry in info["menu"])
    number = next(i for i, entry in enumerate(info["menu"]) if '"side": "north"' in entry)
    assert "N1: " in view.step(number)[0]
    view.close()


@pytest.mark.parametrize("number", [-1, 64, np.int64(64)])
def test_numbers_out_of_range_are_a_mistake(env: gymnasium.Env[str, str], number: int) -> None:
    view = ActionMenu(env)
    view.reset(seed=1)
    with pytest.raises(ValueError, match=r"range\(64\)"):
        view.step(number)
    with pytest.raises(TypeError):
        view.step("\\boxed{SEAL}")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["env-0001", "env-0004", "env-0007"])
def test_free_answers_have_no_menu(name: str) -> None:
    env = gymnasium.make(f"spade/{name}")
    with pytest.raises(ValueError, match=rf"spade/{name} offers no menu.*free answers.*-menu"):
        ActionMenu(env)
    with pytest.raises(ValueError, match="offers no menu"):
        ActionMenu(Parrot("What is 6 times 7? \\boxed{N}")).reset()
    assert f"spade/{name}-menu" not in gymnasium.registry


def test_a_reset_that_fails_leaves_one_number() -> None:
    text = EXAMPLE.replace("rng = random", "1 / 0; rng = random")
    view = ActionMenu(SpadeEnv(EnvSource(text), EnvSettings("interactive")))
    _, info = view.reset(seed=1)
    assert info["stop_reason"] == "env_raised" and info["menu"] == (MASKED,) and info["action_mask"].sum() == 1
    assert view.step(0)[2:4] == (False, True)
    view.close()


# -- texts as numbers --------------------------------------------------------------------------------------------


def viewed(view: type[TextView], text: str, **arguments: Any) -> list[Any]:
    """A text through a view, as a list."""
    env = view(Parrot(text), **arguments)
    array = env.reset()[0]
    assert array in env.observation_space
    return list(array.tolist())


def test_bytes_are_utf8_and_padded() -> None:
    assert viewed(BytesObservation, "né", length=5) == [110, 195, 169, 0, 0]
    assert viewed(BytesObservation, "", length=2) == [0, 0]
    assert viewed(BytesObservation, "a\ud800", length=2) == [97, 63]


def test_the_end_of_a_longer_text_is_kept_or_its_start() -> None:
    assert viewed(BytesObservation, "abcdef", length=3) == [100, 101, 102]
    assert viewed(BytesObservation, "abcdef", length=3, keep="start") == [97, 98, 99]
    assert viewed(TokenIds, "abcdef" * 99, length=2, keep="start") == [97, 98]
    assert viewed(TokenIds, "abcdef" * 99, length=2) == [101, 102]


def fnv1a(data: bytes) -> int:
    """The 64 bit hash, by its definition."""
    hashed = 0xCBF29CE484222325
    for byte in data:
        hashed = (hashed ^ byte) * 0x100000001B3 % 2**64
    return hashed


def test_ngrams_are_counted_by_a_hash_that_never_changes() -> None:
    assert fnv1a(b"abc") == 0xE71FA2190541574B
    text = "the cat, the hat, né"
    counts = np.zeros(50)
    data = text.encode()
    for gram in [data[at : at + n] for n in (3, 4) for at in range(len(data) - n + 1)]:
        hashed = fnv1a(gram)
        counts[(hashed ^ hashed >> 32) % 50] += 1
    found = viewed(HashedNgrams, text, size=50, n=(3, 4))
    assert np.allclose(found, counts / np.linalg.norm(counts)) and np.linalg.norm(found) == pytest.approx(1)


@pytest.mark.parametrize(("text", "total"), [("", 0.0), ("ab", 0.0), ("abc", 1.0), ("aaaaaaa", 1.0)])
def test_ngrams_of_short_texts(text: str, total: float) -> None:
    assert sum(viewed(HashedNgrams, text, n=(3, 3))) == total


def test_tokens_are_bytes_where_the_encoding_is_not_at_hand() -> None:
    view = TokenIds(Parrot("hé"), length=5)
    observation, info = view.reset()
    assert (view.tokens, info["tokens"], view.padding) == ("bytes", "bytes", 256)
    assert observation.dtype == np.int64 and observation.tolist() == [104, 195, 169, 256, 256]
    with pytest.raises(AssertionError, match="would be downloaded"):
        TokenIds(Parrot(""), download=True)


def test_tokens_are_the_encodings_where_it_is_at_hand(no_download: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken

    ranks = {bytes([byte]): byte for byte in range(256)} | {b"he": 256}
    small = tiktoken.Encoding("small", pat_str=r"\w+|\W", mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 257})
    (no_download / CL100K).touch()
    monkeypatch.setattr(tiktoken, "get_encoding", {"cl100k_base": small}.__getitem__)
    view = TokenIds(Parrot("he<|endoftext|>\ud800"), length=30)
    observation, info = view.reset()
    assert (info["tokens"], view.padding) == ("cl100k_base", 258)
    assert observation.tolist() == [256, *b"<|endoftext|>?", *[258] * 15]


@pytest.mark.parametrize(("keep", "expected"), [("end", list(range(5, 8))), ("start", list(range(3)))])
def test_only_a_part_of_a_long_text_is_encoded(
    no_download: Path, monkeypatch: pytest.MonkeyPatch, keep: str, expected: list[int]
) -> None:
    import tiktoken

    class Slow:
        n_vocab = 9

        def encode_ordinary(self, text: str) -> list[int]:
            assert len(text) <= 50, "encoding a hostile text whole may take very long"
            return list(range(8))

    (no_download / CL100K).touch()
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: Slow())
    assert TokenIds(Parrot("h" * 90_000), length=3, keep=keep).reset()[0].tolist() == expected


@pytest.mark.parametrize(
    ("view", "arguments", "says"),
    [
        (ActionMenu, {"size": 1}, "size must be at least 2"),
        (BytesObservation, {"length": 0}, "length must be at least 1"),
        (BytesObservation, {"keep": "middle"}, "keep must be 'end' or 'start'"),
        (HashedNgrams, {"size": 0}, "size must be at least 1"),
        (HashedNgrams, {"n": (3, 2)}, "n must be"),
        (TokenIds, {"length": -1}, "length must be at least 1"),
        (TokenIds, {"encoding": "gpt9"}, "encoding must be one of cl100k_base"),
        (TokenIds, {"keep": ""}, "keep must be"),
    ],
)
def test_wrong_arguments_say_what_is_allowed(view: Callable[..., Any], arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        view(Parrot("x"), **arguments)


# -- ids ---------------------------------------------------------------------------------------------------------


def test_only_cards_that_say_so_have_a_menu_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf.create(tmp_path / "lab", "views", 1)
    put(shelf, 1, menu=True), put(shelf, 2, menu=False)
    monkeypatch.setenv("SPADE_ENVS_PATH", str(shelf.path))
    monkeypatch.setattr(gymnasium, "registry", {})
    bundled = Shelf(bundled_path()).entries()
    assert register() == len(bundled) + 2 and register() == 0
    named = [name for name in gymnasium.registry if name.endswith("-menu")]
    assert named == [f"{entry.env_id}-menu" for entry in (*bundled, *shelf.entries()) if entry.menu]
    assert "spade/env-0002-menu" in named and "views/env-0001-menu" in named and "views/env-0002-menu" not in named
    spec = gymnasium.registry["views/env-0001-menu"]
    assert spec.kwargs == gymnasium.registry["views/env-0001"].kwargs and EnvSpec.from_json(spec.to_json()) == spec


def test_a_menu_id_is_made_from_its_spec_and_in_other_processes() -> None:
    env = gymnasium.make("spade/env-0002-menu", size=30, length=200, max_turns=2, hint=True)
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert np.array_equal(again.reset(seed=7)[0], env.reset(seed=7)[0])
    assert again.action_space.n == 30 and again.observation_space.shape == (200,)
    assert [again.step(2)[3] for _ in range(2)][:1] == [False] and again.unwrapped.max_turns == 2
    for one in (env, again):
        one.close()
    code = "import gymnasium; print(gymnasium.make('spade_envs:spade/env-0002-menu').reset(seed=7)[0].sum())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    plain = gymnasium.make("spade/env-0002-menu")
    assert done.stdout == f"{plain.reset(seed=7)[0].sum()}\n", done.stderr
    plain.close()


def test_the_default_size_is_the_one_that_cards_are_judged_by() -> None:
    assert registry.load_menu.__kwdefaults__["size"] == menus.SIZE


@pytest.mark.parametrize("vector", [SyncVectorEnv, AsyncVectorEnv])
def test_many_at_once(vector: Callable[..., Any]) -> None:
    envs = vector([lambda: gymnasium.make("spade/env-0002-menu")] * 2)
    observations, infos = envs.reset(seed=[1, 2])
    assert observations.shape == (2, 1024) and infos["action_mask"].shape == (2, 64)
    assert infos["menu"][0].index("\\boxed{SEAL}") == infos["menu"][1].index("\\boxed{SEAL}") == 2
    after, _, _, _, infos = envs.step(np.array([2, 63]))
    assert "seal breaks" in bytes(after[0]).decode("utf-8", "ignore") and infos["masked"].tolist() == [False, True]
    envs.close()
