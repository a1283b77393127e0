"""Other engines train what self-play collects: TRL, verl, slime, prime-rl, Tinker.

Each module turns a :class:`~spade_envs.types.Trajectory` into the form its engine reads, which needs no engine, and
plugs a :class:`~spade_envs.adapters.collecting.Collector` into the engine's public contract, which imports it when it
is asked for. Advantages are ours and arrive as they are; how a loss is averaged is the engine's.

No version is pinned here, since no one environment holds all of them: spade-envs is installed into the engine's.
"""

from __future__ import annotations
