"""AM2xx: what a manifest may say, but hardly means, or had better not."""

from __future__ import annotations

from ._finding import FindingKind, Severity

__all__ = ["WARNINGS"]


def _kind(
    code: str, severity: Severity, title: str, meaning: str, mend: str, example: str = "", mended: str = ""
) -> FindingKind:
    return FindingKind(code, title, severity, meaning, mend, example, mended)


WARNINGS: tuple[FindingKind, ...] = (
    _kind(
        "AM201",
        "warning",
        "A tool that nothing grants",
        "The tool is declared, but neither its own table nor a capability allows it, or those that name it need a "
        "parameter that it does not have: every call is denied.",
        "Add the line that the finding shows, or `allow = false` to say that it is meant so, or remove the tool.",
        """\
[tools.now]
command = ["date"]
""",
        """\
[tools.now]
command = ["date"]
allow = true
""",
    ),
    _kind(
        "AM202",
        "warning",
        "A capability that is never reached",
        "The first capability in file order that fits a call decides it. An earlier one fits every call that this "
        "one names, so this one changes nothing. (Were it stricter, it would be AM209.)",
        "Move it in front of the other, or remove it.",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/*"
max_calls = 2

[[capabilities]]
method = "git/log"
max_calls = 10
""",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/log"
max_calls = 10

[[capabilities]]
method = "git/*"
max_calls = 2

[tools."git/status"]
command = ["git", "status"]
""",
    ),
    _kind(
        "AM203",
        "warning",
        "A grant of everything",
        "The pattern names every tool of this manifest and its includes, also those that are declared later, by "
        'whoever edits it then. With `approval = "ask"` a person sees each call, and this is not reported.',
        "Name the tools, or a common prefix such as `git/*`.",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "**"
""",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/*"
""",
    ),
    _kind(
        "AM204",
        "warning",
        "A grant of everything that looks like one of MCP tools",
        "`mcp:` in front of a name means nothing: `mcp:*` and `mcp:**` name every tool, not only those of MCP servers.",
        "Name the server: `github/*`.",
        """\
[tools."git/log"]
command = ["git", "log"]

[mcp.github]
command = ["github-mcp"]

[[capabilities]]
method = "mcp:**"
""",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = true

[mcp.github]
command = ["github-mcp"]

[[capabilities]]
method = "**"
approval = "ask"
""",
    ),
    _kind(
        "AM205",
        "warning",
        "A tool that writes, without a budget",
        'The tool is marked `effect = "write"`, and a grant lets it be called without end: neither `max_calls`, '
        "`rate` nor `total` bounds it, and nobody is asked.",
        "Add one of them to the tool, or to the capability that grants it.",
        """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer", minimum = 1 }
effect = "write"
allow = true
""",
        """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer", minimum = 1 }
effect = "write"
max_calls = 10
""",
    ),
    _kind(
        "AM206",
        "error",
        "A secret in the file",
        "A value looks like a key, token or password. Whoever reads the repository has it. The finding shows it "
        "masked.",
        "Revoke it. Put the new one into the environment and write `${NAME}` in a header, a query, a body or `env`.",
        """\
[tools.page]
http = { url = "https://example.com/", headers = { Authorization = "Bearer 0123456789abcdef" } }
allow = true
""",
        """\
[tools.page]
http = { url = "https://example.com/", headers = { Authorization = "Bearer ${API_KEY}" } }
allow = true
""",
    ),
    _kind(
        "AM207",
        "warning",
        "A mount of a home or root folder",
        "The sandbox gets a copy of a whole home folder, of the root, or of a system folder: keys, mail, history "
        "of the shell. Scripts can read all of it and hand it to any tool.",
        "Mount the folder that the scripts work on.",
        """\
[[mounts]]
host = "/root"
guest = "/workspace/home"
""",
        """\
[[mounts]]
host = "data"
guest = "/workspace/data"
""",
    ),
    _kind(
        "AM208",
        "error",
        "A writable mount that holds what decides",
        "Files under the mount are copied back, and among them are the manifest, an include, a tool's module, "
        "program or working folder: a script could change what the next run allows. Loading refuses such a mount.",
        'Mount a folder beside it, use `mode = "ro"`, or accept it with `unsafe_shared = true`.',
        """\
[tools.count]
command = ["scripts/count.sh"]
allow = true

[[mounts]]
host = "scripts"
guest = "/workspace"
mode = "rw"
""",
        """\
[tools.count]
command = ["scripts/count.sh"]
allow = true

[[mounts]]
host = "data"
guest = "/workspace"
mode = "rw"
""",
    ),
    _kind(
        "AM209",
        "error",
        "A limit that can be avoided",
        "Two grants reach the same tool, and neither their patterns nor their constraints keep them apart, so the "
        "arguments choose which of them decides: a script that may not pass under one may pass under the other, "
        "without its constraints, approval or budget. Or an earlier capability decides every call that a later one "
        "names, and that one is stricter: it asks a person, demands more of the arguments, or has a smaller budget.",
        'Make them exclude each other (`amount = "<=100"` and `amount = [">100", "<=1000"]`), put the stricter '
        "one first, or write alternatives into one capability with `any_of`. Limits in the tool's own table bind "
        "all its calls.",
        """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer", minimum = 1 }

[[capabilities]]
method = "pay"
constraints = { amount = "<=100" }

[[capabilities]]
method = "pay"
constraints = { amount = "<=1000" }
approval = "ask"
""",
        """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer", minimum = 1 }

[[capabilities]]
method = "pay"
constraints = { amount = "<=100" }

[[capabilities]]
method = "pay"
constraints = { amount = [">100", "<=1000"] }
approval = "ask"
""",
    ),
    _kind(
        "AM210",
        "warning",
        "A grant that has expired",
        "Its `expires` lies in the past: every call that it decides is denied.",
        "Remove it, or renew it.",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/log"
expires = 2020-01-31T12:00:00Z
""",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/log"
expires = 2999-01-31T12:00:00Z
""",
    ),
    _kind(
        "AM211",
        "warning",
        "A test that is there twice",
        "Another `[[tests]]` entry makes the same call with the same arguments. If they expect different "
        "decisions one of them always fails.",
        "Remove one of them.",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = true

[[tests]]
call = "git/log"
expect = "allow"

[[tests]]
call = "git.log"
expect = "allow"
""",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = true

[[tests]]
call = "git/log"
expect = "allow"
""",
    ),
    _kind(
        "AM212",
        "note",
        "A pattern that only a server can verify",
        "The capability names tools of an MCP server. Whether there are any is known when the server runs.",
        "Nothing, if the names are right.",
        """\
[mcp.github]
command = ["github-mcp"]

[[capabilities]]
method = "github/get_issue"
max_calls = 10
""",
    ),
    _kind(
        "AM213",
        "warning",
        "A suppression that suppresses nothing",
        "`[check.suppress]` accepts a finding that is not there (any more). Left behind, it would hide the next one.",
        "Remove it.",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = true

[check.suppress]
AM203 = "all of these only read"
""",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = true
""",
    ),
    _kind(
        "AM214",
        "warning",
        "A grant of a tool that is forbidden",
        "The capability names only tools whose own tables say `allow = false`, which no capability overrides.",
        "Remove one of the two.",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = false

[[capabilities]]
method = "git/log"
""",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/log"
""",
    ),
    _kind(
        "AM215",
        "note",
        "A schema that is not known without running code",
        "A check imports nothing. The parameters of this Python tool do not follow from its source alone, so "
        "neither its constraints nor calls of it could be checked against them.",
        "Write `params` into the tool's table, use plain annotations, or let the check import it (`--import`).",
    ),
    _kind(
        "AM216",
        "error",
        "A parameter inside code",
        "A parameter's value becomes part of what a shell or an interpreter runs, or chooses the program that "
        "another one starts: whoever gives the argument runs what they like, outside the sandbox.",
        'Start the program itself. If it must be a shell, hand the value over as an argument: `["sh", "-c", "wc '
        '-l \\"$1\\"", "sh", "{file}"]`.',
        """\
[tools.count]
command = ["sh", "-c", "wc -l {file}"]
params.file = { type = "string" }
allow = true
""",
        """\
[tools.count]
command = ["wc", "-l", "--", "{file}"]
params.file = { type = "string" }
allow = true
""",
    ),
    _kind(
        "AM217",
        "warning",
        "A secret sent without encryption",
        "The request carries a value from the environment and goes over `http://`: whoever is on the way reads it.",
        "Use `https://`.",
        """\
[tools.page]
http = { url = "http://example.com/", headers = { Authorization = "Bearer ${API_KEY}" } }
allow = true
""",
        """\
[tools.page]
http = { url = "https://example.com/", headers = { Authorization = "Bearer ${API_KEY}" } }
allow = true
""",
    ),
    _kind(
        "AM218",
        "note",
        "A tool excepted from an approval",
        "A later capability with a wider pattern asks a person; this one comes first and lets its tools pass "
        "unasked. That may well be meant: it is shown because a reader of the other one would not expect it.",
        "Nothing, if it is meant.",
        """\
[tools."git/log"]
command = ["git", "log"]

[tools."git/push"]
command = ["git", "push"]

[[capabilities]]
method = "git/log"

[[capabilities]]
method = "git/*"
approval = "ask"
""",
    ),
    _kind(
        "AM219",
        "warning",
        "A grant that allows no call",
        "Its `max_calls` is 0, so every call that it decides is denied, also where a later capability would allow it.",
        "Raise `max_calls`, or write `allow = false` into the tool's table.",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/log"
max_calls = 0
""",
        """\
[tools."git/log"]
command = ["git", "log"]

[[capabilities]]
method = "git/log"
max_calls = 5
""",
    ),
    _kind(
        "AM220",
        "warning",
        "Too many grants to compare",
        "So many capabilities name the same tools that comparing each with each would take too long; whether "
        "limits can be avoided was found out for the first of them only.",
        "Merge capabilities, or split the manifest.",
    ),
    _kind(
        "AM221",
        "warning",
        "Mounts at one place",
        "Two mounts have the same folder in the sandbox: files of the second take the place of those of the first.",
        "Give one of them another `guest`.",
        """\
[[mounts]]
host = "a"
guest = "/workspace"

[[mounts]]
host = "b"
guest = "/workspace"
""",
        """\
[[mounts]]
host = "a"
guest = "/workspace/a"

[[mounts]]
host = "b"
guest = "/workspace/b"
""",
    ),
    _kind(
        "AM222",
        "warning",
        "A test with an argument that the tool does not have",
        "The tool has no parameter of this name, so the call would be refused before any policy looks at it. A test "
        "that expects a denial passes for the wrong reason.",
        "Take the name that the finding suggests.",
        """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer" }
constraints = { amount = "<=100" }

[[tests]]
call = "pay"
args = { amont = 500 }
expect = "deny"
""",
        """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer" }
constraints = { amount = "<=100" }

[[tests]]
call = "pay"
args = { amount = 500 }
expect = "deny"
""",
    ),
    _kind(
        "AM223",
        "warning",
        "A text that looks like a pattern",
        "A constraint compares an argument with a text that has a `*`, or is framed by `^` and `$`. It is compared as "
        "it stands, so no argument but that very text fits.",
        "Write `starts_with`, `ends_with`, `under`, or `matches` with a regular expression.",
        """\
[tools.fetch]
python = "web:fetch"
constraints = { path = "/api/*" }
""",
        """\
[tools.fetch]
python = "web:fetch"
constraints = { path = "startswith:/api/" }
""",
    ),
    _kind(
        "AM224",
        "warning",
        "A mock that is no such result",
        "The `mock` of a tool does not fit the schema of its results in `returns`, so a script that passes a dry run "
        "may fail in earnest.",
        "Change one of them.",
        """\
[tools.now]
command = ["date", "+%s"]
output = "json"
returns = { type = "integer" }
mock = "noon"
allow = true
""",
        """\
[tools.now]
command = ["date", "+%s"]
output = "json"
returns = { type = "integer" }
mock = 1700000000
allow = true
""",
    ),
    _kind(
        "AM225",
        "warning",
        "A default that is always refused",
        "A call that leaves the parameter out gets its default, and the tool's own constraints refuse that.",
        "Change the default, or the constraint.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", default = 100 }
constraints = { count = "<=50" }
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", default = 10 }
constraints = { count = "<=50" }
""",
    ),
    _kind(
        "AM226",
        "warning",
        "What only looks like the host or folder that was meant",
        "A text that is compared in part admits more than one sees: `https://a.example` is also how "
        "`https://a.example.evil.example/` and `https://a.example@evil.example/` begin, `/srv/data` how "
        "`/srv/database` does, and `evil-a.example` ends in `a.example`. In a regular expression `.` is any "
        "character. The finding names such a value.",
        "End a host or folder with `/`, begin a domain with `.` or `@`, escape dots as `\\.`; or use `host_in` and "
        "`under`, which know where names end.",
        """\
[tools.fetch]
command = ["fetch", "--", "{url}"]
params.url = { type = "string" }
constraints = { url = "startswith:https://a.example" }
""",
        """\
[tools.fetch]
command = ["fetch", "--", "{url}"]
params.url = { type = "string" }
constraints = { url = { host_in = ["a.example"] } }
""",
    ),
)
