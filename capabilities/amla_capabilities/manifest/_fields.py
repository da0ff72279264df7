"""The tables of a manifest: which keys each may have, of which kind, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from amla_capabilities._budget_spelling import expiry, read_totals
from amla_capabilities._budgets import rate_from
from amla_capabilities._limits import Limits
from amla_capabilities._operators import OPERATORS
from amla_capabilities._paths import parse_path
from amla_capabilities._spelling import Misspelt
from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_mapping
from amla_capabilities.findings import FINDINGS

from ._faults import Source
from ._kinds import (
    Anything,
    Checked,
    Choice,
    Duration,
    Field,
    Flag,
    ListOf,
    MapOf,
    Size,
    Table,
    Text,
    Whole,
    describe,
)
from ._model import Suppression
from ._positions import Path
from ._schemas import Params, SchemaKind
from ._templates import TemplateError, parse_template

__all__ = [
    "CAPABILITY",
    "CHECK",
    "COMMAND",
    "GRANT",
    "HTTP",
    "MCP",
    "MOUNT",
    "PYTHON",
    "SANDBOX",
    "TEST",
    "TOOL",
    "TOP",
]


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A text that may use `{param}` (`slots`) and `${NAME}` (`env`); each is a fault where it is not allowed (R27)."""

    slots: bool = False
    env: bool = False

    def read(self, value: Any, path: Path, source: Source) -> Any:
        if not isinstance(value, str):
            return source.fault("AM104", path, f"must be a string, not {describe(value)}")
        try:
            template = parse_template(value)
        except TemplateError as error:
            return source.fault("AM118", path, str(error), offset=error.offset)
        if not self.env and (name := next(template.env(), None)):
            message = f"'${{{name}}}' is not filled in here; only in HTTP headers, query and body, and in 'env'"
            return source.fault("AM118", path, message, offset=value.find("${"))
        if not self.slots and (name := next(template.slots(), None)):
            return source.fault(
                "AM118", path, f"'{{{name}}}': parameters are not filled in here", offset=value.find("{")
            )
        return template

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True, slots=True)
class Plain:
    """A text taken as it stands; `${NAME}` in it is a fault, since it would not be filled in (R27)."""

    empty_ok: bool = False

    def read(self, value: Any, path: Path, source: Source) -> Any:
        text = Text(empty_ok=self.empty_ok).read(value, path, source)
        if text and (found := _ENV_PLACE.search(text)):
            message = f"{found[0]!r} is not filled in here; only in HTTP headers, query and body, and in 'env' of tools"
            return source.fault("AM118", path, message, offset=found.start())
        return text

    def schema(self) -> dict[str, Any]:
        return Text(empty_ok=self.empty_ok).schema()


_ENV_PLACE = re.compile(r"\$\{[^}]*\}")
_PYTHON_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_MAPPING_OF_CONSTRAINTS = {
    "type": "object",
    "additionalProperties": {"type": ["string", "number", "boolean", "array", "object"]},
    "description": f"parameter to constraint; operators: {', '.join(OPERATORS)}",
}


def _python_name(text: str) -> str:
    if not _PYTHON_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is not module:function, such as weather:get_weather")
    module, _, function = text.partition(":")
    if module.endswith(".py"):
        raise ValueError(f"{text!r} names a file: write its module, {module.removesuffix('.py')}:{function}")
    return text


def _param_path(text: str) -> str:
    parse_path(text)
    return text


def _env_name(text: str) -> str:
    if not _ENV_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is not the name of an environment variable")
    return text


def _header_name(text: str) -> str:
    if not _HEADER_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is not the name of an HTTP header")
    return text


_FRAMING = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})


def _request_header(text: str) -> str:
    if text.lower() in _FRAMING:
        raise ValueError(f"{text!r} says where a request goes or ends: no tool sets it")
    return _header_name(text)


_URL_HEAD = re.compile(
    r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(?=[/?]|$)|https?://\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?(?=[/?]|$)"
)


def url_problem(text: str) -> str | None:
    """Why a URL template is refused: parameters reach its path and query, never what comes before (R24)."""
    if not _URL_HEAD.match(text):
        return "must start with http:// or https:// and a literal host, without a user name"
    if "#" in text:
        return "a fragment is never sent: leave out '#…'"
    return None


