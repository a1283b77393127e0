"""The language policy: which Python a source may be written in, and how risky loads are guarded.

A lean subclass of RestrictedPython's transformer. Attribute *names* are checked when compiling, exactly and not by
prefix; run-time guards are written only where a name cannot tell (``format``, private names of other objects,
attribute writes on anything but ``self``). Everything else runs natively, at native speed. Unknown syntax is
refused by the base class, so new Python versions fail closed.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from RestrictedPython.transformer import RestrictingNodeTransformer

from . import names, receivers
from .names import is_dunder
from .source import Problem, parse


def compile_source(
    text: str, *, nesting: int, library_private: frozenset[str] = frozenset()
) -> tuple[CodeType | None, ast.Module | None, list[Problem]]:
    """Parse, check and compile a source.

    Args:
        text: the source.
        nesting: deepest nesting of the syntax tree.
        library_private: private names that library classes have: never loaded without the guard.

    Returns:
        Code and tree, or ``None`` for what could not be made and the problems that prevented it.
    """
    tree, problem = parse(text, nesting=nesting)
    if tree is None or problem is not None:
        return None, None, [problem] if problem else []
    problems = violations(tree, library_private)
    if problems:
        return None, tree, problems
    try:
        ast.fix_missing_locations(tree)
        return compile(tree, names.FILENAME, "exec", dont_inherit=True), tree, []
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        message = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
        return None, tree, [Problem("syntax", line, f"does not compile: {message}")]


def violations(tree: ast.Module, library_private: frozenset[str] = frozenset()) -> list[Problem]:
    """Apply the policy to a tree, rewriting it in place; return what it forbids, in order of lines."""
    policy = EnvPolicy(library_private)
    policy.visit(tree)
    return sorted(set(policy.problems), key=lambda problem: (problem.line or 0, problem.message))


class EnvPolicy(RestrictingNodeTransformer):
    """Rewrites one module. Use :func:`violations`."""

    def __init__(self, library_private: frozenset[str]) -> None:
        super().__init__([], [], {})
        self.library_private = library_private
        self.problems: list[Problem] = []
        self.bound: set[str] = set()
        self.own_attributes: set[str] = set()
        self.augmented: set[str] = set()
        self.receivers: frozenset[str] = frozenset()
        self.class_names: tuple[str, ...] = ()
        self.in_class_body = False

    # -- names ---------------------------------------------------------------------------------------------

    def error(self, node: ast.AST, info: str) -> None:
        self.problems.append(Problem("restricted", getattr(node, "lineno", None), info))

    def check_name(self, node: ast.AST, name: str | None, allow_magic_methods: bool = False) -> None:
        if name is None:
            return
        if name in names.HOOKS:
            self.error(node, f"the name {name!r} is reserved; rename it")
        elif is_dunder(name):
            allowed = names.STORABLE_DUNDERS | (names.DEFINABLE_DUNDERS if self.in_class_body else frozenset())
            if name not in allowed:
                self.error(node, f"the name {name!r} is not allowed{_instead(name)}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        loaded = isinstance(node.ctx, ast.Load)
        if node.id == "__getattr__":
            self.error(node, "__getattr__ must be defined with def, as a method")
        if loaded and node.id in names.MODULE_DUNDERS | {"__debug__"}:
            return node
        if loaded and node.id in names.FORBIDDEN_NAMES and node.id not in self.bound:
            self.error(node, f"{node.id!r} is not allowed{_instead(node.id)}")
        else:
            self.check_name(node, node.id)
        return node

    def visit_Module(self, node: ast.Module) -> ast.AST:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                self.bound.add(part.id)
                self.own_attributes.add(part.id)
            elif isinstance(part, ast.arg):
                self.bound.add(part.arg)
            elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
                self.bound.add(part.name)
                self.own_attributes.add(part.name)
            elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                self.own_attributes.add(part.attr)
        for part in ast.walk(node):
            if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Attribute):
                # Loads before it stores: this alone makes no attribute the source's own.
                self.augmented.add(part.target.attr)
        self.own_attributes -= {attr for attr in self.augmented if attr in names.FORBIDDEN_ATTRIBUTES}
        return self.node_contents_visit(node)

    def inject_print_collector(self, node: ast.AST, position: int = 0) -> None:
        """Nothing to inject: ``print`` is an ordinary builtin here."""

    def visit_Global(self, node: Any) -> Any:
        for name in node.names:
            self.check_name(node, name)
        return node

    visit_Nonlocal = visit_Global

    def check_import_names(self, node: ast.Import | ast.ImportFrom) -> ast.AST:
        if isinstance(node, ast.ImportFrom) and node.level:
            self.error(node, "relative imports are not allowed: a source is one file")
        for alias in node.names:
            if isinstance(node, ast.ImportFrom) and alias.name.startswith("_"):
                self.error(node, f"private names such as {alias.name!r} cannot be imported")
            self.check_name(node, alias.asname)
        return node

    # -- attributes ----------------------------------------------------------------------------------------

    def _check_attribute(self, node: ast.AST, attr: str, *, loaded: bool) -> bool:
        """Record an error if ``attr`` may not be named; return whether its load needs the run-time guard."""
        if attr in names.FORBIDDEN_ATTRIBUTES:
            if attr not in self.own_attributes:
                self.error(node, f"the attribute {attr!r} is not allowed: it leads to the interpreter's internals")
            return True
        if is_dunder(attr):
            readable = names.READABLE_DUNDERS | names.GUARDED_DUNDERS
            if attr not in (readable if loaded else names.ASSIGNABLE_DUNDERS):
                self.error(node, f"the attribute {attr!r} is not allowed{_instead(attr)}")
            return attr in names.GUARDED_DUNDERS
        return attr in names.GUARDED_ATTRIBUTES

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        loaded = isinstance(node.ctx, ast.Load)
        risky = self._check_attribute(node, node.attr, loaded=loaded)
        native = self._is_receiver(node.value)
        node = self.node_contents_visit(node)
        if not loaded:
            if not native:
                node.value = _call("_write_", [node.value], node.value)
            return node
        if node.attr == "__class__":
            return _call("_type_", [node.value], node)
        private = node.attr.startswith("_") and not is_dunder(node.attr) and not (native and self._is_own(node.attr))
        if risky or private:
            return _call("_getattr_", [node.value, ast.Constant(self._mangled(node.attr))], node)
        return node

    def _is_receiver(self, node: ast.expr) -> bool:
        """``self``, ``cls`` and ``super()`` of an enclosing method: objects of the source's own making.

        Methods check their receiver on entry, and a name that is bound again anywhere in the method is none.
        """
        if isinstance(node, ast.Name):
            return node.id in self.receivers
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"):
            return False
        if "super" in self.bound or node.keywords:
            return False
        if not node.args:
            return True
        own = len(node.args) == 2 and isinstance(node.args[0], ast.Name) and node.args[0].id in self.class_names
        return own and isinstance(node.args[1], ast.Name) and node.args[1].id in self.receivers

    def _is_own(self, attr: str) -> bool:
        """Whether a private name can only be the source's own, or its tool-use base's."""
        return (attr in self.own_attributes or attr in names.TOOL_BASE_PRIVATE) and attr not in self.library_private

    def _mangled(self, attr: str) -> str:
        """Private name mangling, which Python does for attribute nodes but not for the guard's string."""
        if attr.startswith("__") and not attr.endswith("__") and self.class_names:
            owner = self.class_names[-1].lstrip("_")
            return f"_{owner}{attr}" if owner else attr
        return attr

    # -- definitions ---------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.check_name(node, node.name)
        self._check_arguments(node.args)
        outer, was_class_body = self.receivers, self.in_class_body
        # A plain function's parameter of the same name is not that receiver.
        self.receivers = outer - receivers.parameters(node.args)
        receiver = receivers.of(node) if was_class_body else None
        if receiver is not None:
            self.receivers |= {receiver}
        inner, self.receivers = self.receivers, outer
        # Decorators, defaults and annotations run outside the function, before any check of its receiver.
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args = self.visit(node.args)
        node.returns = None if node.returns is None else self.visit(node.returns)
        for parameter in getattr(node, "type_params", []):
            self.visit(parameter)
        self.receivers, self.in_class_body = inner, False
        node.body = self._visit_body(node.body)
        self.receivers, self.in_class_body = outer, was_class_body
        checks: list[tuple[str, str | None]] = [("_own_", receiver)] if receiver is not None else []
        if was_class_body and node.name == "__getattr__":
            # numpy and copy ask objects for dunder names; no answer of the source's may reach them.
            checks.append(("_plain_", receivers.second(node)))
        receivers.check_on_entry(node, checks)
        return node

    def _check_arguments(self, args: ast.arguments) -> None:
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
        for arg in every:
            if arg is not None:
                self.check_name(arg, arg.arg)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._check_arguments(node.args)
        outer = self.receivers
        self.receivers = outer - receivers.parameters(node.args)
        node = self.node_contents_visit(node)
        self.receivers = outer
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.check_name(node, node.name)
        kept = []
        for keyword in node.keywords:
            if keyword.arg is None:
                self.error(node, "unpacking keywords into a class statement is not allowed")
            elif keyword.arg != "metaclass":
                kept.append(keyword)
            elif (meta := _last_part(keyword.value)) not in names.INERT_METACLASSES:
                self.error(node, f"the metaclass {meta!r} is not allowed; only ABCMeta and EnumMeta are")
            elif meta == "ABCMeta" and not any(_last_part(base) == "ABC" for base in node.bases):
                node.bases = [base for base in node.bases if _last_part(base) != "object"]
                node.bases.append(ast.copy_location(ast.Name("_abc_", ast.Load()), node))
        node.keywords = kept
        was_class_body = self.in_class_body
        node.bases = [base if _is_hook(base) else self.visit(base) for base in node.bases]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        for parameter in getattr(node, "type_params", []):
            self.visit(parameter)
        self.class_names, self.in_class_body = (*self.class_names, node.name), True
        node.body = self._visit_body(node.body)
        self.class_names, self.in_class_body = self.class_names[:-1], was_class_body
        return node

    def _visit_body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        visited: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            visited.extend(result if isinstance(result, list) else [result] if result is not None else [])
        return visited

    # -- statements the base class restricts more than needed here -------------------------------------------

    def _contents(self, node: Any) -> Any:
        return self.node_contents_visit(node)

    visit_Call = visit_Subscript = visit_Assign = visit_With = visit_NamedExpr = _contents
    visit_Match = visit_match_case = visit_MatchValue = visit_MatchSingleton = visit_MatchSequence = _contents
    visit_MatchOr = visit_TypeAlias = visit_AnnAssign = _contents

    def guard_iter(self, node: Any) -> Any:
        return self.node_contents_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        # The target is loaded too; ``_write_`` around its object restricts that load to the source's own objects.
        target = node.target
        if isinstance(target, ast.Attribute):
            self._check_attribute(target, target.attr, loaded=True)
            if target.attr in names.GUARDED_ATTRIBUTES:
                return self._written_out(node, target)
        return self.node_contents_visit(node)

    def _written_out(self, node: ast.AugAssign, target: ast.Attribute) -> list[ast.stmt]:
        """``x.obj += y`` as load, addition and store, so that the load goes through the guard."""
        owner, value = ast.Name("_object_", ast.Load()), ast.Name("_value_", ast.Load())
        guarded = ast.Call(ast.Name("_getattr_", ast.Load()), [owner, ast.Constant(target.attr)], [])
        kept = ast.Call(ast.Name("_write_", ast.Load()), [self.visit(target.value)], [])
        statements: list[ast.stmt] = [
            ast.Assign([ast.Name("_object_", ast.Store())], kept),
            ast.Assign([ast.Name("_value_", ast.Store())], guarded),
            ast.AugAssign(ast.Name("_value_", ast.Store()), node.op, self.visit(node.value)),
            ast.Assign([ast.Attribute(owner, target.attr, ast.Store())], value),
        ]
        for statement in statements:
            for part in ast.walk(statement):
                ast.copy_location(part, node)
        return statements

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.type is None:
            # A bare except would swallow the box's own time limit, which is no Exception.
            node.type = ast.copy_location(ast.Name("Exception", ast.Load()), node)
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    def visit_MatchAs(self, node: Any) -> Any:
        self.check_name(node, getattr(node, "name", None))
        self.check_name(node, getattr(node, "rest", None))
        return self.node_contents_visit(node)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        for attr in node.kwd_attrs:
            if is_dunder(attr) or attr in names.FORBIDDEN_ATTRIBUTES | names.GUARDED_ATTRIBUTES:
                self.error(node, f"matching on the attribute {attr!r} is not allowed")
        return self.node_contents_visit(node)

    def visit_TypeVar(self, node: Any) -> Any:
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    visit_ParamSpec = visit_TypeVarTuple = visit_TypeVar


def _instead(name: str) -> str:
    advice = names.FORBIDDEN_NAMES.get(name)
    return f": {advice}" if advice else ""


def _is_hook(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in names.HOOKS


def _last_part(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "?"


def _call(hook: str, args: list[ast.expr], where: ast.AST) -> ast.Call:
    call = ast.Call(ast.Name(hook, ast.Load()), args, [])
    for node in (call, call.func):
        ast.copy_location(node, where)
    for arg in args:
        if not hasattr(arg, "lineno"):
            ast.copy_location(arg, where)
    return call
