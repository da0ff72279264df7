"""The signature of a Python tool, read from its source: nothing of the tool's is imported or run (R1).

The source is parsed, the annotations are rebuilt from a fixed vocabulary (builtins, `typing`, `collections.abc`, a few
types of the standard library, plain classes of the module itself), and a function that does nothing gets them. Its
schema is then made by the same code as that of the real function. Where anything is out of the ordinary the answer is
`NotStaticError` with the reason, never a guess.
"""

from __future__ import annotations

import ast
import enum
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from typing import Annotated, Any, Literal, Union

from ._own_classes import NotStaticError, literal, own_class

__all__ = ["Module", "NotStaticError", "stand_in"]

_BUILTINS = {kind.__name__: kind for kind in (str, int, float, bool, list, dict, tuple, set, frozenset, object)}
_MODULES = frozenset(
    {"typing", "typing_extensions", "collections.abc", "collections", "datetime", "decimal", "uuid", "pathlib"}
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def stand_in(source: str, attribute: str) -> Callable[..., Any]:
    """A function with the signature, annotations and docstring of `attribute` in `source`. Raises NotStaticError."""
    return Module(source).stand_in(attribute)


class Module:
    """The source of a module of tools, parsed once for all of them."""

    def __init__(self, source: str) -> None:
        self._source = source

    def stand_in(self, attribute: str) -> Callable[..., Any]:
        """A function with the signature, annotations and docstring of `attribute`. Raises NotStaticError."""
        try:
            return self._reader.function(attribute)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise NotStaticError(f"its module cannot be parsed ({type(error).__name__})") from None

    @cached_property
    def _reader(self) -> _Reader:
        return _Reader(ast.parse(self._source))


def _bindings(tree: ast.Module) -> Iterator[str]:
    """Every name that anything in the module may bind, wherever; too many rather than too few."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Global):
            yield from node.names


def _imports(tree: ast.Module) -> dict[str, str]:
    """What names at the top of the module stand for: `Seq` for `collections.abc.Sequence`."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
        elif isinstance(node, ast.Import):
            found.update({alias.asname or alias.name.split(".")[0]: _module_name(alias) for alias in node.names})
    return found


def _module_name(alias: ast.alias) -> str:
    return alias.name if alias.asname else alias.name.split(".")[0]


class _Reader:
    """Turns annotations and defaults into values, as far as the vocabulary goes."""

    def __init__(self, tree: ast.Module) -> None:
        self._imports = _imports(tree)
        self._bound = Counter(_bindings(tree))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        self._top = {node.name: node for node in tree.body if isinstance(node, kinds)}
        self._classes: dict[str, Any] = {}  # of the module, made so far

    def function(self, name: str) -> Callable[..., Any]:
        node = self._top.get(name)
        if node is None or isinstance(node, ast.ClassDef):
            raise NotStaticError(f"its module defines no function {name!r} at its top")
        if self._bound[name] != 1:
            raise NotStaticError(f"its module gives the name {name!r} more than once")
        if node.decorator_list:
            raise NotStaticError("it is decorated, and a decorator may change what it takes")
        return self._made(node)

    def _made(self, node: _Function) -> Callable[..., Any]:
        parameters = list(self._parameters(node.args))
        hints = {parameter.name: parameter.annotation for parameter in parameters}
        try:
            returns = {} if node.returns is None else {"return": self.type(node.returns)}
        except NotStaticError:  # results are never checked, so this only loses a declaration
            returns = {}

        def made(**_: Any) -> None:
            """Never called."""

        made.__name__ = node.name
        made.__doc__ = ast.get_docstring(node)
        made.__annotations__ = {
            name: hint for name, hint in hints.items() if hint is not inspect.Parameter.empty
        } | returns
        made.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return made

    def _parameters(self, args: ast.arguments) -> Iterator[inspect.Parameter]:
        plain = [*args.posonlyargs, *args.args]
        defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
        for n, (arg, default) in enumerate(zip(plain, defaults, strict=True)):
            first = n < len(args.posonlyargs)
            kind = inspect.Parameter.POSITIONAL_ONLY if first else inspect.Parameter.POSITIONAL_OR_KEYWORD
            yield self._parameter(arg, kind, default)
        if args.vararg is not None:
            yield self._parameter(args.vararg, inspect.Parameter.VAR_POSITIONAL, None)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            yield self._parameter(arg, inspect.Parameter.KEYWORD_ONLY, default)
        if args.kwarg is not None:
            yield self._parameter(args.kwarg, inspect.Parameter.VAR_KEYWORD, None)

    def _parameter(self, arg: ast.arg, kind: Any, default: ast.expr | None) -> inspect.Parameter:
        annotation = inspect.Parameter.empty if arg.annotation is None else self.type(arg.annotation)
        value = inspect.Parameter.empty if default is None else self._default(default, f"the default of {arg.arg!r}")
        return inspect.Parameter(arg.arg, kind, default=value, annotation=annotation)

    def _default(self, node: ast.expr, what: str) -> Any:
        """A literal, or a member of the module's own Enum."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            kind = self._own(node.value.id)
            if kind is not None and issubclass(kind, enum.Enum) and node.attr in kind.__members__:
                return kind[node.attr]
        return literal(node, what)

    def type(self, node: ast.expr) -> Any:
        """The type that an annotation spells."""
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return Union[self.type(node.left), self.type(node.right)]  # noqa: UP007 - two values, not types
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        return self._named(node)

    def _constant(self, node: ast.Constant) -> Any:
        if node.value is None or node.value is Ellipsis:
            return node.value
        if isinstance(node.value, str):
            try:
                return self.type(ast.parse(node.value, mode="eval").body)
            except SyntaxError:
                pass
        raise NotStaticError(f"the annotation {node.value!r} is no type")

    def _subscript(self, node: ast.Subscript) -> Any:
        base = self._named(node.value)
        parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if base is Literal:
            arguments = [literal(part, "a Literal") for part in parts]
        elif base is Annotated:
            arguments = [self.type(parts[0]), *(literal(part, "an Annotated") for part in parts[1:])]
        else:
            arguments = [self.type(part) for part in parts]
        try:
            return base[tuple(arguments) if len(arguments) != 1 else arguments[0]]
        except TypeError as error:
            raise NotStaticError(f"{ast.unparse(node)}: {error}") from None

    def _named(self, node: ast.expr) -> Any:
        whole = self._meaning(node)
        if isinstance(node, ast.Name):
            found = _BUILTINS.get(whole) or self._own(node.id)
            if found is not None:
                return found
        module, _, attribute = whole.rpartition(".")
        if module in _MODULES:
            home = "typing" if module == "typing_extensions" else module
            found = getattr(import_module(home), attribute, None)
            if found is not None:
                return found
        raise NotStaticError(f"the annotation {ast.unparse(node)} is defined by the module itself or by a library")

    def _meaning(self, node: ast.expr) -> str:
        """The full name of what is imported or built in: `typing.Any` for `t.Any`; "" for anything else."""
        first, dot, rest = ast.unparse(node).partition(".")
        if first in self._imports:
            return f"{self._imports[first]}{dot}{rest}" if self._bound[first] == 1 else ""
        return first if isinstance(node, ast.Name) and first in _BUILTINS and not self._bound[first] else ""

    def _own(self, name: str) -> Any:
        """The module's own class of that name, made on first use; None if it has none, or may have several."""
        node = self._top.get(name)
        if not isinstance(node, ast.ClassDef) or self._bound[name] != 1:
            return None
        if name not in self._classes:
            own_class(node, self._meaning, self.type, lambda made: self._classes.setdefault(name, made))
        return self._classes[name]
