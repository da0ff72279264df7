"""Lines of the shell: later ones find what earlier ones left, as in an interactive bash."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Sandbox, Session

ROWS: dict[str, list[tuple[str, str]]] = {
    "variables": [("x=1; declare -i n=4", ""), ("n+=3; echo $x $n", "1 7\n"), ("unset x; echo [$x]", "[]\n")],
    "arrays": [("a=(p 'q r'); declare -A m=([k]=v)", ""), ('echo "${a[1]}" ${#a[@]} ${m[k]}', "q r 2 v\n")],
    "functions": [("f() { local y=$1; echo f$y; }", ""), ("f 2; echo [$y]", "f2\n[]\n")],
    "aliases": [("alias hi='echo hello'", ""), ("hi you", "hello you\n")],
    "options": [("set -f; shopt -s nullglob", ""), ("echo *; shopt nullglob", "*\nnullglob       \ton\n")],
    "status": [("(exit 5)", ""), ("echo $?", "5\n"), ("false | true", ""), ("echo $? ${PIPESTATUS[0]}", "0 1\n")],
    "positional parameters": [("set -- a 'b c'", ""), ('echo $# "$2"', "2 b c\n"), ("shift; echo $1", "b c\n")],
    "last argument": [("echo one two", "one two\n"), ("echo $_", "two\n")],
    "traps": [("trap 'echo oops' ERR", ""), ("false", "oops\n"), ("trap - ERR; false", "")],
    "exported": [("export E=5; F=6", ""), ("bash -c 'echo $E [$F]'", "5 []\n")],
    "descriptors": [("exec 3>log; echo one >&3", ""), ("echo two >&3; exec 3>&-; cat log", "one\ntwo\n")],
    "background": [("echo first & wait $!; echo last", "first\nlast\n"), ("[ -n $! ] && echo known", "known\n")],
    "readonly": [("readonly R=1", ""), ("R=2; echo not reached", ""), ("echo $R", "1\n")],
    "set -e ends the line": [("set -e; false; echo no", ""), ("echo still here", "still here\n")],
    "set -u ends the line": [("set -u; echo $nothing; echo no", ""), ("set +u; echo [$nothing]", "[]\n")],
    "here-documents": [("cat <<E\n$((1 + 1))\nE", "2\n")],
    "several lines": [("for i in 1 2; do\n  echo $i\ndone\necho end", "1\n2\nend\n")],
}


@pytest.fixture
def session() -> Iterator[Session]:
    with Sandbox() as sandbox:
        yield Session(sandbox)


@pytest.mark.parametrize("name", ROWS)
def test_lines_share_a_shell(session: Session, name: str) -> None:
    """Output of each line, as bash 5.2 -i has it."""
    for line, stdout in ROWS[name]:
        assert session.run(line, "shell").stdout == stdout, line


def test_the_folder_is_common_to_both_languages(session: Session) -> None:
    """`cd` and `process.chdir` are one, and files are the same."""
    session.run("mkdir -p deep/er; cd deep", "shell")
    assert session.run("process.cwd()", "javascript").shown == "'/workspace/deep'"
    assert session.run("fs.writeFileSync('note', 'hi'); process.chdir('er')", "javascript").cwd == "/workspace/deep/er"
    result = session.run("pwd; echo $OLDPWD; cat ../note", "shell")
    assert (result.stdout, result.cwd) == ("/workspace/deep/er\n/workspace/deep\nhi", "/workspace/deep/er")


def test_exit_is_for_the_caller_to_see(session: Session) -> None:
    """`exit` runs the EXIT trap and asks for the session's end, which the caller may decline."""
    session.run("x=1; trap 'echo bye' EXIT", "shell")
    result = session.run("exit 4; echo no", "shell")
    assert (result.stdout, result.exit_code, result.is_last) == ("bye\n", 4, True)
    assert session.run("echo $x", "shell").stdout == "1\n"
    assert not session.run("(exit 1)", "shell").is_last


def test_failures_under_errexit_end_the_line_alone(session: Session) -> None:
    """The EXIT trap waits for the session's end."""
    session.run("set -e; trap 'echo bye' EXIT", "shell")
    assert (session.run("false; echo no", "shell").stdout, session.run("exit", "shell").stdout) == ("", "bye\n")


def test_input_is_each_lines_own(session: Session) -> None:
    """What one line did not read is gone with it."""
    assert session.run("read a; echo $a", "shell", stdin="one\ntwo\n").stdout == "one\n"
    assert session.run("cat; echo end", "shell").stdout == "end\n"
    assert session.run("cat", "shell", stdin="three\n").stdout == "three\n"
    assert session.run("require('fs').readFileSync(0, 'utf8')", "javascript", stdin="four").shown == "'four'"


def test_errors_name_the_line(session: Session) -> None:
    """A line's number counts from its own beginning."""
    result = session.run("true\nnosuchcommand", "shell", filename="in[2]")
    assert (result.stderr, result.exit_code) == ("in[2]: line 2: nosuchcommand: command not found\n", 127)


def test_a_shell_line_shows_no_value(session: Session) -> None:
    """Only JavaScript has values to show."""
    assert session.run("echo a", "shell").shown is None
    assert session.run("false", "shell").error is None
