"""AM1xx: faults, for which a manifest is refused."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["FAULTS"]


def _fault(code: str, title: str, meaning: str, mend: str, example: str = "", mended: str = "") -> FindingKind:
    return FindingKind(code, title, "error", meaning, mend, example, mended, can_suppress=False)


FAULTS: tuple[FindingKind, ...] = (
    _fault(
        "AM100",
        "A file that cannot be read",
        "The manifest is no regular file, is larger than 4 MB, or is no UTF-8 text.",
        "Name a text file; split one that is too large.",
    ),
    _fault(
        "AM101",
        "Not valid TOML",
        "The text is no TOML, so nothing in it could be read. A key that is given twice is such a fault too.",
        "Mend the syntax at the place shown.",
        """\
[sandbox]
timeout = "30s
""",
        """\
[sandbox]
timeout = "30s"
""",
    ),
    _fault(
        "AM102",
        "Too much to check",
        "So that no manifest keeps its reader busy, nesting is bounded (64 deep), faults are (the first hundred "
        "of a file are shown), and so are the pairs of a pattern with `*`, or a constraint under it, and a tool "
        "(a million), and mounts (a thousand).",
        "Mend what was reported so far; name tools without `*`; split the manifest.",
    ),
    _fault(
        "AM103",
        "Unknown key",
        "The table has no such key. It is never ignored: a limit that is misspelt would be no limit.",
        "Take the key that the finding suggests, or remove it.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
max_call = 5
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
max_calls = 5
""",
    ),
    _fault(
        "AM104",
        "A value of the wrong type",
        'The value has another type than the key needs. Nothing is converted: `true` is not a number, `"5"` neither.',
        "Write a value of the type that the finding names.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
max_calls = "5"
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
max_calls = 5
""",
    ),
    _fault(
        "AM105",
        "A value that is not allowed",
        "The value has the right type, but is none of those that the key knows: an unknown word, a number out of "
        "range, a duration, size, path or name that does not parse, or nothing at all.",
        "Write a value as the finding describes it.",
        """\
[sandbox]
timeout = "30 minutes"
""",
        """\
[sandbox]
timeout = "30m"
""",
    ),
    _fault(
        "AM106",
        "A key is missing",
        "The table means nothing without this key.",
        "Add the key.",
        """\
[[mounts]]
host = "data"
""",
        """\
[[mounts]]
host = "data"
guest = "/workspace/data"
""",
    ),
    _fault(
        "AM107",
        "A malformed name",
        "Names of tools are segments joined by `/`, without `.`, `:`, `*`, characters that cannot be seen, and "
        "empty segments; the name of an MCP server is one segment. Nothing is cleaned up, so that no two "
        "spellings merge.",
        "Rename it as the finding says.",
        """\
[tools."git.log"]
command = ["git", "log"]
allow = true
""",
        """\
[tools."git/log"]
command = ["git", "log"]
allow = true
""",
    ),
    _fault(
        "AM108",
        "Tools that would merge",
        "A tool is declared twice, or two tools would answer to one spelling in scripts, where a character that "
        "JavaScript lacks becomes `_`.",
        "Rename one of them.",
        """\
[tools.get-user]
command = ["id"]
allow = true

[tools.get_user]
command = ["whoami"]
allow = true
""",
        """\
[tools.get-user]
command = ["id"]
allow = true

[tools.user_name]
command = ["whoami"]
allow = true
""",
    ),
    _fault(
        "AM109",
        "A tool under an MCP server's name",
        "The tools under this prefix are those that the server offers. One of the manifest's own could take the "
        "place of one of them.",
        "Rename the tool or the server.",
        """\
[mcp.git]
command = ["git-mcp"]

[tools."git/log"]
command = ["git", "log"]
allow = true
""",
        """\
[mcp.git]
command = ["git-mcp"]

[tools."local/log"]
command = ["git", "log"]
allow = true
""",
    ),
    _fault(
        "AM110",
        "Not exactly one kind",
        "A tool is a Python function, a program or an HTTP request: it has one of `python`, `command` and `http`. "
        "An MCP server has a `command` or a `url`.",
        "Keep one of the keys, or add one.",
        """\
[tools.now]
allow = true
""",
        """\
[tools.now]
command = ["date"]
allow = true
""",
    ),
    _fault(
        "AM111",
        "Keys that do not go together",
        "A key has a meaning only beside another: `cwd`, `env`, `stdin` and the like with `command`, `text` with "
        '`body = "raw"`, `fields` with a JSON or form body, a body with a method that sends one.',
        "Remove one of them, or add the other.",
        """\
[tools.page]
http = { url = "https://example.com/" }
cwd = "data"
allow = true
""",
        """\
[tools.page]
http = { url = "https://example.com/" }
allow = true
""",
    ),
    _fault(
        "AM112",
        "A malformed pattern",
        "In a pattern `*` stands for one segment or a part of it and `**`, alone between slashes, for any number "
        "of them.",
        "Mend the pattern as the finding says.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }

[[capabilities]]
method = "git**"
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }

[[capabilities]]
method = "git/**"
""",
    ),
    _fault(
        "AM113",
        "A pattern that names no tool",
        "No declared tool matches the capability's `method`, so it grants nothing: most likely a slip of the pen. "
        "Under the name of an MCP server this is not known before the server runs.",
        "Take the name that the finding suggests, declare the tool, or remove the capability.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }

[[capabilities]]
method = "gti/log"
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }

