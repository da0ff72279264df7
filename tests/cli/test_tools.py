"""`amla tools`: what is declared, told without running anything (R1)."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest
from cli_process import Amla

from amla_cli._stand_in import NotStaticError, stand_in
from amla_sandbox.tools import ToolDefinitionError, tool_from_function

CANARY = '''\
import pathlib
pathlib.Path(__file__).with_name("canary").write_text("touched")


def greet(name: str, times: int = 1) -> str:
    """Say hello."""
    return name * times
'''

HOSTILE = """\
[tools.greet]
python = "greeter:greet"
allow = true
[tools.program]
command = ["{python}", "-c", "open('canary', 'w')"]
allow = true
[tools.web]
http = {{ url = "http://127.0.0.1:{port}/" , headers = {{ X = "${{CANARY_SECRET}}" }} }}
allow = true
[mcp.server]
command = ["{python}", "-c", "open('canary', 'w')"]
"""


@pytest.mark.parametrize("style", ["text", "json", "ts", "names"])
def test_nothing_is_imported_started_or_connected_to(amla: Amla, tmp_path: Path, style: str) -> None:
    """R1: a module, a program, a server, and an address, each of which would be noticed."""
    import socket

    (tmp_path / "greeter.py").write_text(CANARY)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        text = HOSTILE.format(python=sys.executable, port=server.getsockname()[1])
        (tmp_path / "t.toml").write_text(text)
        ended = amla("tools", "--tools", "t.toml", "--format", style, env={"CANARY_SECRET": "hidden-value"})
        assert ended.status == 0
        with pytest.raises(TimeoutError):
            server.accept()
    assert not (tmp_path / "canary").exists()
    assert b"greet" in ended.out
    assert b"hidden-value" not in ended.out
    imported = amla("tools", "--tools", "t.toml", "--import", env={"CANARY_SECRET": "hidden-value"})
    assert (imported.status, (tmp_path / "canary").exists()) == (0, True)


def test_text(amla: Amla, manifest: str) -> None:
    ended = amla("tools", "--tools", manifest, env={"COLUMNS": "80"})
    assert ended.out.decode() == (
        "greet({name: string, times?: number})\n"
        "    Say hello.\n"
        "    granted: times <= 3\n"
        "hidden.one({})\n"
        "    not granted: add allow = true to its table\n"
    )


BOUNDED = """\
[tools.pay]
command = ["pay", "{n}"]
params.n = { type = "integer" }
rate = "5/minute"
[[capabilities]]
method = "*"
constraints = { n = "<=5" }
total = { n = "<=25" }
expires = 2999-01-01T00:00:00Z
"""


def test_all_that_bounds_a_grant_is_told(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(BOUNDED)
    ended = amla("tools", "--tools", "t.toml", env={"COLUMNS": "120"})
    assert ended.out.decode() == (
        "pay({n: number})\n"
        "    granted by *: n <= 5, total of n <= 25, until 2999-01-01T00:00:00+00:00\n"
        "    every call: at most 5/minute\n"
    )


@pytest.mark.parametrize("name", ["hidden/one", "hidden.one", "mcp:hidden/one"])
def test_one_tool(amla: Amla, manifest: str, name: str) -> None:
    assert "kind: command" in amla("tools", name, "--tools", manifest).out.decode()


def test_an_unknown_tool(amla: Amla, manifest: str) -> None:
    ended = amla("tools", "gret", "--tools", manifest)
    assert ended.status == 2
    assert "there is no tool 'gret'; did you mean 'greet'?" in ended.err


def test_typescript_declares_what_is_granted(amla: Amla, manifest: str) -> None:
    text = amla("tools", "--tools", manifest, "--format", "ts").out.decode()
    assert "declare function greet(args: {" in text
    assert "hidden" not in text


def test_a_signature_that_only_running_tells(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text("greet = eval('lambda name: name')\n")
    (tmp_path / "t.toml").write_text('[tools.greet]\npython = "made:greet"\nallow = true\n')
    assert "schema not statically known" in amla("tools", "--tools", "t.toml").out.decode()
    assert "schema not statically known" in amla("tools", "--tools", "t.toml", "--format", "ts").out.decode()


def test_constraints_are_checked_against_the_source(amla: Amla, tmp_path: Path, manifest: str) -> None:
    (tmp_path / "t.toml").write_text('[tools.greet]\npython = "greeter:greet"\nconstraints = { tines = "<=3" }\n')
    ended = amla("tools", "--tools", "t.toml")
    assert ended.status == 2
    assert "tines" in ended.err


def test_hostile_descriptions(amla: Amla, tmp_path: Path) -> None:
    """R3: no escape reaches the terminal, no comment ends early."""
    text = '[tools.a]\ncommand = ["true"]\nallow = true\ndescription = "x\\u001b[2J */ evil() \\u202e"\n'
    (tmp_path / "t.toml").write_text(text)
    for style in ("text", "ts", "json"):
        out = amla("tools", "--tools", "t.toml", "--format", style).out.decode()
        assert "\x1b" not in out
        assert "\u202e" not in out
    assert "x[2J * / evil()" in amla("tools", "--tools", "t.toml", "--format", "ts").out.decode()


SIGNATURES = [
    "def f(): ...",
    "def f(a: str, b: int = 3, *, c: float | None = None): ...",
    "def f(a: list[str], b: dict[str, int] = {}, c: tuple[int, str] = (1, 'a')): ...",
    "from typing import Literal, Optional\ndef f(a: Literal['x', 'y'] = 'x', b: Optional[list[int]] = None): ...",
    "from typing import Any\ndef f(a: Any, b: object = 1): ...",
    "import typing as t\ndef f(a: t.Union[int, str], b: t.Sequence[int] = ()): ...",
    "from collections.abc import Mapping\ndef f(a: 'Mapping[str, list[int]]') -> 'list[dict[str, int]]': ...",
    "from __future__ import annotations\nimport datetime\ndef f(a: datetime.date, b: set[int] | None = None): ...",
    "from typing import Annotated\ndef f(a: Annotated[int, 'how many'] = 1): ...",
    "def f(a, b=5): ...",
    "async def f(a: bool) -> str:\n    '''Does it.\n\n    Args:\n        a: whether\n    '''",
    "def f(a: int, /, b: int): ...",
    "def f(**kwargs: int): ...",
    "from enum import Enum\nclass Own(Enum):\n    A = 'a'\n    B = 'b'\ndef f(a: Own, b: Own = Own.B): ...",
    "import enum\nclass Own(enum.StrEnum):\n    A = enum.auto()\n    def shout(self): return 1\ndef f(a: Own): ...",
    "from enum import Enum\nclass Own(str, Enum):\n    '''Which.'''\n    A = 'a'\ndef f(a: list[Own] = []): ...",
    "from enum import IntEnum\nclass Own(IntEnum):\n    A = 1\n    B = 2\ndef f(a: Own | None = None): ...",
    (
        "from typing import TypedDict, NotRequired\nclass Own(TypedDict):\n    a: int\n    b: NotRequired[str]\n"
        "def f(a: Own) -> list[Own]: ..."
    ),
    (
        "from typing import TypedDict, Required\nclass Own(TypedDict, total=False):\n    '''Options.'''\n"
        "    a: Required[int]\n    b: 'list[Own]'\ndef f(a: Own): ..."
    ),
    (
        "from dataclasses import dataclass\n@dataclass\nclass Own:\n    '''A point.'''\n    x: int\n    y: int = 0\n"
        "    def norm(self): return 1\ndef f(a: Own): ..."
    ),
    (
        "import dataclasses as d\n@d.dataclass(frozen=True, slots=True)\nclass Own:\n"
        "    a: list['Own'] = d.field(default_factory=list)\n    b: int = d.field(default=3, repr=False)\n"
        "    c: int = d.field(init=False, default=1)\ndef f(a: Own): ..."
    ),
    (
        "from typing import ClassVar\nfrom dataclasses import dataclass\n@dataclass\nclass Own:\n    a: ClassVar[int] = 1\n"
        "    b: str = 'x'\n@dataclass\nclass Pair:\n    one: Own\n    two: Own\ndef f(a: Pair): ..."
    ),
    "from typing import NamedTuple\nclass Own(NamedTuple):\n    a: int\n    b: str = 'x'\ndef f(a: Own): ...",
]


@pytest.mark.parametrize("source", SIGNATURES)
def test_a_signature_from_source_is_that_of_the_function(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read equals what importing would have given."""
    module = types.ModuleType("module_of_tools")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where classes look for the names in annotations
    space = module.__dict__
    exec(source, space)
    real, read = tool_from_function(space["f"]), tool_from_function(stand_in(source, "f"))
    assert (read.parameters, read.returns, read.description) == (real.parameters, real.returns, real.description)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def g(): ...",
        "class f: ...",
        "@wrapped\ndef f(): ...",
        "def f(): ...\nf = wrapped(f)",
        "def f(): ...\nif True:\n    def f(a): ...",
        "def f(a: int = compute()): ...",
        "def f(a: Own): ...",
        "from library import Kind\ndef f(a: Kind): ...",
        "int = str\ndef f(a: int): ...",
        "from typing import Any\nAny = int\ndef f(a: Any): ...",
        "def f(a: [int]): ...",
        "def f(a: print('x')): ...",
        "class Own:\n    a: int\ndef f(a: Own): ...",
        "from enum import Enum\nclass Own(Enum):\n    A = compute()\ndef f(a: Own): ...",
        "from enum import Enum\nclass Own(Enum):\n    A = 1\n    def _missing_(cls, value): ...\ndef f(a: Own): ...",
        "from enum import Enum\n@changed\nclass Own(Enum):\n    A = 1\ndef f(a: Own): ...",
        "from enum import Enum\nclass Own(Enum):\n    A = 1\n    A = 2\ndef f(a: Own): ...",
        "from enum import Enum\nclass Own(Enum):\n    A = 1\nOwn = 3\ndef f(a: Own): ...",
        "from enum import Enum\nclass Own(Enum):\n    A = 1\ndef f(a: Own = Own.B): ...",
        "from dataclasses import dataclass\n@dataclass\nclass Own(Base):\n    a: int\ndef f(a: Own): ...",
        "from dataclasses import dataclass\n@dataclass\nclass Own:\n    if True:\n        b: int\ndef f(a: Own): ...",
        "from dataclasses import dataclass\n@dataclass\nclass Own:\n    a: int = 1\n    b: str\ndef f(a: Own): ...",
        (
            "from dataclasses import dataclass, field\n@dataclass\nclass Own:\n    a: int = field(default_factory=make)\n"
            "def f(a: Own): ..."
        ),
        "from typing import TypedDict\nclass Own(TypedDict, metaclass=M):\n    a: int\ndef f(a: Own): ...",
        "from typing import TypedDict\nclass Own(TypedDict):\n    a: Other\ndef f(a: Own): ...",
        "def f(a: 'not a type'): ...",
        "def f(:",
        "\0",
        "def f(a: " + "list[" * 400 + "int" + "]" * 400 + "): ...",
    ],
)
def test_what_is_not_known_is_not_guessed(source: str) -> None:
    with pytest.raises(NotStaticError):
        stand_in(source, "f")


