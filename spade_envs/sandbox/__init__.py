"""The box: runs untrusted source in a process that can do nothing but compute, and can be killed.

Two independent layers. The *language* layer (``policy``, ``guards``, ``facades``) keeps ordinary programs
ordinary: it refuses what reaches for the interpreter, and makes randomness, clocks and printing belong to one
instance. It is a fence, not a wall: expect it to be climbed about once a year. The *kernel* layers
(``lockdown``) are the wall: resource limits, no new privileges, Landlock and a seccomp allow-list leave a worker
nothing to call but memory, clocks and the one socket it answers on. Each holds without the other.

What is **not** covered: a worker can spend CPU time up to its limits, can lie about its own environment, and can
observe time; side channels of the processor and bugs of the kernel are out of reach of this package; below level
``seccomp`` (no Linux, no seccomp) only the language layer and the process boundary remain, and nothing runs
there unless the caller says so.

Modules of this folder that run in the worker are loaded by path, as members of a package of their own, so that
neither gymnasium nor ``spade_envs`` itself exists in the worker. They import only the standard library,
RestrictedPython and each other.
"""