[[capabilities]]
method = "git/log"
""",
    ),
    _fault(
        "AM114",
        "A constraint that does not parse",
        "What begins like a comparison and is none, an operator that does not exist, a list that mixes values and "
        "comparisons. It is never taken for a text to compare with.",
        "Mend it at the caret.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = "=<50" }
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = "<=50" }
""",
    ),
    _fault(
        "AM115",
        "A constraint on an unknown parameter",
        "The tool's schema has no such parameter, so the argument would always be missing and every call denied. "
        "Of several tools that a pattern names, none has it.",
        "Take the name that the finding suggests.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { cuont = "<=50" }
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = "<=50" }
""",
    ),
    _fault(
        "AM116",
        "A constraint that the parameter's type cannot meet",
        "By its schema the parameter has a type that the constraint cannot judge, so every call would be denied.",
        "Write a constraint for that type, or mend the schema.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = "startswith:5" }
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = "<=50" }
""",
    ),
    _fault(
        "AM117",
        "Constraints that nothing can satisfy",
        "No arguments meet all of them, or none that the schema admits, so every call would be denied.",
        "Widen one of them. To refuse every call of a tool, write `allow = false`.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = [">50", "<10"] }
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
constraints = { count = [">10", "<50"] }
""",
    ),
    _fault(
        "AM118",
        "A place that is not filled in",
        "`{parameter}` and `${NAME}` are filled in only where a manifest says so: parameters in a program's "
        "arguments and in HTTP texts, variables of the environment in HTTP headers, query and body and in `env` "
        "of tools and servers. Elsewhere they would be taken as they stand. Braces that are no place are doubled.",
        "Move it to where it is filled in, or write `{{` and `}}` for braces.",
        """\
[tools.build]
command = ["make", "${TARGET}"]
allow = true
""",
        """\
[tools.build]
command = ["make"]
env = { TARGET = "${TARGET}" }
allow = true
""",
    ),
    _fault(
        "AM119",
        "Templates and parameters that do not match",
        "A template names a parameter that the tool does not have or that a call may leave out, or a program's "
        "parameter is used nowhere.",
        "Declare the parameter under `params`, give it a default, or use it.",
        """\
[tools.show]
command = ["git", "show", "{commit}"]
allow = true
""",
        """\
[tools.show]
command = ["git", "show", "{commit}"]
params.commit = { type = "string" }
allow = true
""",
    ),
    _fault(
        "AM120",
        "A list that names an unknown parameter",
        "`secret`, `stdin` and `options_ok` name parameters of the tool, and this is none. A secret that is "
        "misspelt would be shown.",
        "Take the name that the finding suggests.",
        """\
[tools.charge]
http = { method = "POST", url = "https://api.example.com/charges", body = "json" }
params.amount = { type = "integer" }
allow = true
secret = ["amuont"]
""",
        """\
[tools.charge]
http = { method = "POST", url = "https://api.example.com/charges", body = "json" }
params.amount = { type = "integer" }
allow = true
secret = ["amount"]
""",
    ),
    _fault(
        "AM121",
        "An include that is refused",
        "An included file is there and can be read, lies, links followed, in the folder of the top manifest, ends in "
        "`.toml`, and does not include itself; a manifest has at most 100 files and 4 MB.",
        "Correct the name, move the file there, or leave the include out.",
        """\
include = ["../shared.toml"]
""",
    ),
    _fault(
        "AM122",
        "A faulty JSON Schema",
        "A schema has an unknown keyword, a value of the wrong type, a reference out of the document or to nothing in "
        "it, or references that lead to so many schemas that judging a value would take long. A keyword that is not "
        "understood would not be checked.",
        "Mend the keyword or the reference. A reference begins at the schema of all arguments: "
        "`#/properties/PARAMETER/$defs/NAME`.",
        """\
[tools.wait]
command = ["sleep", "{seconds}"]
params.seconds = { type = "integer", maximun = 9 }
allow = true
""",
        """\
[tools.wait]
command = ["sleep", "{seconds}"]
params.seconds = { type = "integer", maximum = 9 }
allow = true
""",
    ),
    _fault(
        "AM123",
        "A default that is wrong",
        "The default is of another type than the parameter, or it stands where defaults are never filled in: only "
        "parameters, and properties of objects in them, have defaults.",
        "Mend the default, or remove it.",
        """\
[tools.wait]
command = ["sleep", "{seconds}"]
params.seconds = { type = "integer", default = "1" }
allow = true
""",
        """\
[tools.wait]
command = ["sleep", "{seconds}"]
params.seconds = { type = "integer", default = 1 }
allow = true
""",
    ),
    _fault(
        "AM124",
        "A URL that is refused",
        "A URL begins with `http://` or `https://` and a literal host, without a user name, and has no fragment: "
        "parameters reach its path and query only, so that no argument chooses where a request goes.",
        "Write the host out; declare one tool for each host.",
        """\
[tools.page]
http = { url = "https://{host}/" }
params.host = { type = "string" }
allow = true
""",
        """\
[tools.page]
http = { url = "https://example.com/{page}" }
params.page = { type = "string" }
allow = true
""",
    ),
    _fault(
        "AM125",
        "A program that is refused",
        "No parameter chooses the program itself, and it is no batch file, which a shell would read again.",
        "Name the program; declare one tool for each.",
        """\
[tools.run]
command = ["{program}"]
params.program = { type = "string" }
allow = true
""",
        """\
[tools.run]
command = ["make", "{target}"]
params.target = { type = "string", enum = ["all", "test"] }
allow = true
""",
    ),
    _fault(
        "AM126",
        "A test of an unknown tool",
        "A `[[tests]]` entry calls a tool that is not declared, so it would test nothing.",
        "Take the name that the finding suggests.",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
allow = true

[[tests]]
call = "git/lgo"
args = { count = 5 }
expect = "allow"
""",
        """\
[tools."git/log"]
command = ["git", "log", "-n", "{count}"]
params.count = { type = "integer", minimum = 1, maximum = 100 }
allow = true

[[tests]]
call = "git/log"
args = { count = 5 }
expect = "allow"
""",
    ),
    _fault(
        "AM127",
        "Settings of the whole in an included file",
        "`[sandbox]` and `[check]` belong to the top file: an included one could lift its limits and hide its "
        "findings.",
        "Move the table to the top file.",
    ),
    _fault(
        "AM128",
        "A finding that cannot be suppressed",
        "`[check.suppress]` names a code that does not exist, or one that is never accepted: faults, failing "
        "tests and widened rights.",
        "Take the code that the finding suggests, or mend what was found.",
        """\
[check.suppress]
AM999 = "we know"
""",
    ),
    _fault(
        "AM129",
        "A malformed budget",
        "`rate` is a number of calls in a time, `total` an upper bound (`<` or `<=`) on the sum of an argument, "
        "`expires` a date and time with its time zone.",
        "Write it as the finding describes.",
        """\
[tools.charge]
http = { method = "POST", url = "https://api.example.com/charges", body = "json" }
params.amount = { type = "integer" }
max_calls = 5
rate = "10 per minute"
""",
        """\
[tools.charge]
http = { method = "POST", url = "https://api.example.com/charges", body = "json" }
params.amount = { type = "integer" }
max_calls = 5
rate = "10/minute"
""",
    ),
    _fault(
        "AM130",
        "A tool that cannot be loaded",
        "The tool is well declared, but its program, module, function or an environment variable is not there, or "
        "its signature gives no schema. Found when a sandbox is made; a check loads nothing.",
        "Install, export or mend what the finding names.",
    ),
)
