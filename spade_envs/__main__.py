"""``python -m spade_envs``: the same as the ``spade-envs`` command."""

from spade_envs.cli import main

raise SystemExit(main())