def guest_path(text: str) -> str:
    """A clean absolute path in the sandbox. Raises ValueError."""
    segments = text.split("/")[1:]
    if not text.startswith("/") or "\\" in text or any(part in ("", ".", "..") for part in segments):
        raise ValueError(f"{text!r} is not a clean absolute path in the sandbox, such as /workspace/data")
    return text


def _constraints(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"must be a table from parameter to constraint, not {describe(value)}")
    return value  # pyright: ignore[reportUnknownVariableType]


_CONSTRAINTS = Checked(_constraints, _MAPPING_OF_CONSTRAINTS, "AM104")
_RATE = Checked(rate_from, {"type": "string", "examples": ["10/minute", "5/30s"]}, "AM129")
_EXPIRES = Checked(expiry, {"type": "string", "format": "date-time"}, "AM129")


@dataclass(frozen=True, slots=True)
class Totals:
    """Bounds on sums: a table from parameter to `<` or `<=` and a number."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return source.fault("AM104", path, f"must be a table from parameter to bound, not {describe(value)}")

        def note(fault: Misspelt) -> None:
            source.fault("AM129", (*path, *fault.where), fault.problem, offset=fault.offset)

        return read_totals(table, note)

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {"type": "string", "examples": ["<=10000"]}}


@dataclass(frozen=True, slots=True)
class Suppressions:
    """Findings that are accepted: a table from code to a reason, or to `{ reason, path }`."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return source.fault("AM104", path, f"must be a table from code to reason, not {describe(value)}")
        return [found for code, item in table.items() if (found := self._one(code, item, (*path, code), source))]

    def _one(self, code: str, value: Any, path: Path, source: Source) -> Suppression | None:
        kind = FINDINGS.get(code)
        if kind is None or not kind.can_suppress:
            unknown = f"{code!r} is no finding{did_you_mean(code, FINDINGS)}"
            never = f"{code} is never suppressed: mend what was found"
            source.fault("AM128", path, never if kind else unknown, at_key=True)
            return None
        short = isinstance(value, str)
        read = {"reason": _REASON.read(value, path, source)} if short else ACCEPTED.read(value, path, source)
        if not read or not read.get("reason"):
            return None
        return Suppression(code, read["reason"], read.get("path", ""), source.file, path)

    def schema(self) -> dict[str, Any]:
        codes = sorted(code for code, kind in FINDINGS.items() if kind.can_suppress)
        accepted = {"anyOf": [_REASON.schema(), ACCEPTED.schema()]}
        return {
            "type": "object",
            "properties": {code: {**accepted, "description": FINDINGS[code].title} for code in codes},
            "additionalProperties": False,
        }


_REASON = Text()
ACCEPTED = Table(
    [
        Field("reason", _REASON, "why it is no problem", required=True),
        Field("path", Text(), "only findings about this place in the manifest, such as tools.pay"),
    ]
)

SANDBOX = Table(
    [
        Field(
            spec.name,
            Checked(spec.parse, {"type": ["string", "integer"]}),
            f"{spec.about} ({spec.format(spec.default)})",
        )
        for spec in Limits.specs()
    ]
)

GRANT = [
    Field("constraints", _CONSTRAINTS, "what the arguments must meet"),
    Field("max_calls", Whole(), "how many calls are allowed"),
    Field("note", Text(empty_ok=True), "a remark for people"),
    Field("rate", _RATE, "how many calls in a time, such as 10/minute"),
    Field("total", Totals(), "upper bounds on the sums of arguments over all calls"),
    Field("expires", _EXPIRES, "when the grant ends, with a time zone"),
]

COMMON = [
    *GRANT,
    Field("approval", Choice(("ask",)), "each call waits for a person"),
    Field("allow", Flag(), "true grants every call within the limits here; false refuses them all, whoever grants"),
    Field("description", Text(), "what the tool does, for the model"),
    Field("params", Params(), "the parameters, each with its JSON Schema"),
    Field("returns", SchemaKind(), "JSON Schema of the result"),
    Field("mock", Anything(), "the result in a dry run and in check-policy"),
    Field("effect", Choice(("read", "write")), "whether a call changes anything"),
    Field("idempotent", Flag(), "whether repeating a call does no harm"),
    Field("timeout", Duration, "time of one call"),
    Field("secret", ListOf(Text(_param_path)), "parameters whose values are never shown"),
]

