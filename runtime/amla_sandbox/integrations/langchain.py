"""LangChain: its tools as ours, and the sandbox as one of its tools. Needs ``pip install 'amla[langchain]'``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_type_hints

from amla_sandbox.tools import ArgumentError, Arguments, ToolDefinition, ToolDefinitionError, thaw
from amla_sandbox.tools._callable import is_injected
from amla_sandbox.tools._echo import echoes
from amla_sandbox.tools._errors import reason_of

from ._described import Ingested
from ._functions import as_function

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

__all__ = ["as_langchain_tool", "as_langchain_tools", "from_langchain", "tool_from_langchain"]

Language = Literal["javascript", "shell"]


class RunsCode(Protocol):
    """What a LangChain tool needs of a sandbox."""

    def run(self, code: str, language: str = ...) -> str: ...


def from_langchain(tools: Sequence[Any]) -> Ingested:
    """Functions and definitions for LangChain tools: names, descriptions and schemas are kept."""
    definitions = [tool_from_langchain(tool) for tool in tools]
    return [as_function(definition) for definition in definitions], definitions


def tool_from_langchain(tool: Any) -> ToolDefinition:
    """The definition of one LangChain tool. Arguments that LangChain injects are not part of its schema (R22)."""
    if not callable(getattr(tool, "invoke", None)) or not hasattr(tool, "name"):
        raise ToolDefinitionError(f"{tool!r} is not a LangChain tool: it has no name and invoke")
    shown = getattr(tool, "tool_call_schema", None) or tool.get_input_schema()
    schema, convert = _schema_and_check(shown, tool.get_input_schema(), tool.name)
    asynchronous = _is_async(tool)
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters=_without_injected(schema, tool),
        handler=_handler(tool.ainvoke if asynchronous else tool.invoke),
        is_async=asynchronous,
        convert=convert,
        derived=convert is not None,
    )


def as_langchain_tool(sandbox: RunsCode, *, name: str = "sandbox", description: str | None = None) -> StructuredTool:
    """One LangChain tool that runs JavaScript or shell code in ``sandbox``, and describes its functions."""

    def run(code: str, language: Language = "javascript") -> str:
        return sandbox.run(code, language)

    return _structured(run, name, description or _described(sandbox, "Run JavaScript or shell code in a sandbox."))


def as_langchain_tools(
    sandbox: RunsCode, *, javascript: str | None = None, shell: str | None = None
) -> list[StructuredTool]:
    """Two tools, ``sandbox_js`` and ``sandbox_shell``; ``javascript`` and ``shell`` are their descriptions."""

    def run_javascript(code: str) -> str:
        return sandbox.run(code, "javascript")

    def run_shell(command: str) -> str:
        return sandbox.run(command, "shell")

    script = javascript or _described(sandbox, "Run JavaScript in a sandbox. Top-level await and return work.")
    command = shell or "Run shell commands in a sandbox: pipelines, text tools, and `tool NAME --param value`."
    return [_structured(run_javascript, "sandbox_js", script), _structured(run_shell, "sandbox_shell", command)]


def _described(sandbox: RunsCode, what: str) -> str:
    describe = getattr(sandbox, "get_tool_descriptions", None)
    return f"{what}\n\n{describe()}" if callable(describe) else what


def _structured(function: Callable[..., str], name: str, description: str) -> StructuredTool:
    try:
        from langchain_core.tools import StructuredTool
    except ImportError:
        raise ImportError("LangChain is not installed: pip install 'amla[langchain]'") from None
    return StructuredTool.from_function(func=function, name=name, description=description)


def _handler(invoke: Callable[[Any], Any]) -> Callable[[Arguments], Any]:
    def handler(arguments: Arguments) -> Any:
        return invoke(thaw(arguments))

    return handler


def _schema_and_check(shown: Any, full: Any, name: str) -> tuple[dict[str, Any], Callable[[Arguments], object] | None]:
    """A tool's schema, and the check that its model does not change a value on the way to the function (R20).

    ``shown`` lacks the injected arguments, and the settings of ``full``, with which LangChain will really parse.
    """
    if isinstance(shown, dict):
        return shown, None  # pyright: ignore[reportUnknownVariableType]
    if not hasattr(shown, "model_json_schema"):
        return shown.schema(), None
    injects = getattr(full, "model_fields", {}).keys() != shown.model_fields.keys()
    model = shown if injects else full

    def check(arguments: Arguments) -> object:
        try:
            made = model.model_validate(thaw(arguments))
        except ValueError as error:
            raise ArgumentError(f"{name}: {reason_of(error)}") from None
        if not echoes(arguments, made):
            raise ArgumentError(
                f"{name}: an argument would reach the tool changed; pass it in the form that it has there"
            )
        return made

    return shown.model_json_schema(), check


def _without_injected(schema: dict[str, Any], tool: Any) -> dict[str, Any]:
    """The schema less what LangChain itself overlooks as injected, such as ``config: RunnableConfig | None``."""
    function: Any = getattr(tool, "func", None) or getattr(tool, "coroutine", None) or tool._run  # noqa: SLF001
    try:
        hints = get_type_hints(function, include_extras=True)
    except NameError:  # names that exist for a type checker only; LangChain has judged those parameters
        hints = {}
    injected = {name for name, hint in hints.items() if is_injected(hint)}
    properties = {name: entry for name, entry in schema.get("properties", {}).items() if name not in injected}
    return {**schema, "properties": properties}


def _is_async(tool: Any) -> bool:
    """Whether the tool has a coroutine of its own, rather than LangChain's detour through a thread."""
    if getattr(tool, "coroutine", None) is not None:
        return True
    owner = next((kind for kind in type(tool).__mro__ if "_arun" in vars(kind)), None)
    return owner is not None and not owner.__module__.startswith("langchain_core.")
