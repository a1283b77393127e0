"""What a source may name: the one literal list of modules, builtins and attributes.

The rule of thumb for the next module: pure computation, and no file, network, process, thread, frame or code
object reachable from what the facade hands out. ``facades`` builds what a source gets; ``validators/imports``
explains what it does not get.
"""

from __future__ import annotations

import ast


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def is_dunder(name: str) -> bool:
    """Whether a name has the form ``__x__``."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


SANDBOX_MODULE = "env_source"
"""``__name__`` of an environment's globals, and ``__module__`` of its classes."""

FILENAME = "<env>"
"""File name in tracebacks and warnings of environment code."""

# Public names handed out per module. An empty set means every public name of the real module.
MODULES: dict[str, frozenset[str]] = {
    "__future__": _words("annotations division generator_stop print_function unicode_literals absolute_import"),
    "abc": _words("ABC ABCMeta abstractmethod abstractproperty abstractclassmethod abstractstaticmethod"),
    "array": _words("array"),
    "ast": _words("literal_eval parse walk dump unparse")
    | {name for name, value in vars(ast).items() if isinstance(value, type) and issubclass(value, ast.AST)},
    "base64": _words(
        "b64encode b64decode b32encode b32decode b16encode b16decode b85encode b85decode a85encode a85decode "
        "urlsafe_b64encode urlsafe_b64decode standard_b64encode standard_b64decode encodebytes decodebytes"
    ),
    "binascii": _words("hexlify unhexlify crc32 crc_hqx b2a_hex a2b_hex b2a_base64 a2b_base64 Error"),
    "bisect": _words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "calendar": _words(
        "monthrange isleap leapdays weekday month_name day_name month_abbr day_abbr monthcalendar timegm "
        "month Calendar TextCalendar "
        "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY"
    ),
    "cmath": frozenset(),
    "codecs": _words("encode decode"),
    "collections": _words("deque defaultdict Counter OrderedDict namedtuple ChainMap UserDict UserList UserString"),
    "collections.abc": _words(
        "Awaitable ByteString Callable Collection Container Generator Hashable ItemsView Iterable Iterator KeysView "
        "Mapping MappingView MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"
    ),
    "colorsys": frozenset(),
    "contextlib": _words("contextmanager suppress nullcontext closing ContextDecorator AbstractContextManager"),
    "copy": _words("copy deepcopy"),
    "csv": _words("reader writer DictReader DictWriter QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC Error"),
    "dataclasses": _words(
        "dataclass field asdict astuple replace fields is_dataclass FrozenInstanceError KW_ONLY InitVar MISSING"
    ),
    "decimal": frozenset(),
    "difflib": _words("SequenceMatcher Differ get_close_matches ndiff unified_diff context_diff"),
    "enum": _words("EnumMeta EnumType Enum IntEnum Flag IntFlag StrEnum ReprEnum auto unique"),
    "fnmatch": _words("fnmatch fnmatchcase filter translate"),
    "fractions": _words("Fraction"),
    "functools": _words("reduce lru_cache cache partial cmp_to_key total_ordering cached_property partialmethod"),
    "graphlib": _words("TopologicalSorter CycleError"),
    "hashlib": _words(
        "md5 sha1 sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 blake2b blake2s shake_128 shake_256 "
        "new"
    ),
    "heapq": _words("heappush heappop heapify heapreplace heappushpop merge nlargest nsmallest"),
    "hmac": _words("new compare_digest digest"),
    "html": _words("escape unescape"),
    "io": _words("StringIO BytesIO"),
    "ipaddress": _words(
        "ip_address ip_network ip_interface IPv4Address IPv4Network IPv6Address IPv6Network IPv4Interface "
        "IPv6Interface summarize_address_range collapse_addresses AddressValueError NetmaskValueError"
    ),
    "itertools": frozenset(),
    "json.decoder": _words("JSONDecodeError JSONDecoder"),
    "json": _words("loads dumps JSONDecodeError JSONEncoder JSONDecoder"),
    "math": frozenset(),
    "numbers": _words("Number Integral Real Rational Complex"),
    "operator": _words(
        "abs add and_ concat contains countOf delitem eq floordiv ge getitem gt iadd iand iconcat ifloordiv "
        "ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_not isub itemgetter itruediv "
        "ixor le length_hint lshift lt matmul mod mul ne neg not_ or_ pos pow rshift setitem sub truediv truth xor"
    ),
    "pprint": _words("pformat PrettyPrinter"),
    "queue": _words("Queue PriorityQueue LifoQueue SimpleQueue Empty Full"),
    "re": _words(
        "compile match fullmatch search sub subn split findall finditer escape Pattern Match error purge A ASCII I "
        "IGNORECASE L LOCALE M MULTILINE S DOTALL X VERBOSE U UNICODE RegexFlag NOFLAG"
    ),
    "shlex": _words("split quote join"),
    "statistics": _words(
        "mean median mode stdev pstdev variance pvariance fmean median_low median_high median_grouped multimode "
        "quantiles harmonic_mean geometric_mean correlation covariance linear_regression NormalDist StatisticsError"
    ),
    "string": _words(
        "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace "
        "capwords Template"
    ),
    "struct": _words("pack unpack calcsize iter_unpack error"),
    "textwrap": _words("dedent indent wrap fill shorten TextWrapper"),
    "types": _words("MappingProxyType NoneType MethodType TracebackType GeneratorType"),
    "typing": _words(
        "AbstractSet Annotated AsyncIterator ContextManager IO TextIO get_args get_origin "
        "Any AnyStr Awaitable Callable ClassVar Collection Concatenate Container Coroutine "
        "Counter DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable ItemsView Iterable Iterator "
        "KeysView List Literal LiteralString Mapping MutableMapping MutableSequence MutableSet NamedTuple Never "
        "NewType NoReturn NotRequired Optional OrderedDict ParamSpec Pattern Match Protocol Required Reversible Self "
        "Sequence Set Sized SupportsAbs SupportsFloat SupportsInt SupportsIndex Text TYPE_CHECKING Tuple Type "
        "TypeAlias TypeGuard TypeVar TypeVarTuple TypedDict Union Unpack ValuesView assert_never cast final overload "
        "override runtime_checkable no_type_check"
    ),
    "unicodedata": frozenset(),
    "urllib.parse": _words(
        "quote unquote quote_plus unquote_plus urlencode parse_qs parse_qsl urlparse urlsplit urljoin"
    ),
    "zlib": _words("crc32 adler32 compress decompress error"),
}

