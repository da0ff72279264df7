"""From the tables of a manifest to tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._constraints._spelling import Misspelt, read_constraints
from amla_capabilities._decisions._policy import ToolLimits
from amla_capabilities._paths import parse_path
from amla_capabilities._suggest import did_you_mean

from ._faults import Source
from ._fields import COMMAND
from ._model import CommandTool, HttpTool, McpServer, PythonTool, Tool
from ._positions import Path
from ._schemas import Parameter, object_schema
from ._templates import Template
from ._texts import url_problem

__all__ = ["BUDGETS", "Read", "argument_schema", "build_mcp", "build_tool", "constraints_at"]

Read = Mapping[str, Any]  # a table as read: the keys that are present and sound

_KINDS = ("python", "command", "http")
_COMMAND_KEYS = [field.name for field in COMMAND if field.name != "command"]
BUDGETS = ("max_calls", "rate", "total", "expires", "approval")
_LIMITS = ("constraints", *BUDGETS)


def build_tool(name: str, path: str, raw: Read, read: Read, constraints: ConstraintSet, source: Source) -> Tool | None:
    """The tool of one `[tools.name]`; `raw` is the table as written, `read` what of it was sound."""
    at: Path = ("tools", name)
    kinds = [kind for kind in _KINDS if kind in raw]
    if len(kinds) != 1:
        what = "none" if not kinds else " and ".join(kinds)
        source.fault("AM110", at, f"a tool has exactly one of python, command and http; this has {what}", at_key=True)
        return None
    if kinds[0] != "command":
        for key in _COMMAND_KEYS:
            if key in raw:
                source.fault("AM111", (*at, key), f"{key!r} belongs to tools of kind command", at_key=True)
    if kinds[0] not in read:
        return None
    common = _common(path, at, raw, read, constraints, source)
    params: Mapping[str, Parameter] = read.get("params", {})
    _check_known(read.get("secret", ()), params, (*at, "secret"), source, open_=kinds[0] == "python" and not params)
    return _BUILDERS[kinds[0]](common, read, params, source, at)


def _common(path: str, at: Path, raw: Read, read: Read, constraints: ConstraintSet, source: Source) -> dict[str, Any]:
    implied = "allow" not in raw and any(key in raw for key in _LIMITS)
    secret = tuple(name for name in read.get("secret", ()) if name is not None)
    budgets = {key: read[key] for key in BUDGETS if key in read}
    limits = ToolLimits(constraints, allow=read.get("allow", True), secret=secret, **budgets)
    wanted = ("description", "returns", "mock", "effect", "idempotent", "timeout", "note")
    present = {key: read[key] for key in wanted if key in read}
    return {
        **present,
        "path": path,
        "file": source.file,
        "at": at,
        "has_mock": "mock" in raw,
        "granted": read.get("allow", False),
        "implied": implied,
        "limits": limits,
        "schema": argument_schema(raw, read),
    }


def argument_schema(raw: Read, read: Read) -> dict[str, Any] | None:
    """The JSON Schema of a tool's arguments; None where a Python signature will give it."""
    if "python" in raw and "params" not in raw:
        return None
    return object_schema({name: param for name, param in read.get("params", {}).items() if param is not None})


def constraints_at(read: Read, at: Path, source: Source) -> list[tuple[Path, list[Constraint]]]:
    """The constraints of a table with the place of each; faults are noted."""
    found: list[tuple[Path, list[Constraint]]] = []
    for param, spelling in read.get("constraints", {}).items():
        base = (*at, "constraints")

        def note(fault: Misspelt, base: Path = base) -> None:
            source.fault("AM114", (*base, *fault.where), fault.problem, offset=fault.offset)

        found.append(((*base, param), read_constraints({param: spelling}, note)))
    for total in read.get("total", ()):  # bounds each single value as well
        bound = Leaf.build("le", parse_path(total.param), total.bound)
        found.append(((*at, "total", total.param), [bound]))
    return found


def _check_known(
    names: Iterable[str | None], params: Mapping[str, Parameter], at: Path, source: Source, *, open_: bool = False
) -> None:
    for n, name in enumerate(names):
        if name is not None and not open_ and (parse_path(name) or [None])[0] not in params:
            source.fault("AM120", (*at, n), f"{name!r} is not a parameter of this tool{did_you_mean(name, params)}")


# Python


def _python(common: dict[str, Any], read: Read, params: Read, source: Source, at: Path) -> Tool:  # noqa: ARG001
    module, _, attribute = read["python"].partition(":")
    return PythonTool(**common, module=module, attribute=attribute)


