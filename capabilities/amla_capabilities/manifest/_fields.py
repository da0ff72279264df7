"""The tables of a manifest: which keys each may have, of which kind, and what they mean."""

from __future__ import annotations

from amla_capabilities._limits import Limits

from ._kinds import Anything, Checked, Choice, Duration, Field, Flag, ListOf, MapOf, Size, Table, Text, Whole
from ._rules import CONSTRAINTS, EXPIRES, RATE, Suppressions, Totals
from ._schemas import Params, SchemaKind
from ._texts import Plain, TemplateText, env_name, guest_path, header_name, param_path, python_name, request_header

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
    Field("constraints", CONSTRAINTS, "what the arguments must meet"),
    Field("max_calls", Whole(), "how many calls are allowed"),
    Field("note", Text(empty_ok=True), "a remark for people"),
    Field("rate", RATE, "how many calls in a time, such as 10/minute"),
    Field("total", Totals(), "upper bounds on the sums of arguments over all calls"),
    Field("expires", EXPIRES, "when the grant ends, with a time zone"),
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
    Field("secret", ListOf(Text(param_path)), "parameters whose values are never shown"),
]

PYTHON = [Field("python", Text(python_name), "module:function, resolved beside the manifest first")]
COMMAND = [
    Field("command", ListOf(TemplateText(slots=True), at_least=1), "the program and its arguments"),
    Field("stdin", Text(param_path), "the parameter that the program reads on standard input"),
    Field("env", MapOf(TemplateText(env=True), env_name), "environment variables of the program"),
    Field("cwd", Plain(), "the folder it runs in, beside the manifest"),
    Field("output", Choice(("text", "json")), "what its standard output is"),
    Field("max_output", Size, "how much it may write"),
    Field("exit_ok", ListOf(Whole()), "exit statuses that are no error"),
    Field("options_ok", ListOf(Text(param_path)), "parameters whose values may start with '-', '+' or '@'"),
]
HTTP = [
    Field(
        "http",
        Table(
            [
                Field("method", Choice(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")), "the method; GET if absent"),
                Field("url", TemplateText(slots=True), "the address; parameters in its path or query", required=True),
                Field("query", MapOf(TemplateText(slots=True, env=True)), "query parameters"),
                Field("headers", MapOf(TemplateText(slots=True, env=True), request_header), "headers"),
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
        Field("env", MapOf(TemplateText(env=True), env_name), "environment variables of the program"),
        Field("headers", MapOf(TemplateText(env=True), header_name), "headers for the address"),
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
        Field("env", MapOf(Plain(empty_ok=True), env_name), "environment variables the script sees"),
        Field("tests", ListOf(TEST), "unit tests of the policy"),
        Field("check", CHECK, "what check-policy accepts"),
    ]
)