# Facades written by hand, because the real module would reach out of the instance.
SPECIAL_MODULES: dict[str, str] = {
    "random": "a stream of its own per instance",
    "time": "a virtual clock",
    "datetime": "now() and today() read the virtual clock",
    "uuid": "drawn from the instance's stream",
    "secrets": "drawn from the instance's stream",
    "sys": "an inert subset",
    "logging": "inert",
    "warnings": "inert",
    "traceback": "texts without frames",
    "gymnasium": "Env and inert spaces",
    "gymnasium.spaces": "inert spaces",
    "gymnasium.utils": "seeding only",
    "gymnasium.utils.seeding": "np_random",
    "gymnasium.core": "Env",
    "gymnasium.envs": "registration only",
    "gymnasium.envs.registration": "an inert register",
    "gym": "same as gymnasium",
    "gym.spaces": "inert spaces",
    "gym.utils": "seeding only",
    "gym.utils.seeding": "np_random",
    "gym.core": "Env",
    "gym.envs": "registration only",
    "gym.envs.registration": "an inert register",
    "numpy": "no file access",
    "numpy.random": "a stream of its own per instance",
    "numpy.linalg": "linear algebra",
    "numpy.typing": "NDArray, ArrayLike",
    "math_verify": "parse and verify (extra 'math')",
    "typing_extensions": "same as typing",
    "tool_use_base_env": "ToolUseBaseEnv",
}

TOOL_BASE_PACKAGES = ("spade.core.envs", "spare.core.envs", "spade_envs")
"""Package paths under which released sources import the tool-use base class."""

