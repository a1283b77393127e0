"""``check --write-test``: a pytest file that plays what a finding complains about, and passes once it is mended."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ..atomic import write_new
from ..types import EnvSource, Finding, Report, Severity

_EPISODE_RULES = {
    "load.": "assert episode.error is None, episode.error",
    "contract.": "assert episode.error is None, episode.error",
    "robustness.": "assert episode.error is None, episode.error",
    "exploits.floor": "assert not episode.success, episode.turns[-1:]",
    "exploits.blind": "assert not episode.success, episode.turns[-1:]",
    "exploits.farming": "assert episode.total_reward <= 1.0 + 1e-6, episode.total_reward",
}
"""What the replayed episode must show, by rule; every test also asks the gate."""

_HEAD = '''\
"""Written by `spade-envs check --write-test`: fails as long as the environment has this flaw."""

from pathlib import Path

from spade_envs import EnvSource, reproduce, validate

SOURCE = Path(__file__).parent / {path}
'''

_TEST = '''

def test_{name}():
    """{title}"""
    source = EnvSource(SOURCE.read_text(encoding="utf-8"){declared})
    seed = {seed}
    actions = {actions}
    episode = reproduce(source, seed, actions)
{check}    assert {rule!r} not in {{finding.rule for finding in validate(source).findings}}
'''


def write_tests(folder: Path, path: Path, report: Report, source: EnvSource) -> Path | None:
    """Write one file with a test per finding that has a reproduction.

    Args:
        folder: where to put it; made when it is not there.
        path: file of the source.
        report: what the gate said of it.
        source: the source itself, whose declared contract and hint the test declares too.

    Returns:
        The file, or ``None`` when no finding has a reproduction. Nothing is overwritten: a number is added to the name.

    Raises:
        OSError: the file cannot be written.
    """
    findings = [finding for finding in report.findings if finding.repro is not None]
    if not findings:
        return None
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is no folder; name one for the tests, or one that is not there yet")
    folder.mkdir(parents=True, exist_ok=True)
    # Resolved, because the way up from a linked folder is not the way back.
    relative = os.path.relpath(path.resolve(), folder.resolve())
    text = _HEAD.format(path=ascii(relative)) + "".join(_tests(findings, source))
    stem = re.sub(r"\W+", "_", path.stem).strip("_")[:100] or "env"
    number = 1
    while True:
        target = folder / f"test_{stem}{'' if number == 1 else f'_{number}'}.py"
        try:
            write_new(target, text.encode("utf-8"))
        except FileExistsError:
            number += 1
        else:
            return target


def _tests(findings: Sequence[Finding], source: EnvSource) -> list[str]:
    written = []
    declared = {"contract": source.contract, "hint": source.hint}
    names: dict[str, int] = {}
    for finding in findings:
        assert finding.repro is not None
        name = finding.rule.replace(".", "_")
        names[name] = names.get(name, 0) + 1
        check = next((code for rule, code in _EPISODE_RULES.items() if finding.rule.startswith(rule)), "")
        if finding.severity is Severity.WARNING and finding.rule.startswith("contract."):
            check = ""
        title = _titled(finding.message)
        written.append(
            _TEST.format(
                name=name if names[name] == 1 else f"{name}_{names[name]}",
                title=title,
                declared="".join(f", {key}={value!a}" for key, value in declared.items() if value),
                seed=finding.repro.seed,
                actions=_listed(finding.repro.actions),
                check=f"    {check}\n" if check else "",
                rule=finding.rule,
            )
        )
    return written


def _titled(message: str) -> str:
    """A message as the ASCII text of a docstring, cut where no escape is cut."""
    pieces: list[str] = []
    for letter in " ".join(message.split()).replace('"', "'"):
        piece = letter if letter == "'" else ascii(letter)[1:-1]
        if sum(map(len, pieces)) + len(piece) > 104:
            break
        pieces.append(piece)
    return "".join(pieces)


def _listed(actions: Sequence[str]) -> str:
    """A list literal in ASCII, one action per line: what models say must not hide in a test file."""
    if not actions:
        return "[]"
    return "[\n" + "".join(f"        {action!a},\n" for action in actions) + "    ]"
