"""Tools that are Python callables: functions, methods, partials, objects with ``__call__``; sync or async."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._callable import callable_name, document, is_coroutine
from ._definition import Arguments, Effect, Handler, ToolDefinition
from ._json import thaw
from ._signature import Signature, read_signature, without_annotations

__all__ = ["as_definition", "tool_from_function"]


def tool_from_function(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    description: str | None = None,
    schema: Mapping[str, Any] | None = None,
    returns: Mapping[str, Any] | None = None,
    effect: Effect | None = None,
    idempotent: bool = False,
    timeout: float | None = None,
    secret: Iterable[str] = (),
    mock: Any = None,
) -> ToolDefinition:
    """A tool that calls ``function`` with named arguments.

    Its schema comes from the signature and the docstring (Google, NumPy or Sphinx style) unless ``schema`` is given;
    then the function gets the checked values as they are. ``name`` may be a path (``stripe/charges/create``).
    Raises ToolDefinitionError for a callable whose parameters cannot be described.
    """
    known = _known(function)
    if known is not None:
        return known
    tool = name or callable_name(function)
    doc = document(function)
    signature = read_signature(function, tool, doc) if schema is None else without_annotations(function, tool, schema)
    return ToolDefinition(
        name=tool,
        description=doc.description if description is None else description,
        parameters=signature.schema,
        returns=returns if returns is not None else signature.returns,
        effect=effect,
        idempotent=idempotent,
        timeout=timeout,
        secret=frozenset(secret),
        mock=mock,
        handler=_handler(function, signature),
        is_async=is_coroutine(function),
        convert=signature.convert if signature.converts else None,
        derived=schema is None,
    )


def as_definition(tool: Any) -> ToolDefinition:
    """Whatever stands for a tool in a list of tools: a definition, a function, a LangChain tool."""
    return _known(tool) or tool_from_function(tool)


def _known(tool: Any) -> ToolDefinition | None:
    declared = tool if isinstance(tool, ToolDefinition) else getattr(tool, "__amla_tool__", None)
    if isinstance(declared, ToolDefinition):
        return declared
    if any(base.__module__.startswith("langchain_core.tools") for base in type(tool).__mro__):
        from amla_sandbox.integrations.langchain import tool_from_langchain

        return tool_from_langchain(tool)
    return None


def _handler(function: Callable[..., Any], signature: Signature) -> Handler:
    values = signature.convert if signature.converts else thaw

    def handler(arguments: Arguments) -> Any:
        return signature.call(function, values(arguments))

    return handler
