"""Shell scripts from Python: results, standard input, files between runs, what each run starts with."""

from __future__ import annotations

import pytest

from amla_sandbox import ExecutionError, Sandbox, create_sandbox_tool

TEXTS = {
    "output": ("echo hi", "hi"),
    "nothing": (":", "(no output)"),
    "stderr": ("echo bad >&2", "[stderr]\nbad"),
    "both": ("echo a; echo b >&2", "a\n[stderr]\nb"),
    "a status": ("exit 3", "[exit status 3]"),
    "no such command": ("nonesuch", "[stderr]\nbash: line 1: nonesuch: command not found\n[exit status 127]"),
}


@pytest.mark.parametrize(("script", "text"), TEXTS.values(), ids=TEXTS)
def test_what_a_model_reads(script: str, text: str) -> None:
    with create_sandbox_tool() as sandbox:
        assert sandbox.run(script, language="shell") == text


@pytest.mark.parametrize(
    ("command", "instead"), {"curl x": "call a tool", "sqlite3 x.db": "awk, join, sort and jq", "xz x": "gzip"}.items()
)
def test_commands_that_are_not_here_say_what_to_use_instead(command: str, instead: str) -> None:
    with create_sandbox_tool() as sandbox:
        result = sandbox.shell(command)
    assert result.exit_code == 127
    assert "command not found (" in result.stderr
    assert instead in result.stderr


STATUSES = {
    "true": ("true", 0),
    "false": ("false", 1),
    "the last command's": ("false; true", 0),
    "exit": ("exit 42", 42),
    "errexit": ("set -e; false; true", 1),
    "pipefail": ("set -o pipefail; false | true", 1),
    "a syntax error": ("if", 2),
    "a signal": ("kill -TERM $$", 143),
    "unset under nounset": ("set -u; echo $nothing", 1),
}


@pytest.mark.parametrize(("script", "status"), STATUSES.values(), ids=STATUSES)
def test_statuses(script: str, status: int) -> None:
    """As bash has them; a status other than 0 is no exception of the library."""
    with create_sandbox_tool() as sandbox:
        result = sandbox.shell(script)
    assert (result.exit_code, result.success) == (status, status == 0)


def test_sandbox_shell_returns_standard_output() -> None:
    with Sandbox() as sandbox:
        assert sandbox.shell("echo one; echo two >&2") == "one\n"
        assert sandbox.last_stderr == "two\n"


@pytest.mark.parametrize(("script", "status"), [("echo x; exit 3", 3), ("nonesuch", 127), ("echo 'unclosed", 2)])
def test_sandbox_shell_raises_for_a_status(script: str, status: int) -> None:
    with Sandbox() as sandbox, pytest.raises(ExecutionError, match=f"status {status}"):
        sandbox.shell(script)


@pytest.mark.parametrize("given", ["a\nb\n", b"a\nb\n"])
def test_standard_input(given: str | bytes) -> None:
    with create_sandbox_tool() as sandbox:
        result = sandbox.shell('while read -r line; do echo "<$line>"; done', stdin=given)
    assert result.stdout == "<a>\n<b>\n"


def test_files_stay_and_the_rest_does_not() -> None:
    with create_sandbox_tool() as sandbox:
        sandbox.shell("x=1; export x; f() { :; }; cd /tmp; umask 0; echo kept > /workspace/f")
        result = sandbox.shell('echo "$x" "$PWD" "$(umask)" "$(cat f)"; type f')
    assert result.stdout == " /workspace 0022 kept\n"


def test_arguments_and_environment() -> None:
    with Sandbox() as sandbox:
        result = sandbox.run('echo "$0 $# $1" "$HELLO"', "shell", args=["a b"], env={"HELLO": "there"})
    assert result.stdout == "bash 1 a b there\n"


def test_output_comes_as_it_is_made() -> None:
    seen: dict[int, bytes] = {1: b"", 2: b""}

    def note(fd: int, data: bytes) -> None:
        seen[fd] += data

    with Sandbox() as sandbox:
        sandbox.run("echo a; echo b >&2; echo c", "shell", on_output=note)
    assert seen == {1: b"a\nc\n", 2: b"b\n"}


def test_every_command_answers_help_or_says_why_not() -> None:
    """Each lies in a module of its own, which is loaded here: none is missing from the guest, or broken at its start."""
    with Sandbox() as sandbox:
        names = sandbox.run("ls /bin", "shell").stdout.split()
        assert {"awk", "cat", "grep", "jq", "ls", "sed", "sort", "xargs"} <= set(names)
        for name in names:
            result = sandbox.run(f"{name} --help < /dev/null > /dev/null", "shell")
            assert result.error is None and result.exit_code < 128, (name, result.stderr, result.error)


def test_processes_that_wait_for_each_other_end_the_run() -> None:
    """bash would wait for ever."""
    with Sandbox() as sandbox:
        result = sandbox.run("coproc cat; read -r line <&${COPROC[0]}", "shell")
        assert (result.exit_code, result.error) == (
            13,
            "Error: the script's processes wait for each other, and nothing else is left to happen",
        )
        assert sandbox.run("echo on", "shell").stdout == "on\n"


@pytest.mark.parametrize(
    ("script", "stdout"),
    [
        ("trap 'echo bye; sleep 0.01; echo again' EXIT; mkfifo f; cat f; echo never", "bye\nagain\n"),
        ("trap 'echo bye' EXIT; mkfifo f; (trap 'echo inner' EXIT; cat f; echo never); echo never", "inner\nbye\n"),
        ("trap 'echo bye' EXIT; trap 'echo no' TERM; mkfifo f; cat f & read x < f; echo never", "bye\n"),
        ("trap 'echo bye' EXIT; mkfifo f; (trap 'echo inner' EXIT; cat f) & echo end", "end\nbye\ninner\n"),
        ("trap 'cat f; echo never' EXIT; mkfifo f; cat f", ""),
        ("trap 'exit 3' EXIT; mkfifo f; cat f", ""),
    ],
)
def test_exit_traps_run_where_processes_wait_for_each_other(script: str, stdout: str) -> None:
    """bash runs them when somebody ends it."""
    with Sandbox() as sandbox:
        result = sandbox.run(script, "shell")
        assert (result.stdout, result.exit_code) == (stdout, 13)
        assert "wait for each other" in (result.error or "")
