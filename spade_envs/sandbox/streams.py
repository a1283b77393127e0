"""Randomness, clocks, printing and identity that belong to one environment instance.

Every stream restarts at ``reset(seed)``, so that module-level ``random``, "unseeded" generators and clock readings are
functions of the seed and the actions alone.
"""

from __future__ import annotations

import calendar
import datetime as real_datetime
import random as real_random
import time as real_time
import types
import uuid as real_uuid
from typing import Any

EPOCH = 1_767_225_600.0
"""Where the virtual clock starts: 2026-01-01 00:00:00 UTC."""
TICK = 0.001
"""Seconds the clock advances each time it is read."""

_METHODS = (
    "uniform triangular randint choice randrange sample shuffle choices normalvariate "
    "lognormvariate expovariate vonmisesvariate gammavariate gauss betavariate binomialvariate "
    "paretovariate weibullvariate randbytes"
).split()


class OutputLimit(BaseException):
    """The source printed more than it may. No Exception, so that a source cannot swallow it."""


class Stream(real_random.Random):
    """A generator that is seeded when it is first drawn from: seeding takes longer than most turns, and few sources
    draw from the module while they have a generator of their own.

    Until then it is an :class:`_Unseeded`. Methods written in Python draw by ``self.random`` and ``self.getrandbits``,
    and may be bound at any time; those written in C are looked up anew for each call.
    """

    wanted = 0

    def later(self, seed: int) -> None:
        """What ``seed(seed)`` does, as late as can be."""
        self.__class__ = _Unseeded
        self.wanted, self.gauss_next = seed, None


def _settle(stream: Stream) -> None:
    """Seed it now. A method that was bound before is called again and again afterwards."""
    if type(stream) is _Unseeded:
        stream.seed(stream.wanted)


class _Unseeded(Stream):
    """One that is to be seeded before anything else. Any method may find that it has become a :class:`Stream`."""

    def random(self) -> float:
        _settle(self)
        return real_random.Random.random(self)

    def getrandbits(self, k: int, /) -> int:
        _settle(self)
        return real_random.Random.getrandbits(self, k)

    def getstate(self) -> tuple[Any, ...]:
        _settle(self)
        return real_random.Random.getstate(self)

    def setstate(self, state: tuple[Any, ...]) -> None:
        _settle(self)
        real_random.Random.setstate(self, state)

    def seed(self, a: Any = None, version: int = 2) -> None:
        self.__class__ = Stream  # type: ignore[assignment]
        if type(a) is not int or type(version) is not int:  # this may fail, and then leaves the generator as it was
            real_random.Random.seed(self, self.wanted)
        real_random.Random.seed(self, a, version)


class Streams:
    """The streams of one instance."""

    def __init__(self, output_limit: int) -> None:
        self.rng = Stream(0)
        self.clock = EPOCH
        self.seed = 0
        self.output_limit = output_limit
        self.printed = 0
        self.strict_output = True
        self._identities: dict[int, tuple[int, Any]] = {}
        self.numpy_state: Any = None

    def restart(self, seed: int) -> None:
        """Begin an episode: every stream as if the instance had just been made."""
        self.seed = seed
        self.rng.later(seed)
        self.clock = EPOCH
        self.printed = 0
        if self.numpy_state is not None:
            self.numpy_state.seed(seed % 2**32)

    def state(self) -> tuple[Any, ...]:
        """All of them as they are, for :meth:`restore`."""
        numpy_state = None if self.numpy_state is None else self.numpy_state.get_state()
        return self.seed, self.rng.getstate(), self.clock, self.printed, numpy_state

    def restore(self, state: tuple[Any, ...]) -> None:
        """Go back to a :meth:`state`."""
        self.seed, drawn, self.clock, self.printed, numpy_state = state
        self.rng.setstate(drawn)
        if self.numpy_state is not None and numpy_state is not None:
            self.numpy_state.set_state(numpy_state)

    @property
    def has_named(self) -> bool:
        """Whether ``id()`` was asked for an object."""
        return bool(self._identities)

    def now(self) -> float:
        """Read the clock."""
        self.clock += TICK
        return self.clock

    def identity(self, obj: Any) -> int:
        """``id(x)``: a small number in order of asking. Objects are kept alive so that numbers stay theirs."""
        return self._identities.setdefault(id(obj), (len(self._identities) + 1, obj))[0]

    def write(self, text: str) -> int:
        """Printed text is counted and dropped."""
        self.printed += len(text)
        if self.printed > self.output_limit and self.strict_output:
            raise OutputLimit
        return len(text)

    def print(
        self, *args: Any, sep: str | None = " ", end: str | None = "\n", file: Any = None, flush: bool = False
    ) -> None:
        """``print`` into the counted stream, or into a file-like object of the source's own."""
        text = (" " if sep is None else sep).join(map(str, args)) + ("\n" if end is None else end)
        (self if file is None else file).write(text)


