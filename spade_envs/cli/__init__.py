"""The ``spade-envs`` command.

Exit codes: 0 fine; 1 a source is refused; 3 a source is undecided; 2 wrong usage, an unreadable path, or an error that
prevented the work; 130 interrupted.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence

import cyclopts

from ..errors import ClientError, SpadeEnvsError
from ..terminal import tame
from . import asking, checking, corpora, demo, doctor, explain, generating, looking, playing, probing, prompting

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
    looking.list_envs,
    looking.show,
    playing.play,
    explain.explain,
    corpora.corpus,
    prompting.prompts,
    generating.generate,
    probing.probe,
    doctor.doctor,
    demo.demo,
)


def _examples(command: Callable[..., int]) -> str | None:
    """The ``Examples:`` block of a docstring, which the docstring parser leaves out of the help."""
    text = inspect.cleandoc(command.__doc__ or "")
    _, found, rest = text.partition("Examples:\n")
    return "Examples:\n\n" + rest.split("Args:")[0].strip("\n") if found else None


for _command in _COMMANDS:
    name = _command.__name__.removesuffix("_envs")
    app.command(_command, name=name, help_epilogue=_examples(_command))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    if sys.stdout is None or sys.stderr is None:
        # Started with a closed descriptor (`>&-`): there is nobody to tell, which is no reason to fail.
        sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # lives as long as the process
        sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    try:
        result = app(sys.argv[1:] if argv is None else list(argv), exit_on_error=False, print_error=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except cyclopts.CycloptsError as error:
        print(f"spade-envs: {tame(str(error))}\nTry `spade-envs --help`.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted; what was finished is kept.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong. Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (SpadeEnvsError, OSError, ValueError) as error:
        text = asking.as_flags(str(error)) if isinstance(error, ClientError) else str(error)
        print(f"spade-envs: {tame(text)}", file=sys.stderr)
        return 2
