"""Tools in a session: calls and budgets count over all lines."""

from __future__ import annotations

import pytest

from amla_sandbox import Limits, MethodCapability, Sandbox, Session


def pay(n: int) -> int:
    """Pay."""
    return n * 2


def test_budgets_hold_for_the_session() -> None:
    """The third call is one too many, in whichever language and line."""
    with Sandbox(tools=[pay], capabilities=[MethodCapability("pay", max_calls=2)]) as sandbox:
        session = Session(sandbox)
        assert session.run("await pay({ n: 2 })", "javascript").shown == "4"
        assert session.run("tool pay --n 3", "shell").stdout == "6\n"
        assert session.run("await pay({ n: 4 })", "javascript").exit_code == 77
        assert [(call.tool, call.outcome) for call in session.calls] == [
            ("pay", "ok"),
            ("pay", "ok"),
            ("pay", "denied"),
        ]


def test_the_limit_on_calls_holds_for_the_session() -> None:
    """`max_calls` of the limits counts over lines as well, and a line's usage has its own calls only."""
    with Sandbox(tools=[pay], capabilities=[MethodCapability("pay")], limits=Limits(max_calls=2)) as sandbox:
        session = Session(sandbox)
        lines = [session.run("await pay({ n: 1 })", "javascript") for _ in range(3)]
        assert [line.usage.calls for line in lines] == [1, 1, 0]
        assert lines[2].exit_code == 77


def test_a_tool_bound_by_an_earlier_line() -> None:
    """What a variable holds of a tool still calls it."""
    with Sandbox(tools=[pay], capabilities=[MethodCapability("pay")]) as sandbox:
        session = Session(sandbox)
        session.run("const mine = pay; const later = () => mine({ n: 5 })", "javascript")
        assert session.run("await later()", "javascript").shown == "10"


def test_sessions_and_scripts_share_a_sandbox() -> None:
    """A plain script between two lines sees the files and nothing else, and leaves the session alone."""
    with Sandbox() as sandbox:
        session = Session(sandbox)
        session.run("let x = 1; fs.writeFileSync('a', 'a'); process.chdir('/tmp'); console.count()", "javascript")
        session.run("v=1; exec 3>/tmp/three", "shell")
        assert sandbox.run("return [typeof x, process.cwd(), fs.existsSync ? 1 : 0]").return_value == [
            "undefined",
            "/workspace",
            1,
        ]
        assert sandbox.run("echo [$v] $(ls)", "shell").stdout == "[] a\n"
        assert session.run("[x, process.cwd()]", "javascript").shown == "[ 1, '/tmp' ]"
        assert session.run("echo $v", "shell").stdout == "1\n"


def test_a_new_session_begins_anew() -> None:
    """The old one's variables are gone, the files stay."""
    with Sandbox() as sandbox:
        first = Session(sandbox)
        first.run("let x = 1; fs.writeFileSync('a', 'a')", "javascript")
        second = Session(sandbox)
        assert second.run("typeof x + fs.readFileSync('a')", "javascript").shown == "'undefineda'"
        assert second.run("let y = 2; y", "javascript").shown == "2"


def test_usage_counts_files() -> None:
    """Bytes and files against the sandbox's limits."""
    with Sandbox() as sandbox:
        session = Session(sandbox)
        before = session.usage()
        session.run("printf 12345 > five", "shell")
        assert session.usage() == (before[0] + 5, before[1] + 1)


def test_output_comes_as_it_happens() -> None:
    """`on_output` gets it, as in a run."""
    with Sandbox() as sandbox:
        seen: list[tuple[int, bytes]] = []
        Session(sandbox).run("echo a; echo b >&2", "shell", on_output=lambda fd, data: seen.append((fd, data)))
        assert seen == [(1, b"a\n"), (2, b"b\n")]