def random_module(streams: Streams) -> types.ModuleType:
    """A ``random`` whose functions draw from ``streams``; without an argument, seeding draws from them too."""
    module = types.ModuleType("random")
    rng = streams.rng
    for name in _METHODS:
        if hasattr(rng, name):
            setattr(module, name, getattr(rng, name))

    def random() -> float:
        return rng.random()

    def getrandbits(k: int, /) -> int:
        return rng.getrandbits(k)

    def getstate() -> tuple[Any, ...]:
        return rng.getstate()

    def setstate(state: tuple[Any, ...], /) -> None:
        rng.setstate(state)

    def chosen(value: Any) -> Any:
        if value is None:
            return rng.getrandbits(64)
        # Objects whose hash is an address would seed differently in every process.
        return value if isinstance(value, (int, float, str, bytes, bytearray)) else repr(value)

    def seed(a: Any = None, version: int = 2) -> None:
        if type(a) is int:
            rng.later(a)
        else:
            rng.seed(chosen(a), version)

    class Random(real_random.Random):
        def __init__(self, x: Any = None) -> None:
            super().__init__(chosen(x))

        def seed(self, a: Any = None, version: int = 2) -> None:
            super().seed(chosen(a), version)

        def __deepcopy__(self, memo: dict[int, Any]) -> Any:
            twin = type(self)(0)
            twin.setstate(self.getstate())
            return twin

        __copy__ = lambda self: self.__deepcopy__({})  # noqa: E731

    Random.__module__ = "random"
    Random.__qualname__ = "Random"
    vars(module).update(random=random, getrandbits=getrandbits, getstate=getstate, setstate=setstate)
    vars(module).update(seed=seed, Random=Random, SystemRandom=Random)
    return module


def time_module(streams: Streams) -> types.ModuleType:
    """A ``time`` that reads and advances the virtual clock, in UTC."""
    module = types.ModuleType("time")

    def sleep(seconds: float) -> None:
        streams.clock += max(0.0, float(seconds))

    def moment(seconds: float | None = None) -> real_time.struct_time:
        return real_time.gmtime(streams.now() if seconds is None else seconds)

    def nanoseconds() -> int:
        return int(streams.now() * 1e9)

    vars(module).update(
        dict.fromkeys(("time", "monotonic", "perf_counter", "process_time", "thread_time"), streams.now),
        **{name + "_ns": nanoseconds for name in ("time", "monotonic", "perf_counter", "process_time")},
        sleep=sleep,
        gmtime=moment,
        localtime=moment,
        strftime=lambda fmt, t=None: real_time.strftime(fmt, t if t is not None else moment()),
        asctime=lambda t=None: real_time.asctime(t if t is not None else moment()),
        ctime=lambda seconds=None: real_time.asctime(moment(seconds)),
        mktime=calendar.timegm,
        strptime=real_time.strptime,
        struct_time=real_time.struct_time,
        timezone=0,
        altzone=0,
        daylight=0,
        tzname=("UTC", "UTC"),
    )
    return module


def datetime_module(streams: Streams) -> types.ModuleType:
    """A ``datetime`` whose ``now`` and ``today`` read the virtual clock."""
    module = types.ModuleType("datetime")
    utc = real_datetime.timezone.utc  # noqa: UP017  # the object is handed out under both names

    class Lookalike(type):
        # Arithmetic and date() return objects of the real classes; a source must still recognise them.
        def __instancecheck__(cls, obj: Any) -> bool:
            return isinstance(obj, cls.__mro__[1])

    class datetime(real_datetime.datetime, metaclass=Lookalike):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            moment = cls.fromtimestamp(streams.now(), tz or utc)
            return moment if tz is not None else moment.replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now()

        def date(self) -> Any:
            return date(self.year, self.month, self.day)

        def __repr__(self) -> str:
            return f"datetime.{super().__repr__()}"

    class date(real_datetime.date, metaclass=Lookalike):
        def __repr__(self) -> str:
            return f"datetime.{super().__repr__()}"

        @classmethod
        def today(cls) -> Any:
            moment = real_datetime.datetime.fromtimestamp(streams.now(), utc)
            return cls(moment.year, moment.month, moment.day)

    for cls in (datetime, date):
        # Constants of the real classes would lead back to them, and to the real clock.
        for name in ("min", "max"):
            moment = getattr(cls.__mro__[1], name)
            setattr(cls, name, cls(*moment.timetuple()[: 6 if cls is datetime else 3]))
        cls.__module__ = "datetime"
        cls.__qualname__ = cls.__name__
    vars(module).update(
        datetime=datetime, date=date, time=real_datetime.time, timedelta=real_datetime.timedelta,
        timezone=real_datetime.timezone, tzinfo=real_datetime.tzinfo, UTC=utc, MINYEAR=1, MAXYEAR=9999,
    )  # fmt: skip
    return module


def uuid_module(streams: Streams) -> types.ModuleType:
    """A ``uuid`` drawn from the stream."""
    module = types.ModuleType("uuid")

    def uuid4() -> real_uuid.UUID:
        return real_uuid.UUID(int=streams.rng.getrandbits(128), version=4)

    vars(module).update(
        uuid4=uuid4, uuid1=uuid4, UUID=real_uuid.UUID, uuid3=real_uuid.uuid3, uuid5=real_uuid.uuid5,
        NAMESPACE_DNS=real_uuid.NAMESPACE_DNS, NAMESPACE_URL=real_uuid.NAMESPACE_URL,
    )  # fmt: skip
    return module


def secrets_module(streams: Streams) -> types.ModuleType:
    """A ``secrets`` drawn from the stream."""
    module = types.ModuleType("secrets")
    rng = streams.rng
    vars(module).update(
        choice=rng.choice,
        randbelow=rng.randrange,
        randbits=lambda k: rng.getrandbits(k),
        token_bytes=lambda nbytes=32: rng.randbytes(nbytes),
        token_hex=lambda nbytes=32: rng.randbytes(nbytes).hex(),
        token_urlsafe=lambda nbytes=32: rng.randbytes(nbytes).hex()[: nbytes * 4 // 3],
        compare_digest=lambda a, b: a == b,
    )
    return module