def test_classes_that_hold_others_twice_and_so_on_are_no_work_without_end() -> None:
    text = "from dataclasses import dataclass\n@dataclass\nclass C0:\n    a: int\n"
    text += "".join(f"@dataclass\nclass C{n}:\n    a: C{n - 1}\n    b: C{n - 1}\n" for n in range(1, 40))
    with pytest.raises(ToolDefinitionError, match="too large"):
        tool_from_function(stand_in(text + "def f(a: C39): ...", "f"))


def test_a_module_is_parsed_once_for_all_its_tools(amla: Amla, tmp_path: Path) -> None:
    """With 1,000 tools in a module of 3,000 lines, parsing it for each took a minute."""
    (tmp_path / "many.py").write_text("".join(f"def f{n}(a: int, b: str = 'x'): ...\n\n\n" for n in range(1000)))
    (tmp_path / "t.toml").write_text("".join(f'[tools.f{n}]\npython = "many:f{n}"\n' for n in range(1000)))
    ended = amla("tools", "--tools", "t.toml", "--format", "names")
    assert (ended.status, ended.out.count(b"\n")) == (0, 1000)


@pytest.mark.parametrize("name", ["console", "Promise/all", "await"])
def test_names_that_a_run_refuses_are_refused_here_too(amla: Amla, tmp_path: Path, name: str) -> None:
    (tmp_path / "t.toml").write_text(f'[tools."{name}"]\ncommand = ["true"]\nallow = true\n')
    listed, ran = amla("tools", "--tools", "t.toml"), amla("run", "-e", "1", "--tools", "t.toml")
    assert (listed.status, ran.status) == (2, 2)
    assert f"a tool cannot be called '{name}'" in listed.err
    assert listed.err == ran.err
