"""The ``numpy`` a source gets: no files, no C interfaces, and randomness from the instance's stream.

numpy itself is imported before the lock, and only for sources that mention it.
"""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

from .streams import Streams

_WITHHELD = frozenset(
    (
        "DataSource add_docstring add_newdoc add_newdoc_ufunc byte_bounds char core ctypeslib deprecate disp "
        "distutils emath f2py from_dlpack frombuffer fromfile fromregex genfromtxt get_include info lib load loadtxt "
        "lookfor ma memmap open_memmap polynomial rec record safe_eval save savetxt savez savez_compressed "
        "sctypeDict seterrcall setbufsize show_config show_runtime source test testing who"
    ).split()
)
_RANDOM = (
    "beta binomial bytes chisquare choice dirichlet exponential gamma geometric gumbel hypergeometric "
    "laplace logistic lognormal multinomial multivariate_normal negative_binomial normal pareto "
    "permutation poisson rand randint randn random random_integers random_sample ranf rayleigh sample "
    "shuffle standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular "
    "uniform vonmises wald weibull zipf get_state set_state"
).split()


def preload() -> bool:
    """Import numpy, before the lock; whether it is there. Generators made without a seed get a fixed one.

    numpy asks the system for entropy even where a seed follows (copying a generator, ``RandomState(seed)``); after the
    lock there is none to be had, and before it there must be none to tell runs apart by.
    """
    try:
        for name in ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.random.bit_generator", "numpy.ma"):
            importlib.import_module(name)
    except ImportError:
        return False
    sys.modules["numpy.random.bit_generator"].randbits = lambda bits: 0  # type: ignore[attr-defined]
    return True


def available() -> bool:
    """Whether numpy was imported into this process."""
    return "numpy" in sys.modules


def module(own: Streams) -> types.ModuleType:
    """Build the facade for one instance.

    Raises:
        ImportError: when numpy is not loaded in this worker.
    """
    if not available():
        raise ImportError("numpy is not available in this worker")
    real = sys.modules["numpy"]
    facade = types.ModuleType("numpy")
    vars(facade).update(_public("numpy"))
    vars(facade).update(random=random_module(own), linalg=_submodule("numpy.linalg"), fft=_submodule("numpy.fft"))
    vars(facade).update(typing=_typing(real), ndarray=_Array)
    return facade


class _ArrayMeta(type):
    def __instancecheck__(cls, obj: Any) -> bool:
        return isinstance(obj, sys.modules["numpy"].ndarray)

    def __call__(cls, shape: Any = (), dtype: Any = float, **_: Any) -> Any:
        # The real constructor takes any buffer as objects, which forges them.
        return sys.modules["numpy"].zeros(shape, dtype)


class _Array(metaclass=_ArrayMeta):
    """Stands for ``numpy.ndarray`` in annotations and ``isinstance``."""

    def __class_getitem__(cls, item: Any) -> Any:
        return cls


@functools.cache
def _public(module_name: str) -> dict[str, Any]:
    """Public names of a module of numpy, without what is withheld; gathered once per process."""
    real, withheld = sys.modules[module_name], _WITHHELD if module_name == "numpy" else {"test"}
    found = {name: getattr(real, name) for name in real.__all__ if name not in withheld and not name.startswith("_")}
    return {name: value for name, value in found.items() if not isinstance(value, types.ModuleType)}


def _submodule(name: str) -> types.ModuleType:
    facade = types.ModuleType(name)
    vars(facade).update(_public(name))
    return facade


def _typing(real: Any) -> types.ModuleType:
    facade = types.ModuleType("numpy.typing")
    vars(facade).update(NDArray=real.ndarray, ArrayLike=object, DTypeLike=object)
    return facade


def random_module(own: Streams) -> types.ModuleType:
    """``numpy.random``: a legacy global state of the instance's own, and generators seeded from its stream."""
    real = sys.modules["numpy"].random
    state = real.RandomState(own.seed % 2**32)
    own.numpy_state = state
    facade = types.ModuleType("numpy.random")
    vars(facade).update((name, method) for name in _RANDOM if (method := getattr(state, name, None)) is not None)

    def chosen(seed: Any) -> Any:
        return own.rng.getrandbits(32) if seed is None else seed

    def default_rng(seed: Any = None) -> Any:
        return real.default_rng(chosen(seed))

    class RandomState(real.RandomState):  # type: ignore[misc, name-defined]  # numpy's own, known at run time
        def __init__(self, seed: Any = None) -> None:
            super().__init__(real.MT19937(0))
            self.seed(chosen(seed))

    vars(facade).update(
        seed=lambda seed=None: state.seed(chosen(seed)),
        default_rng=default_rng,
        RandomState=RandomState,
        SeedSequence=lambda entropy=None, **kwargs: real.SeedSequence(chosen(entropy), **kwargs),
        PCG64=lambda seed=None: real.PCG64(chosen(seed)),
        MT19937=lambda seed=None: real.MT19937(chosen(seed)),
        Philox=lambda seed=None: real.Philox(chosen(seed)),
        Generator=real.Generator,
    )
    return facade