# What a refused import probably wants, for the finding's sentence.
INSTEAD: dict[str, str] = {
    "os": "keep files in a dict; an environment cannot see the machine",
    "pathlib": "keep paths as text",
    "subprocess": "simulate the command in Python",
    "requests": "keep the data in the source; there is no network",
    "urllib": "keep the data in the source; there is no network",
    "socket": "there is no network",
    "threading": "simulate concurrency with a queue and a turn counter",
    "multiprocessing": "simulate concurrency with a queue and a turn counter",
    "asyncio": "simulate concurrency with a queue and a turn counter",
    "pickle": "use json or copy.deepcopy",
    "scipy": "use numpy or math",
    "sympy": "use fractions, or math_verify for comparing answers",
    "pandas": "use lists of dicts",
    "networkx": "use dicts of neighbours; graphlib sorts topologically",
    "inspect": "name what you need directly",
    "importlib": "write an import statement",
    "ctypes": "nothing outside Python is reachable",
    "signal": "the box enforces time limits itself",
}

INJECTED_MODULES = _words("itertools math random re json collections functools string copy heapq operator statistics")
"""Modules a source may use without importing them."""

INJECTED_NAMES: dict[str, str] = {
    **dict.fromkeys(_words("deque defaultdict Counter OrderedDict namedtuple"), "collections"),
    **dict.fromkeys(_words("combinations permutations product chain accumulate"), "itertools"),
    **dict.fromkeys(_words("reduce lru_cache"), "functools"),
    **dict.fromkeys(_words("heappush heappop"), "heapq"),
    "deepcopy": "copy",
    **dict.fromkeys(
        _words("Any Callable Dict FrozenSet Iterable Iterator List Mapping Optional Sequence Set Tuple Union"), "typing"
    ),
}
"""Names a source may use without importing them, and where they come from. ``Counter`` is the collection."""

BUILTINS = _words(
    "None False True Ellipsis NotImplemented abs aiter all any ascii bin bool bytearray bytes callable chr classmethod "
    "complex dict divmod enumerate filter float format frozenset hex int isinstance issubclass iter len list map "
    "max min next object oct ord pow property range repr reversed round set slice sorted staticmethod str sum super "
    "tuple zip "
    "ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError ConnectionError "
    "ConnectionRefusedError ConnectionResetError ConnectionAbortedError EOFError EnvironmentError Exception "
    "FileExistsError FileNotFoundError FloatingPointError IOError ImportError IndentationError IndexError "
    "InterruptedError IsADirectoryError KeyError LookupError MemoryError ModuleNotFoundError NameError "
    "NotADirectoryError NotImplementedError OSError OverflowError PermissionError ProcessLookupError RecursionError "
    "ReferenceError RuntimeError StopIteration SyntaxError TimeoutError TypeError UnboundLocalError "
    "UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError ValueError ZeroDivisionError "
    "Warning UserWarning DeprecationWarning RuntimeWarning FutureWarning PendingDeprecationWarning ImportWarning "
    "ResourceWarning SyntaxWarning UnicodeWarning BytesWarning"
)
"""Real builtins handed out unchanged. Guarded ones (getattr, type, print, ...) are made in ``guards``."""

FORBIDDEN_NAMES: dict[str, str] = {
    "exec": "write the code out",
    "compile": "write the code out",
    "open": "keep the data in the source; there are no files",
    "breakpoint": "remove it",
    "help": "remove it",
    "globals": "name the variable",
    "locals": "name the variable",
    "memoryview": "use bytes",
    "__import__": "write an import statement",
    "__builtins__": "name the builtin",
    "__loader__": "remove it",
    "__spec__": "remove it",
    "__file__": "an environment has no file",
    "__build_class__": "write a class statement",
}
"""Names whose use is refused, and what to do instead. A source may still bind them itself."""

# Attribute names refused whatever the object, exactly. They lead to frames, code objects or class internals.
FORBIDDEN_ATTRIBUTES = _words(
    "tb_frame tb_next tb_lasti tb_lineno "
    "f_back f_builtins f_code f_globals f_lasti f_lineno f_locals f_trace f_trace_lines f_trace_opcodes "
    "co_argcount co_code co_consts co_names co_varnames co_cellvars co_freevars co_filename co_linetable "
    "co_exceptiontable co_positions co_lines co_flags co_firstlineno co_qualname co_stacksize co_nlocals "
    "gi_frame gi_code gi_yieldfrom gi_running gi_suspended "
    "cr_frame cr_code cr_await cr_origin cr_running cr_suspended ag_frame ag_code ag_await ag_running ag_suspended "
    "func_globals func_code func_closure func_defaults func_dict im_func im_self im_class "
    "mro with_traceback _convert_ _proto_hook _create_ _evaluate "
    "from_address from_buffer from_param in_dll data_as shape_as _ctypes"
)

