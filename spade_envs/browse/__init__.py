"""A local page over the memory: search and filter environments, read them, and see what was measured.

It listens on 127.0.0.1 only and answers nobody without its key (:mod:`~spade_envs.browse.security`). Everything that a
model wrote is hostile text and reaches the page through :mod:`~spade_envs.browse.screening` alone. Needs the extra
``[browse]``; nothing here is imported before ``spade-envs browse`` is run.
"""
