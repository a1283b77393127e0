"""Publishing: LoRA adapters to every replica of vLLM, under a new name for every version; or nothing to do at all."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from ..atomic import explained
from ..client import Client, RequestFailed
from ..errors import StoreError
from .failures import SyncError
from .steps import Published
from .verification import GapWatch, Scorer, Verification
from .vllm_sampler import VllmServer

WEIGHTS_FILE = "adapter_model.safetensors"
"""PEFT's name for an adapter's weights."""


class AdapterPolicy(Scorer, Protocol):
    """A policy that can write its adapters."""

    def save_adapter(self, folder: Path) -> None:
        """Write them as PEFT does."""


class Versioned(Protocol):
    """Whose weights are published."""

    @property
    def policy_version(self) -> int:
        """Their number."""


class LoraSync:
    """Writes the adapters of version N as ``<run>-vN`` and loads them on every replica.

    Adapters more than ``max_staleness`` versions old are unloaded, and their files deleted one sync later.
    A name that was ever used gets a suffix: an empty file ``<name>.used`` stays behind. What a process before this one
    wrote into the same folder and left on the servers is unloaded first.

    Args:
        learner: whose weights are published.
        policy: its model.
        client: of the servers; open.
        sampler: told which adapter to draw from.
        verification: looks at every sync.
        run: name of the run: letters, digits, dots and dashes.
        folder: where adapters are written; servers read them under the same path.
        max_staleness: versions that stay loaded beside the newest.
    """

    def __init__(
        self,
        learner: Versioned,
        policy: AdapterPolicy,
        client: Client,
        sampler: VllmServer,
        verification: Verification,
        *,
        run: str,
        folder: Path,
        max_staleness: int = 8,
    ) -> None:
        self._learner, self._policy, self._client = learner, policy, client
        self._sampler, self._verification = sampler, verification
        self._run, self._folder, self._max_staleness = run, folder.resolve(), max_staleness
        self._loaded: list[Published] = []
        self._unloaded: list[Published] = []

    async def publish(self) -> Published:
        """Give the servers the learner's present weights; the first time, see a canary as well.

        Raises:
            SyncError: when they did not arrive everywhere.
        """
        version = self._learner.policy_version
        if self._loaded and self._loaded[-1].policy_version == version:
            return self._loaded[-1]
        try:
            if not self._loaded:
                await self._clear()
            published = await self._bring(f"{self._run}-v{version}", version)
            if not self._loaded:
                await self._verification.verify(published, None)
                await self._show_canary(published)
            self._loaded.append(published)
            self._sampler.switch(published.name, version)
            await self._retire(version)
        except (RequestFailed, StoreError) as error:
            raise SyncError(f"version {version} was not published: {error}") from error
        return published

    async def verify(self, published: Published, gap: float | None) -> Mapping[str, float]:
        """Make sure that the servers draw from it: see :class:`~.verification.Verification`."""
        return await self._verification.verify(published, gap)

    async def close(self) -> None:
        """Unload and delete what is left, as far as the servers are there."""
        for one in (*self._loaded, *self._unloaded):
            await self._unload(one.name)
            self._delete(one.name)
        self._loaded, self._unloaded = [], []

    # -- inside ------------------------------------------------------------------------------------------------

    async def _bring(self, wanted: str, version: int) -> Published:
        """Write the policy's adapters and load them, under the wanted name or one like it."""
        taken = {model.name for model in self._client.capabilities.models}
        name, tried = wanted, 1
        while name in taken or self._was_used(name):
            tried += 1
            name = f"{wanted}-{tried}"
        target, draft = self._folder / name, self._folder / f".tmp-{name}"
        with explained(f"write the adapter {target}"):
            self._folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            self._mark(name).touch()
            self._policy.save_adapter(draft)
            os.replace(draft, target)
            with (target / WEIGHTS_FILE).open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        await self._client.load_adapter(name, target)
        return Published(version, name, sha256)

    async def _show_canary(self, published: Published) -> None:
        scale = await self._verification.canary_scale(published.name, published.policy_version)
        with self._policy.shifted(scale, self._verification.seed):
            canary = await self._bring(f"{self._run}-canary", published.policy_version)
        try:
            await self._verification.see_canary(canary.name, scale)
        finally:
            await self._unload(canary.name)
            self._delete(canary.name)

    async def _retire(self, version: int) -> None:
        """Unload what is too old, and delete what was unloaded at the sync before."""
        for one in self._unloaded:
            self._delete(one.name)
        old = [one for one in self._loaded if one.policy_version < version - self._max_staleness]
        for one in old:
            await self._unload(one.name)
        self._unloaded = old
        self._loaded = [one for one in self._loaded if one not in old]

    async def _clear(self) -> None:
        """Unload what a process before this one left behind."""
        for model in self._client.capabilities.models:
            # Another run may use the same name and servers, but not the same folder.
            if model.name.startswith((f"{self._run}-v", f"{self._run}-canary")) and self._was_used(model.name):
                await self._unload(model.name)
                self._delete(model.name)

    def _mark(self, name: str) -> Path:
        return self._folder / f"{name}.used"

    def _was_used(self, name: str) -> bool:
        return self._mark(name).exists() or (self._folder / name).exists()

    def _delete(self, name: str) -> None:
        shutil.rmtree(self._folder / name, ignore_errors=True)

    async def _unload(self, name: str) -> None:
        # One that stays takes room, and is not drawn from.
        try:
            await self._client.unload_adapter(name)
        except RequestFailed:
            return


class SharedWeights:
    """For a sampler that draws from the learner's own model: nothing is published, and the gap is still looked at.

    Args:
        learner: whose weights they are.
        gap_factor: as for :class:`~.verification.GapWatch`.
        gap_floor: likewise.
        exact: whether the sampler tells the probabilities that the learner computes; not with ``top_p`` or ``top_k``.
    """

    def __init__(self, learner: Versioned, *, gap_factor: float, gap_floor: float, exact: bool = True) -> None:
        self._learner, self._exact = learner, exact
        self._watch = GapWatch(gap_factor, gap_floor)

    async def publish(self) -> Published:
        """Say which version there is."""
        version = self._learner.policy_version
        return Published(version, f"shared-v{version}", "")

    async def verify(self, published: Published, gap: float | None) -> Mapping[str, float]:
        """Look at the gap.

        Raises:
            SyncError: when it is too large.
        """
        if gap is None:
            return {}
        if self._exact:
            self._watch.see(gap, published.policy_version)
        return {"sync/gap": gap}

    async def close(self) -> None:
        """Nothing is held."""
