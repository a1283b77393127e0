"""``train``: self-play, from a preset, a file or flags."""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ..selfplay.config import Config
from ..selfplay.events import Result
from ..selfplay.failures import ConfigError
from ..selfplay.plan import plan
from ..selfplay.presets import assembled
from ..selfplay.presets import preset as preset_of
from ..selfplay.reading import Setting, read_settings, save_config
from ..selfplay.run_folder import kept_config
from ..terminal import shown, tame
from . import screen
from .planning import plan_row, show_plan
from .setting_flags import NO_FLAGS, SettingFlags, given
from .watching import watching

NEEDED = {"hf": ("torch", "transformers", "safetensors"), "vllm": ("torch", "transformers", "peft", "safetensors")}
"""Packages that an engine needs, all in the extra ``train``."""


def train(
    config: Annotated[Path | None, Parameter(name="CONFIG")] = None,
    /,
    *,
    preset: str = "",
    ablation: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    resume: Annotated[bool, Parameter(negative="")] = False,
    dry_run: Annotated[bool, Parameter(negative="")] = False,
    save_config_to: Annotated[Path | None, Parameter(name="--save-config")] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    settings: Annotated[SettingFlags, Parameter(name="*")] = NO_FLAGS,
) -> int:
    """Train one policy that designs environments and plays them: self-play, as in SPADE.

    Settings come from a preset, then from the file CONFIG, then from ablations, then from flags; later ones win.
    A run writes into its own folder only, and goes on from its last checkpoint with --resume.

    Examples:

      spade-envs train --preset tiny-cpu --run.folder tiny
      spade-envs train --preset tiny-cpu --dry-run
      spade-envs train --preset single-gpu-4b --save-config run.toml
      spade-envs train run.toml --ablation no-memory --run.seed 1 --run.folder no-memory
      spade-envs train --resume --run.folder tiny --run.cycles 200

    Exit code 0 when all cycles were run, 3 when it stopped before and can go on with --resume, 2 for wrong usage or
    when nothing could be run, 130 when it was interrupted.

    Args:
        config: TOML file with settings, as --save-config writes it.
        preset: tiny-cpu, single-gpu-4b, paper-games-4b, -8b, -30b, or paper-tools-4b, -8b, -30b.
        ablation: take something away: no-corpus, no-memory, frozen-designer, fixed-pool, two-skills, learning-potential
            or solve-rate; may be given several times.
        resume: go on with the run in --run.folder.
        dry_run: print the resolved settings with estimates of tokens, memory and disk, and run nothing.
        save_config_to: write the resolved settings into a new file, and run nothing.
        as_json: print one JSON object per cycle, or the plan as one.
    """
    chosen = _chosen(config, preset, ablation, given(settings), resume=resume)
    if save_config_to is not None:
        save_config(chosen, save_config_to)
    if dry_run:
        planned = plan(chosen)
        if as_json:
            print(json.dumps(plan_row(planned)))
        else:
            show_plan(planned)
    if dry_run or save_config_to is not None:
        return 0
    return _run(chosen, resume=resume, as_json=as_json)


def _chosen(path: Path | None, preset: str, ablation: tuple[str, ...], flags: list[Setting], *, resume: bool) -> Config:
    """The resolved configuration."""
    file = read_settings(path) if path is not None else []
    if resume and path is None and not preset and not ablation:
        named = [one for one in flags if one.name == "run.folder"]
        folder = str(named[-1].value) if named else Config().run.folder
        return assembled(kept_config(Path(folder)), (), (), flags)
    return assembled(preset_of(preset) if preset else Config(), file, ablation, flags)


def _run(config: Config, *, resume: bool, as_json: bool) -> int:
    _see_what_is_installed(config)
    from ..selfplay.runs import train as run

    try:
        with watching(config.run.cycles, as_json=as_json) as watch:
            result = run(config, watch=watch, resume=resume)
    except KeyboardInterrupt:
        print(f"Interrupted; {_how_to_go_on(config)}", file=sys.stderr)
        return 130
    _tell(result, config, as_json=as_json)
    return {"done": 0, "interrupted": 130}.get(result.stopped, 3)


def _see_what_is_installed(config: Config) -> None:
    """Say what is missing before a folder is made.

    Raises:
        ConfigError: a package is missing, or another program runs the training.
    """
    engine = config.engine.engine
    if engine == "external":
        raise ConfigError(
            'engine.engine = "external" leaves the training to verl, slime, TRL or prime-rl, which call '
            "spade_envs.adapters; --save-config FILE writes the settings for them, --dry-run shows what they take"
        )
    missing = [name for name in NEEDED.get(engine, ()) if importlib.util.find_spec(name) is None]
    if engine == "hf" and config.engine.lora_rank and importlib.util.find_spec("peft") is None:
        missing.append("peft")
    if missing:
        raise ConfigError(
            f'engine.engine = "{engine}" needs {", ".join(missing)}: pip install "spade-envs[train]"; '
            "--dry-run works without"
        )


def _tell(result: Result, config: Config, *, as_json: bool) -> None:
    if as_json:
        row = {"cycles": result.cycles, "policy_version": result.policy_version, "folder": str(result.folder)}
        print(json.dumps({**row, "troubles": dict(result.troubles), "stopped": result.stopped}), flush=True)
        return
    out = screen.console()
    out.print(f"{result.cycles} of {config.run.cycles} cycles, policy version {result.policy_version}", style="bold")
    if result.troubles:
        counted = ", ".join(f"{count} {kind}" for kind, count in sorted(result.troubles.items()))
        out.print(shown(f"  troubles: {counted}", "yellow", limit=400))
    out.print(shown(f"  metrics: {result.folder / 'metrics.jsonl'}, samples: {result.folder / 'samples'}", "dim"))
    if result.stopped != "done":
        why = "interrupted" if result.stopped == "interrupted" else f"stopped: {result.stopped}"
        print(f"spade-envs: {tame(why, limit=600)}; {_how_to_go_on(config)}", file=sys.stderr)


def _how_to_go_on(config: Config) -> str:
    return f"go on with: spade-envs train --resume --run.folder {config.run.folder}"
