"""The ``spade-envs`` command.

Exit codes: 0 fine; 1 a source is refused; 3 a source is undecided; 2 wrong usage, an unreadable path, or an error that
prevented the work; 130 interrupted; 141 stopped because nobody reads the output.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence

import cyclopts

from ..errors import ClientError, SpadeEnvsError
from ..terminal import tame
from . import (
    asking,
    browsing,
    checking,
    comparing,
    corpora,
    counting,
    demo,
    doctor,
    explain,
    generating,
    importing,
    keeping,
    listing,
    looking,
    playing,
    probing,
    prompting,
    relatives,
    training,
)

app = cyclopts.App(
    name="spade-envs",
    help="Turn LLM-written environments into gymnasium ids that an RL run can trust.",
    help_format="plaintext",
    version_flags=["--version"],
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
_COMMANDS: tuple[Callable[..., int], ...] = (
    checking.check,
    checking.admit,
    importing.import_envs,
    listing.list_envs,
    listing.search,
    looking.show,
    relatives.lineage,
    comparing.diff,
    counting.stats,
    playing.play,
    explain.explain,
    corpora.corpus,
    prompting.prompts,
    generating.generate,
    probing.probe,
    training.train,
    browsing.browse,
    doctor.doctor,
    demo.demo,
)


def _parts(command: Callable[..., int]) -> tuple[str, str | None]:
    """What a docstring says of a command, and its ``Examples:`` block, which its parser leaves out of the help.

    Lines of one paragraph are joined: the terminal breaks them where it ends.
    """
    said = inspect.cleandoc(command.__doc__ or "").partition("Args:\n")[0]
    about, found, rest = said.partition("Examples:\n")
    return _joined(about), "Examples:\n\n" + _joined(rest) if found else None


def _joined(text: str) -> str:
    paragraphs = [part.strip("\n") for part in text.split("\n\n")]
    return "\n\n".join(part if part.startswith(" ") else part.replace("\n", " ") for part in paragraphs if part)


_NAMES = {_command.__name__.removesuffix("_envs") for _command in _COMMANDS} | {"memory"}
_MEMORY = {_command.__name__ for _command in keeping.COMMANDS}
_WORKING = {"check", "admit", "import", "generate", "probe", "train"}
"""Commands whose work is not done when their output is not wanted any more; they end as SIGPIPE would end them."""

for _command in _COMMANDS:
    name = _command.__name__.removesuffix("_envs")
    about, examples = _parts(_command)
    app.command(_command, name=name, help=about, help_epilogue=examples)

_memory = cyclopts.App(name="memory", help="Verify, back up, export, rebuild or prune what is remembered.")
for _command in keeping.COMMANDS:
    about, examples = _parts(_command)
    _memory.command(_command, help=about, help_epilogue=examples)
app.command(_memory)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    if sys.stdout is None or sys.stderr is None:
        # Started with a closed descriptor (`>&-`): there is nobody to tell, which is no reason to fail.
        sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # lives as long as the process
        sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        result = app(words, exit_on_error=False, print_error=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except cyclopts.CycloptsError as error:
        command = f" {words[0]}" if words and words[0] in _NAMES else ""
        if words[:1] == ["memory"] and words[1:2] and words[1] in _MEMORY:
            command += f" {words[1]}"
        print(f"spade-envs: {tame(str(error))}\nTry `spade-envs{command} --help`.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted; what was finished is kept.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`| head`). Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not words or words[0] not in _WORKING:
            return 0
        print("Stopped, since nobody reads the output; what was finished is kept.", file=sys.stderr)
        return 141
    except (SpadeEnvsError, OSError, ValueError) as error:
        own = isinstance(error, (ClientError, ValueError)) and not isinstance(error, OSError)
        text = asking.as_flags(str(error)) if own else str(error)
        print(f"spade-envs: {tame(text)}", file=sys.stderr)
        return 2
