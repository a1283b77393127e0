"""What a GPU does with the trainer: one command, under seven minutes, no network.

    python benchmarks/gpu_check.py --json benchmarks/gpu_check.json
    python benchmarks/gpu_check.py --cpu --tiny                       the same parts, small, on a processor

It needs ``spade-envs[train]`` and pytest; TRL where it is installed. Each part runs in a process of its own with a time
limit; one that cannot be run or does not end is ``skipped``, with the reason, and what it had found until then is kept.
Exit code 1 means that a part was skipped or a test failed.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

BOXES = {"parity": 90.0, "lora_step": 90.0, "full_step": 90.0, "cycles": 60.0}
"""Seconds for each part; others share what is left."""
OTHERS = 60.0
ALL_SECONDS = 400.0


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of one part."""

    name: str
    seconds: float
    result: Any
    """As the part gave it; with ``skipped``, what it had printed last, if anything."""
    skipped: str = ""
    """Why there is no whole result."""

    @property
    def fine(self) -> bool:
        """Whether it ran to its end and no test failed."""
        tests = (self.result or {}).get("tests", {})
        return not self.skipped and tests.get("exit_code", 0) == 0


def run_part(name: str, device: str, tiny: bool, seconds: float) -> Outcome:
    """Run a part in a process of its own."""
    if seconds < 5:
        return Outcome(name, 0.0, None, f"only {seconds:.0f} s were left")
    command = [sys.executable, __file__, "--part", name, *(["--cpu"] if device == "cpu" else []), *["--tiny"] * tiny]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            out, err = process.communicate(timeout=seconds)
            why = "" if process.returncode == 0 else _last_line(err) or f"it ended with {process.returncode}"
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            why = f"not done in {seconds:.0f} s"
    return Outcome(name, time.perf_counter() - begun, _last_json(out), why)


def _last_json(out: str) -> Any:
    """The last line that is a JSON object."""
    for line in reversed(out.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:400] if lines else ""


def machine(device: str) -> dict[str, Any]:
    """What it ran on."""
    import torch
    import transformers

    found = {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__}
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        return {**found, "device": properties.name, "gib": properties.total_memory / 2**30}
    return {**found, "device": platform.processor() or platform.machine()}


def main() -> int:
    """Run all parts, or one in this process."""
    from benchmarks.gpu_parts import PARTS, Plan

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true", help="use the processor")
    parser.add_argument("--tiny", action="store_true", help="small models and short runs")
    parser.add_argument("--json", type=Path, help="where results go; printed without")
    parser.add_argument("--only", nargs="*", choices=list(PARTS), help="these parts")
    parser.add_argument("--part", choices=list(PARTS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    device = "cpu" if given.cpu else "cuda"
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        parser.error("PyTorch sees no CUDA device; --cpu --tiny runs the same parts on a processor")
    if device == "cpu":
        torch.set_num_threads(1)
    if given.part:
        print(json.dumps(PARTS[given.part](Plan(device, given.tiny))), flush=True)
        return 0
    begun, outcomes = time.perf_counter(), []
    for name in given.only or PARTS:
        left = ALL_SECONDS - (time.perf_counter() - begun)
        outcome = run_part(name, device, given.tiny, min(left, BOXES.get(name, OTHERS)))
        outcomes.append(outcome)
        said = f"skipped: {outcome.skipped}" if outcome.skipped else ("ok" if outcome.fine else "tests failed")
        print(f"{name:12} {outcome.seconds:6.1f} s  {said}", file=sys.stderr, flush=True)
    told = {"machine": machine(device), "tiny": given.tiny, "seconds": time.perf_counter() - begun}
    text = json.dumps({**told, "parts": [dataclasses.asdict(one) for one in outcomes]}, indent=1)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return 0 if all(one.fine for one in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