GUARDED_ATTRIBUTES = _words("format format_map register obj tofile dump dumps ctypes today now utcnow")
"""Ordinary names that are dangerous on some objects: their loads go through a run-time guard."""

READABLE_DUNDERS = _words(
    "__init__ __name__ __qualname__ __doc__ __len__ __contains__ __getitem__ __setitem__ __delitem__ __eq__ __ne__ "
    "__lt__ __le__ __gt__ __ge__ __repr__ __str__ __hash__ __bool__ __post_init__ __iter__ __next__ __enter__ "
    "__exit__ __call__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __floordiv__ __mod__ __pow__ "
    "__neg__ __abs__ __and__ __or__ __xor__ __invert__ __int__ __float__ __index__ __round__ __copy__ __missing__ "
    "__version__ __members__ __format__ __new__ __reversed__ __init_subclass__ "
    "__slots__ __cause__ __context__ __iadd__ __ior__ __isub__ __deepcopy__ __index__"
)
"""Dunder attributes that may be read directly."""

GUARDED_DUNDERS = _words("__class__ __dict__ __setattr__ __delattr__ __getattribute__ __module__ __annotations__")
"""Dunder attributes that may be read through the run-time guard only."""

DEFINABLE_DUNDERS = _words(
    "__init__ __post_init__ __new__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ "
    "__len__ __contains__ __iter__ __next__ __reversed__ __getitem__ __setitem__ __delitem__ __call__ __enter__ "
    "__exit__ __copy__ __deepcopy__ __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ "
    "__truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__ "
    "__divmod__ __pow__ __rpow__ __neg__ __pos__ __abs__ __and__ __rand__ __iand__ __or__ __ror__ __ior__ __xor__ "
    "__rxor__ __ixor__ __invert__ __lshift__ __rshift__ __int__ __float__ __complex__ __index__ __round__ __floor__ "
    "__ceil__ __trunc__ __missing__ __format__ __matmul__ __getattr__ __init_subclass__ __class_getitem__ "
    "__set_name__ __get__ __set__ __length_hint__ __dir__ __bytes__ __sizeof__ "
    "__rmatmul__ __ilshift__ __irshift__ __ipow__ __rdivmod__ __rlshift__ __rrshift__ __setattr__ __delattr__"
)
"""Dunder methods a class may define (or assign, as in ``__repr__ = __str__``)."""

STORABLE_DUNDERS = _words(
    "__slots__ __all__ __version__ __author__ __doc__ __license__ __email__ __date__ __hash__ "
    "__copyright__ __maintainer__ __status__ __credits__"
)
"""Dunder names that may be assigned at module or class level."""

TOOL_BASE_PRIVATE = _words(
    "_tools _state _call_history _expected_answer _user_messages _message_criteria _current_msg _check_answer"
)
"""Private names of ``ToolUseBaseEnv``, which subclasses use as their own."""

PRIVATE_READABLE = _words(
    "_replace _asdict _make _fields _field_defaults _value_ _name_ _missing_ _generate_next_value_ _ignore_ _order_"
)
"""Private-looking names of the standard library that are public in spirit."""

HOOKS = _words("_getattr_ _write_ _type_ _abc_ _own_ _plain_ _object_ _value_")
"""Names the policy writes into the tree; a source may not bind or read them."""

INERT_METACLASSES = _words("ABCMeta EnumMeta EnumType type")
"""Metaclasses a class statement may name; the policy replaces them by what they are used for."""

ASSIGNABLE_DUNDERS = _words(
    "__name__ __doc__ __qualname__ __str__ __repr__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __len__ __iter__"
)
"""Dunder attributes that may be written on the source's own classes and functions."""

MODULE_DUNDERS = _words("__name__ __doc__")
"""Module-level dunder names that may be read."""
