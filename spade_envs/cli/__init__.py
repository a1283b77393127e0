"""The ``spade-envs`` command.

Exit codes: 0 fine; 1 a source is refused; 3 a source is undecided; 2 wrong usage, an unreadable path, or an error that
prevented the work; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import cyclopts

from ..errors import SpadeEnvsError
from ..terminal import tame
from . import checking, demo, doctor, explain, looking, playing

app = cyclopts.App(
    name="spade-envs",
    help="Turn LLM-written environments into gymnasium ids that an RL run can trust.",
    help_format="plaintext",
    version_flags=["--version"],
    result_action="return_value",
)
app.command(checking.check)
app.command(checking.admit)
app.command(looking.list_envs, name="list")
app.command(looking.show)
app.command(playing.play)
app.command(explain.explain)
app.command(doctor.doctor)
app.command(demo.demo)


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
        print(f"spade-envs: {tame(str(error))}", file=sys.stderr)
        return 2
