"""The process of :class:`~spade_envs.local.LocalModel`: llama.cpp's server with one model, as long as its parent lives.

It is started by the path of this file, with the settings as JSON in its one argument, and uses only the standard
library and xllamacpp. Standard output gets one line, the address of the server; all that native code prints goes to
standard error.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

LOOK_SECONDS = 0.5
"""Between looks at the parent. The end of a pipe would not do: a fork of the parent may hold it open."""


def main() -> None:
    """Serve until the parent is gone."""
    asked = json.loads(sys.argv[1])
    # Native code may print what it likes to descriptor 1.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # Before the model is loaded, which may take long.
    watch = threading.Thread(target=end_with, args=(asked["parent"],))
    watch.start()
    server = serve(asked)
    print(server.listening_address, file=answers, flush=True)
    answers.close()
    watch.join()


def serve(asked: dict[str, Any]) -> Any:
    """llama.cpp's server, on a free port of this machine only."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = asked["path"]
    params.model_alias = {asked["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = asked["parallel"]
    params.n_ctx = asked["context"] * asked["parallel"]
    params.offline = True
    params.ui = False
    params.endpoint_slots = False
    # Otherwise any page in a browser of this machine may ask the model.
    params.cors_origins = "http://127.0.0.1"
    params.verbosity = 2
    for processors in (params.cpuparams, params.cpuparams_batch):
        # Its threads wait for each other: without a processor for each, or when they spin, ten times as long.
        processors.n_threads = max(1, len(os.sched_getaffinity(0)) - 1)
        processors.poll = 0
    return xllamacpp.Server(params)


def end_with(parent: int) -> None:
    """End this process, whatever it is doing, when its parent is gone."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(0)


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:  # not left to Python, which would wait for the thread that watches
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