PYTHON = [Field("python", Text(_python_name), "module:function, resolved beside the manifest first")]
COMMAND = [
    Field("command", ListOf(TemplateText(slots=True), at_least=1), "the program and its arguments"),
    Field("stdin", Text(_param_path), "the parameter that the program reads on standard input"),
    Field("env", MapOf(TemplateText(env=True), _env_name), "environment variables of the program"),
    Field("cwd", Plain(), "the folder it runs in, beside the manifest"),
    Field("output", Choice(("text", "json")), "what its standard output is"),
    Field("max_output", Size, "how much it may write"),
    Field("exit_ok", ListOf(Whole()), "exit statuses that are no error"),
    Field("options_ok", ListOf(Text(_param_path)), "parameters whose values may start with '-', '+' or '@'"),
]
HTTP = [
    Field(
        "http",
        Table(
            [
                Field("method", Choice(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")), "the method; GET if absent"),
                Field("url", TemplateText(slots=True), "the address; parameters in its path or query", required=True),
                Field("query", MapOf(TemplateText(slots=True, env=True)), "query parameters"),
                Field("headers", MapOf(TemplateText(slots=True, env=True), _request_header), "headers"),
                Field("body", Choice(("json", "form", "raw")), "how other arguments are sent"),
                Field("fields", MapOf(TemplateText(slots=True, env=True)), "fixed entries of the body"),
                Field("text", TemplateText(slots=True, env=True), 'the body, for body = "raw"'),
                Field("output", Choice(("auto", "text", "json")), "what the response is"),
                Field("allow_private", Flag(), "whether the host may have a private address"),
                Field("max_response", Size, "how much it may send"),
            ]
        ),
        "an HTTP request",
    )
]
TOOL = Table([*COMMON, *PYTHON, *COMMAND, *HTTP], one_of=("python", "command", "http"))

CAPABILITY = Table(
    [
        Field("method", Text(), "the tools: a path, or a pattern with * and **", required=True),
        Field("approval", Choice(("ask",)), "each call waits for a person"),
        *GRANT,
    ]
)
MOUNT = Table(
    [
        Field("host", Plain(), "the folder on the host, beside the manifest", required=True),
        Field("guest", Text(guest_path), "where it appears in the sandbox", required=True),
        Field("mode", Choice(("ro", "rw")), "rw copies changes back when a run ends well"),
        Field("delete", Flag(), "whether rw also deletes on the host what was deleted"),
        Field("unsafe_shared", Flag(), "accept that tools or the manifest lie inside"),
    ]
)
TEST = Table(
    [
        Field("call", Text(), "the tool", required=True),
        Field("args", MapOf(Anything()), "the arguments"),
        Field("expect", Choice(("allow", "deny", "ask")), "the decision", required=True),
        Field("note", Text(empty_ok=True), "a remark for people"),
    ]
)
MCP = Table(
    [
        Field("command", ListOf(Plain(), at_least=1), "the server's program and arguments"),
        Field("url", Plain(), "the server's address"),
        Field("env", MapOf(TemplateText(env=True), _env_name), "environment variables of the program"),
        Field("headers", MapOf(TemplateText(env=True), _header_name), "headers for the address"),
        Field("cwd", Plain(), "the folder it runs in"),
        Field("timeout", Duration, "time of one call"),
        Field("note", Text(empty_ok=True), "a remark for people"),
    ],
    one_of=("command", "url"),
)
CHECK = Table([Field("suppress", Suppressions(), "findings that are accepted, each with a reason")])
TOP = Table(
    [
        Field("include", ListOf(Plain()), "further manifest files"),
        Field("sandbox", SANDBOX, "limits"),
        Field("tools", MapOf(TOOL), "the tools"),
        Field("mcp", MapOf(MCP), "MCP servers"),
        Field("capabilities", ListOf(CAPABILITY), "grants, in order"),
        Field("mounts", ListOf(MOUNT), "folders the sandbox gets"),
        Field("env", MapOf(Plain(empty_ok=True), _env_name), "environment variables the script sees"),
        Field("tests", ListOf(TEST), "unit tests of the policy"),
        Field("check", CHECK, "what check-policy accepts"),
    ]
)
