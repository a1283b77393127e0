"""The shape of the code: imports go down only, files and functions stay short, words mean one thing."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator

import pytest
from checkout import ROOT, files, python_files

FLOORS = {
    0: """contract actions codec ended limits episodes origins types errors rules schema_calls
    version""",  # words: the standard library only
    1: "sandbox sandbox.* arguments menus",  # box: runs untrusted source
    2: "atomic entries fingerprints similarity index cards shelf store sources",  # shelf: sources and cards on disk
    3: """encodings settings specs spaces env quarantine together infos vector lanes asynchronous wrappers
    registry""",  # gym: what Gymnasium sees
    4: """answer_texts behaviour client client.* differences evidence exploration explorer explorers hinting local
    local_serving model_player players plays probe prompts prompts.* readings replays reproduction rollout rollouts
    sequential showing seeds shrink trial typed_replies weak witness""",  # talk: plays episodes
    5: "validators.*",  # rules: the only place that says no
    6: """memory memory.* check admission bulk corpus corpus.* designer designer.* importing importing.*
    probe_records""",  # desk: decides and remembers
    7: "selfplay selfplay.* adapters adapters.*",  # learn: one policy, two roles; other engines
    8: "__init__ __main__ terminal cli cli.* browse browse.*",  # face: what a user types and sees
}
"""Floor of every module below ``spade_envs``. ``x.*`` is everything in folder ``x``."""

WORKER_SIDE = set(
    """names source policy receivers guards objects arithmetic streams facades numpy_facade gym_facade namespace
    instance answers copies search look mentions frames wire watch columns worker forking landlock seccomp lockdown
    tool_use_base_env""".split()
)
"""Modules of ``spade_envs.sandbox`` that load in the worker, where neither gymnasium nor ``spade_envs`` exists."""

HOST_SIDE = {"__init__", "batches", "host", "boxed", "checked", "pool", "vitals", "zygotes"}
"""The rest of ``spade_envs.sandbox``."""

LONGEST_FILE = 400
LONGEST_FUNCTION = 80

WORDS = {
    "game": "environment",
    "games": "environments",
    "puzzle": "environment",
    "snippet": "source",
    "proposer": "designer",
    "challenger": "designer",
    "actor": "agent",
    "solver": "agent",
    "simulation": "rollout",
    "oracle": "witness",
    "obs": "observation",
}
"""Words that names of ours never contain, and the word that means it here."""
BORROWED_NAMES = {"ObsType"}
"""Names that belong to Gymnasium."""
FILE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
"""Names that say nothing about what a file holds."""


# -- reading the code ------------------------------------------------------------------------------------------


def module_of(path: str) -> str:
    """``spade_envs/cli/screen.py`` is ``cli.screen``, ``validators/load.py`` is ``validators.load``."""
    parts = path.removesuffix(".py").removeprefix("spade_envs/").split("/")
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


@functools.cache
def modules() -> dict[str, str]:
    """Every module of ours, without the leading ``spade_envs.``, and its path."""
    return {module_of(path): path for path in python_files("spade_envs", "validators")}


def floor_of(module: str) -> int | None:
    """The floor that :data:`FLOORS` gives."""
    for floor, names in FLOORS.items():
        if module in names.split() or (f"{module.partition('.')[0]}.*" in names.split() and "." in module):
            return floor
    return None


class Imports(ast.NodeVisitor):
    """Imports of one module, those inside functions too, those under ``TYPE_CHECKING`` not."""

    def __init__(self, module: str, *, is_package: bool) -> None:
        parts = ["spade_envs", *([] if module == "__init__" else module.split("."))]
        self.package = parts if is_package else parts[:-1]
        self.found: list[tuple[int, str]] = []
        """Line and absolute name: a module, or a module and a name in it."""

    def visit_If(self, node: ast.If) -> None:
        for part in node.orelse if "TYPE_CHECKING" in ast.unparse(node.test) else [*node.body, *node.orelse]:
            self.visit(part)

    def visit_Import(self, node: ast.Import) -> None:
        self.found += [(node.lineno, alias.name) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = self.package[: len(self.package) - node.level + 1] if node.level else []
        start = ".".join([*base, *([node.module] if node.module else [])])
        self.found += [(node.lineno, f"{start}.{alias.name}") for alias in node.names]


def imports_of(module: str) -> list[tuple[int, str]]:
    """Line and absolute name of everything ``module`` imports."""
    path = modules()[module]
    visitor = Imports(module, is_package=path.endswith("/__init__.py"))
    visitor.visit(tree_of(path))
    return visitor.found


@functools.cache
def tree_of(path: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse((ROOT / path).read_text("utf-8"), path)


def ours(name: str) -> str | None:
    """The module of ours behind an absolute imported name, or ``None``."""
    if name != "spade_envs" and not name.startswith("spade_envs."):
        return None
    parts = name.split(".")[1:]
    while parts and ".".join(parts) not in modules():
        parts.pop()
    return ".".join(parts) or "__init__"


def edges() -> Iterator[tuple[str, str, str]]:
    """Importing module, imported module, and the place."""
    for module in modules():
        for line, name in imports_of(module):
            target = ours(name)
            if target is not None and target != module:
                yield module, target, f"{modules()[module]}:{line}"


# -- imports ---------------------------------------------------------------------------------------------------


def test_every_module_has_a_floor() -> None:
    missing = [path for module, path in modules().items() if floor_of(module) is None]
    assert not missing, f"{missing}: add them to FLOORS in tests/test_floors.py, as low as their imports allow"


def test_no_floor_lists_a_module_that_is_gone() -> None:
    listed = {name for names in FLOORS.values() for name in names.split() if not name.endswith("*")}
    gone = sorted(listed - set(modules()))
    assert not gone, f"remove {gone} from FLOORS in tests/test_floors.py"


def test_imports_go_down() -> None:
    upward = [
        f"{place}: {module} (floor {floor_of(module)}) imports {target} (floor {floor_of(target)})"
        for module, target, place in edges()
        if (floor_of(target) or 0) > (floor_of(module) or 0)
    ]
    assert not upward, "\n".join(upward)


def test_imports_are_no_circle() -> None:
    below: dict[str, set[str]] = {module: set() for module in modules()}
    for module, target, _ in edges():
        below[module].add(target)
    done: set[str] = set()

    def walk(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            pytest.fail("circular import: " + " -> ".join([*path[path.index(module) :], module]))
        if module not in done:
            for target in sorted(below[module]):
                walk(target, (*path, module))
            done.add(module)

    for module in sorted(below):
        walk(module, ())


def test_every_module_of_the_box_has_a_side() -> None:
    found = {module.removeprefix("sandbox.") for module in modules() if module.startswith("sandbox.")}
    unlisted = sorted(found - WORKER_SIDE - HOST_SIDE)
    assert not unlisted, f"add {unlisted} to WORKER_SIDE or HOST_SIDE in tests/test_floors.py"


@pytest.mark.parametrize("name", sorted(WORKER_SIDE))
def test_the_worker_imports_nothing_of_ours(name: str) -> None:
    for line, imported in imports_of(f"sandbox.{name}"):
        place = f"{modules()[f'sandbox.{name}']}:{line}"
        target = ours(imported)
        if target is not None:
            sibling = imported.removeprefix("spade_envs.sandbox.").partition(".")[0]
            assert sibling in WORKER_SIDE, f"{place}: {imported} does not exist in the worker"
            continue
        top = imported.partition(".")[0]
        allowed = top in sys.stdlib_module_names or (top == "RestrictedPython" and name == "policy")
        assert allowed, f"{place}: {top} is neither the standard library nor RestrictedPython in policy.py"


def test_the_worker_imports_relatively() -> None:
    for name in WORKER_SIDE:
        for node in ast.walk(tree_of(modules()[f"sandbox.{name}"])):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert (node.module or "").partition(".")[0] != "spade_envs", f"{name}.py:{node.lineno}"


@pytest.mark.parametrize("module", sorted(FLOORS[0].split()))
def test_words_need_only_the_standard_library(module: str) -> None:
    strange = {name.partition(".")[0] for _, name in imports_of(module)} - set(sys.stdlib_module_names)
    assert strange <= {"spade_envs"}, f"{modules()[module]} imports {strange}"


# -- size and words --------------------------------------------------------------------------------------------


def test_files_are_short() -> None:
    sizes = {path: len((ROOT / path).read_bytes().splitlines()) for path in OUR_FILES}
    long = {path: size for path, size in sizes.items() if size > LONGEST_FILE}
    assert not long, f"above {LONGEST_FILE} lines: {long}; move what belongs together into a file of its own"


def test_functions_are_short() -> None:
    long = [
        f"{path}:{node.lineno} {node.name} has {size} lines"
        for path in OUR_FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (size := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert not long, "\n".join(long)


def test_one_word_per_thing() -> None:
    wrong = [
        f"{path}:{getattr(node, 'lineno', '')} {name}: say {WORDS[word]}"
        for path in python_files("spade_envs", "validators")
        for node in ast.walk(tree_of(path))
        for name in names_in(node)
        for word in words_of(name)
        if word in WORDS and name not in BORROWED_NAMES
    ]
    assert not wrong, "\n".join(wrong)


def names_in(node: ast.AST) -> Iterator[str]:
    """Names this node binds or uses, attributes and parameters included."""
    for field in ("id", "name", "arg", "attr"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            yield value


def words_of(name: str) -> list[str]:
    """``play_oldGame`` is play, old, game."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_")


def test_file_names_say_what_is_inside() -> None:
    empty = [path for path in OUR_FILES if path.rpartition("/")[2].removesuffix(".py") in FILE_NAMES]
    assert not empty, f"name {empty} after what they hold"


def test_no_machine_paths() -> None:
    # In pieces, or this file would find itself.
    pattern = re.compile("/(?:" + "|".join(("root", "work", "home/[a-z]", "Users/[A-Za-z]", "mnt/[a-z]")) + r")\b")
    found = []
    for path in files():
        if (ROOT / path).is_symlink() or path == "LICENSE":
            continue
        data = (ROOT / path).read_bytes()
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if b"\0" not in data and pattern.search(line) and not path.startswith("tests/sources/"):
                found.append(f"{path}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)


OUR_FILES = python_files("spade_envs", "validators", "tests", "benchmarks")
"""What the limits on length hold for."""