def test_the_environment_is_the_sandboxs_and_the_sessions() -> None:
    """Given once, for both languages."""
    with Sandbox(env={"A": "1"}) as sandbox:
        session = Session(sandbox, env={"B": "2"})
        assert session.run("echo $A$B", "shell").stdout == "12\n"
        assert session.run("process.env.A + process.env.B", "javascript").shown == "'12'"


def test_what_is_spent_counts_all_lines_and_outlives_the_session() -> None:
    """Calls that were made, and that were tried; what was refused was only tried."""
    with Sandbox(tools=[pay], capabilities=[MethodCapability("pay", max_calls=2)]) as sandbox:
        session = Session(sandbox)
        for _ in range(3):
            session.run("await pay({ n: 2 })", "javascript")
        assert session.spent() == (2, 3)
        saved = session.save()
    with Sandbox(tools=[pay], capabilities=[MethodCapability("pay", max_calls=2)]) as sandbox:
        assert Session.load(sandbox, saved).spent() == (2, 3)


def test_an_error_is_shown_with_the_tool_that_was_meant() -> None:
    with Sandbox(tools=[pay]) as sandbox:
        session = Session(sandbox)
        shown = session.run("pau({ n: 1 })", "javascript").error
        assert shown == "Uncaught ReferenceError: pau is not defined; did you mean the tool pay?"
        assert session.run("throw new Error('a; b')", "javascript").error == "Uncaught Error: a; b"


@pytest.mark.parametrize(("language", "line"), [("javascript", "new Array(4e9).fill(1)"), ("shell", "yes | sort")])
def test_a_line_without_memory_names_the_limit(language: str, line: str) -> None:
    with Sandbox() as sandbox:
        result = Session(sandbox).run(line, language)
    assert result.exit_code == 137
    assert "out of memory (limit 'memory'): work through" in (result.error or "")


EXPORTS: dict[str, list[tuple[str, str, str]]] = {
    "a shell's exports are in process.env": [
        ("shell", "export A=1; B=2; C=3; export C", ""),
        ("javascript", "[process.env.A, process.env.B, process.env.C]", "[ '1', undefined, '3' ]"),
        ("shell", "unset A; C=4", ""),
        ("javascript", "[process.env.A, process.env.C]", "[ undefined, '4' ]"),
    ],
    "what a script sets is exported": [
        ("javascript", "process.env.N = 5; delete process.env.HOME", "true"),
        ("shell", "printenv N; echo ${HOME-gone}", "5\ngone\n"),
        ("javascript", "process.env.N = 6; process.env.N", "'6'"),
        ("shell", "bash -c 'echo $N'", "6\n"),
    ],
    "the time zone is one": [
        ("shell", "export TZ=America/New_York", ""),
        ("javascript", "new Date(0).getHours()", "19"),
        ("javascript", "process.env.TZ = 'Asia/Tokyo'; new Date(0).getHours()", "9"),
        ("shell", "date -d @0 +%H", "09\n"),
    ],
    "what is readonly stays": [
        ("shell", "export R=1; readonly R", ""),
        ("javascript", "process.env.R = 2; 0", "0"),
        ("shell", "echo $R", "1\n"),
        ("javascript", "process.env.R", "'1'"),
    ],
    "a shell within a script has them": [
        ("shell", "export S=9", ""),
        ("javascript", "(await $`echo $S`).stdout", "'9\\n'"),
    ],
    "process.env looks like an object, as in Node": [
        ("javascript", "for (const name in process.env) delete process.env[name]; process.env", "{}"),
        ("shell", "export ONLY=this", ""),
        ("javascript", "process.env.ONLY", "'this'"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", EXPORTS)
def test_the_environment_is_common_to_both_languages(name: str) -> None:
    """As if the one had started the other: what a shell prints, or how a script's value is shown."""
    with Sandbox() as sandbox:
        session = Session(sandbox)
        for language, line, expected in EXPORTS[name]:
            result = session.run(line, language)
            assert (result.stdout if language == "shell" else result.shown) == expected, line
