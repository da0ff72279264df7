"""Classes that a module of tools defines itself, made anew from its source without running it (R1).

Only plain ones: a dataclass, TypedDict, NamedTuple or Enum whose body is fields with literal values. Methods are passed
over, since no schema shows them. Anything else is `NotStaticError`, never a guess.
"""

from __future__ import annotations

import ast
import enum
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

__all__ = ["NotStaticError", "literal", "own_class"]


class NotStaticError(Exception):
    """The signature depends on what only running the module would tell; the message says what."""


Meaning = Callable[[ast.expr], str]  # the full name that an expression stands for, "" if it has none
Register = Callable[[Any], None]
ReadType = Callable[[ast.expr], Any]

_MAKE_TYPED_DICT: Any = TypedDict  # the checkers of types know these only with literals
_MAKE_NAMED_TUPLE: Any = NamedTuple
_ENUMS = {f"enum.{kind.__name__}": kind for kind in (enum.Enum, enum.IntEnum, enum.StrEnum)}
_MIXINS = {"str": str, "int": int}
_FACTORIES = {"list": list, "dict": dict, "set": set, "frozenset": frozenset, "tuple": tuple}
_ENUM_METHODS = ("__str__", "__repr__", "__format__")  # the others that have underscores may change members


def literal(node: ast.expr, what: str) -> Any:
    """The value that a literal spells; `what` names it in the error for anything else."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise NotStaticError(f"{what} is computed: {ast.unparse(node)}") from None


def own_class(node: ast.ClassDef, meaning: Meaning, read_type: ReadType, register: Register) -> None:
    """Make a class like that of the source. It is handed to `register` before its fields' types are read: they may
    name it."""
    bases = [meaning(base) for base in node.bases]
    try:
        if bases and bases[-1] in _ENUMS:
            register(_enum(node, bases, meaning))
        elif bases in (["typing.TypedDict"], ["typing_extensions.TypedDict"]) and not node.decorator_list:
            _typed_dict(node, read_type, register)
        elif bases == ["typing.NamedTuple"] and not node.decorator_list:
            _named_tuple(node, read_type, register)
        elif not bases and not node.keywords and _is_dataclass(node, meaning):
            _dataclass(node, meaning, read_type, register)
        else:
            raise NotStaticError(f"{node.name} is no plain dataclass, TypedDict, NamedTuple or Enum")
    except (TypeError, ValueError, AttributeError) as error:
        raise NotStaticError(f"{node.name} cannot be made from its source: {error}") from None


def _is_dataclass(node: ast.ClassDef, meaning: Meaning) -> bool:
    if len(node.decorator_list) != 1:
        return False
    decorator = node.decorator_list[0]
    return meaning(decorator.func if isinstance(decorator, ast.Call) else decorator) == "dataclasses.dataclass"


def _dataclass(node: ast.ClassDef, meaning: Meaning, read_type: ReadType, register: Register) -> None:
    fields = list(_fields(node))
    made: Any = types.new_class(node.name)
    made.__doc__ = ast.get_docstring(node, clean=False)
    register(made)
    made.__annotations__ = {name: read_type(annotation) for name, annotation, _ in fields}
    for name, _, value in fields:
        if value is not None:
            setattr(made, name, _default(value, name, meaning))
    dataclass(made)


def _default(value: ast.expr, name: str, meaning: Meaning) -> Any:
    """The default of a dataclass's field: a literal, or what `field()` says with literals."""
    what = f"the default of {name!r}"
    if not (isinstance(value, ast.Call) and meaning(value.func) == "dataclasses.field"):
        return literal(value, what)
    given: dict[str, Any] = {}
    for keyword in value.keywords:
        if keyword.arg == "default_factory":
            factory = _FACTORIES.get(meaning(keyword.value))
            if factory is None:
                raise NotStaticError(f"{what} is computed: {ast.unparse(keyword.value)}")
            given["default_factory"] = factory
        elif keyword.arg in ("default", "init"):
            given[keyword.arg] = literal(keyword.value, what)
        elif keyword.arg not in ("repr", "compare", "hash", "kw_only", "metadata"):
            raise NotStaticError(f"{what} is unclear: {ast.unparse(value)}")
    return field(**given)


def _typed_dict(node: ast.ClassDef, read_type: ReadType, register: Register) -> None:
    total = True
    for keyword in node.keywords:
        if keyword.arg != "total":
            raise NotStaticError(f"{node.name} has an unknown class argument, {keyword.arg}")
        total = bool(literal(keyword.value, "total"))
    fields = list(_fields(node, values=False))
    made = _MAKE_TYPED_DICT(node.name, dict.fromkeys((name for name, _, _ in fields), Any), total=total)
    made.__doc__ = ast.get_docstring(node, clean=False)
    register(made)
    made.__annotations__.update({name: read_type(annotation) for name, annotation, _ in fields})


def _named_tuple(node: ast.ClassDef, read_type: ReadType, register: Register) -> None:
    fields = list(_fields(node))
    made = _MAKE_NAMED_TUPLE(node.name, [(name, Any) for name, _, _ in fields])
    register(made)
    made.__annotations__.update({name: read_type(annotation) for name, annotation, _ in fields})


def _fields(node: ast.ClassDef, *, values: bool = True) -> Iterator[tuple[str, ast.expr, ast.expr | None]]:
    """The annotated names of a class's body: name, annotation and value."""
    seen: set[str] = set()
    for part in node.body:
        name = _bound_name(part)
        if name is None:
            continue
        if name in seen:
            raise NotStaticError(f"{node.name} gives the name {name!r} more than once")
        seen.add(name)
        if isinstance(part, ast.AnnAssign) and not name.startswith("__") and (values or part.value is None):
            yield name, part.annotation, part.value
        elif not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            raise NotStaticError(f"{node.name} has {name!r}, which is no plain field")


def _enum(node: ast.ClassDef, bases: list[str], meaning: Meaning) -> Any:
    mixin = _MIXINS.get(bases[0]) if len(bases) == 2 else None
    if len(bases) > 2 or (len(bases) == 2 and mixin is None) or node.keywords or node.decorator_list:
        raise NotStaticError(f"{node.name} is no plain Enum")
    members: list[tuple[str, Any]] = []
    for part in node.body:
        name = _bound_name(part)
        if isinstance(part, ast.Assign) and name is not None and not name.startswith("_"):
            automatic = isinstance(part.value, ast.Call) and meaning(part.value.func) == "enum.auto"
            members.append((name, enum.auto() if automatic else literal(part.value, f"{node.name}.{name}")))
        elif name is not None and not (
            isinstance(part, ast.FunctionDef) and (not name.startswith("_") or name in _ENUM_METHODS)
        ):
            raise NotStaticError(f"{node.name} has {name!r}, which is no plain member")
    base: Any = _ENUMS[bases[-1]]
    return base(node.name, members) if mixin is None else base(node.name, members, type=mixin)


def _bound_name(part: ast.stmt) -> str | None:
    """The name that one statement of a class's body binds; None for a docstring, `pass` or `...`."""
    if isinstance(part, ast.Pass) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
        return None
    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
        return part.name
    target: ast.expr | None = part.target if isinstance(part, ast.AnnAssign) else None
    if isinstance(part, ast.Assign) and len(part.targets) == 1:
        target = part.targets[0]
    if isinstance(target, ast.Name):
        return target.id
    raise NotStaticError("its body does more than to name fields")