# Programs


def _command(common: dict[str, Any], read: Read, params: Read, source: Source, at: Path) -> Tool | None:
    written: tuple[Template | None, ...] = read["command"]
    argv = tuple(element for element in written if element is not None)
    for n, element in enumerate(written):
        if element is not None:
            _check_slots(element, params, (*at, "command", n), source, required=True)
    if written[0] is not None:
        _check_program(written[0], (*at, "command", 0), source)
    if len(argv) < len(written):
        return None
    stdin = read.get("stdin")
    if stdin is not None:
        _check_known([stdin], params, (*at, "stdin"), source)
    _check_known(read.get("options_ok", ()), params, (*at, "options_ok"), source)
    used = {name for element in argv for name in element.slots()} | {stdin}
    for name in params:
        if name not in used:
            source.fault(
                "AM119",
                (*at, "params", name),
                f"is never used: put {{{name}}} into command, or name it in stdin",
                at_key=True,
            )
    keys = ("stdin", "env", "cwd", "output", "max_output", "exit_ok", "options_ok")
    return CommandTool(**common, argv=argv, **{key: read[key] for key in keys if key in read})


def _check_program(program: Template, at: Path, source: Source) -> None:
    if any(True for _ in program.slots()):
        source.fault("AM125", at, "the program itself is fixed: no parameter may choose it (R23)")
    elif str(program).lower().endswith((".bat", ".cmd")):
        source.fault("AM125", at, "batch files pass through a shell, which reads arguments anew: name a program (R23)")


def _check_slots(template: Template, params: Read, at: Path, source: Source, *, required: bool = False) -> None:
    for name in template.slots():
        if name not in params:
            hint = did_you_mean(name, params) or f'; add params.{name} = {{ type = "string" }}'
            source.fault("AM119", at, f"'{{{name}}}' is not a parameter of this tool{hint}")
        elif required and not params[name].always_present:
            source.fault("AM119", at, f"{name!r} is optional, so this may have no value: give it a default")


# HTTP


def _http(common: dict[str, Any], read: Read, params: Read, source: Source, at: Path) -> Tool | None:
    http: Read = read["http"]
    at = (*at, "http")
    if "url" not in http:
        return None
    problem = url_problem(str(http["url"]))
    if problem is not None:
        source.fault("AM124", (*at, "url"), problem)
    _check_slots(http["url"], params, (*at, "url"), source, required=True)
    for key in ("query", "headers", "fields"):
        for name, template in http.get(key, {}).items():
            if template is not None:
                _check_slots(template, params, (*at, key, name), source)
    if "text" in http:
        _check_slots(http["text"], params, (*at, "text"), source, required=True)
    method = http.get("method", "GET")
    _check_body(method, http, at, source)
    if any(None in http.get(key, {}).values() for key in ("query", "headers", "fields")):
        return None
    return HttpTool(**common, **{**http, "method": method})


def _check_body(method: str, http: Read, at: Path, source: Source) -> None:
    body = http.get("body")
    if body is not None and method in ("GET", "HEAD"):
        source.fault("AM111", (*at, "body"), f"{method} requests have no body")
    if ("text" in http) is not (body == "raw"):
        source.fault("AM111", (*at, "text"), 'text and body = "raw" go together', at_key=True)
    if "fields" in http and body not in ("json", "form"):
        source.fault("AM111", (*at, "fields"), 'fields need body = "json" or body = "form"', at_key=True)


_Builder = Callable[[dict[str, Any], Read, Read, Source, Path], Tool | None]
_BUILDERS: Mapping[str, _Builder] = {"python": _python, "command": _command, "http": _http}


# MCP servers


def build_mcp(name: str, raw: Read, read: Read, source: Source) -> McpServer | None:
    """The server of one `[mcp.name]`."""
    at: Path = ("mcp", name)
    if ("command" in raw) is ("url" in raw):
        source.fault("AM110", at, "an MCP server has either a command or a url", at_key=True)
        return None
    for key, needs in (("env", "command"), ("cwd", "command"), ("headers", "url")):
        if key in raw and needs not in raw:
            source.fault("AM111", (*at, key), f"{key!r} goes with {needs!r}", at_key=True)
    problem = url_problem(read["url"]) if "url" in read else None
    if problem is not None:
        source.fault("AM124", (*at, "url"), problem)
    return McpServer(name=name, file=source.file, **read)
