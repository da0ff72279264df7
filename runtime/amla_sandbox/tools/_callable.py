"""What there is to know about a callable before its annotations are read: name, docstring, parameters, async or not."""

from __future__ import annotations

import builtins
import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any

from ._docstring import Docstring, parse_docstring
from ._errors import ToolDefinitionError

__all__ = ["callable_name", "document", "is_coroutine", "is_injected", "own_parameters", "resolved_hints"]

_FRAMEWORKS = ("langchain", "langgraph", "pydantic_ai", "agents", "mcp", "fastmcp", "google.adk", "openai")
_INJECTED = frozenset(
    {"RunnableConfig", "InjectedToolArg", "ToolRuntime", "RunContext", "RunContextWrapper", "ToolContext", "Context"}
    | {"CallbackManagerForToolRun", "AsyncCallbackManagerForToolRun", "BaseStore"}
)


def callable_name(function: Callable[..., Any]) -> str:
    """The name a callable goes by: its own, a partial's function's, or an object's class in ``snake_case``."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        name = "".join(f"_{c.lower()}" if c.isupper() else c for c in type(function).__name__).lstrip("_")
    if name == "<lambda>":
        raise ToolDefinitionError("a lambda has no name to call it by; define a function or give name=")
    return name


def is_coroutine(function: Callable[..., Any]) -> bool:
    """Whether calling it gives an awaitable: async functions, also as partials, methods or ``__call__``."""
    while isinstance(function, functools.partial):
        function = function.func
    call = getattr(type(function), "__call__", None)  # noqa: B004  # the method itself is wanted
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def document(function: Callable[..., Any]) -> Docstring:
    """The docstring of a callable; a partial's is its function's, not that of ``functools.partial``."""
    while isinstance(function, functools.partial):
        function = function.func
    own = inspect.getdoc(function) if inspect.isroutine(function) else type(function).__doc__
    return parse_docstring(own)


def own_parameters(function: Callable[..., Any], tool: str) -> list[inspect.Parameter]:
    """The parameters that a caller may set; what a partial has already bound stays bound."""
    if isinstance(function, type):
        raise ToolDefinitionError(f"{tool}: a class cannot be a tool; declare a function or an instance with __call__")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise ToolDefinitionError(f"{tool}: the signature cannot be read; give schema= explicitly") from None
    bound = set[str]()
    while isinstance(function, functools.partial):
        bound |= function.keywords.keys()
        function = function.func
    return [parameter for parameter in parameters if parameter.name not in bound]


class _Closure(dict[str, Any]):
    """The names that a nested function closes over, looked up only if an annotation needs one."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, name: str) -> Any:
        if name in getattr(self._function, "__globals__", {}) or name in vars(builtins):
            raise KeyError(name)
        if not inspect.isfunction(self._function):
            raise KeyError(name)
        return inspect.getclosurevars(self._function).nonlocals[name]


def resolved_hints(function: Callable[..., Any], parameters: list[inspect.Parameter], tool: str) -> dict[str, Any]:
    source: Any = function
    while isinstance(source, functools.partial):
        source = source.func
    if not inspect.isroutine(source):
        source = type(source).__call__
    try:
        return typing.get_type_hints(source, localns=_Closure(source), include_extras=True)
    except NameError as error:
        guilty = next((p.name for p in parameters if error.name and error.name in str(p.annotation)), "its result")
        raise ToolDefinitionError(
            f"{tool}: the annotation of {guilty} names {error.name!r}, which cannot be found; define it at module level"
        ) from None
    except TypeError:  # a built-in without annotations
        return {}


def is_injected(annotation: Any) -> bool:
    """Whether a framework fills this parameter in (R22): such a parameter is never the script's to give."""
    kinds = [annotation, *typing.get_args(annotation), *getattr(annotation, "__metadata__", ())]
    return any(_is_framework_class(kind if isinstance(kind, type) else type(kind)) for kind in kinds)


def _is_framework_class(kind: type) -> bool:
    return any(
        base.__name__ in _INJECTED and base.__module__.split(".")[0].startswith(_FRAMEWORKS) for base in kind.__mro__
    )
