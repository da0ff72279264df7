"""Without a terminal: each complete input runs, nothing is shown but what it prints and comes to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cli_process import COMMAND, environment

CASES = [
    ("values", (), "1 + 1\n'text'\n[1, {a: 2}]\n", "2\n'text'\n[ 1, { a: 2 } ]\n", 0),
    ("undefined is nothing", (), "let x = 1\nconsole.log(x)\n", "1\n", 0),
    ("several lines", (), "function f() {\n  return 42\n}\nf()\n", "42\n", 0),
    ("without a last line end", (), "1 + 1", "2\n", 0),
    ("nothing", (), "\n\n   \n", "", 0),
    ("shell", ("--lang", "shell"), "for i in 1 2\ndo echo $i\ndone\n", "1\n2\n", 0),
    ("a here-document", ("--lang", "shell"), "cat <<E\n a\nE\necho b\n", " a\nb\n", 0),
    ("the last status", ("--lang", "shell"), "true\n(exit 3)\n", "", 3),
    ("not an earlier status", ("--lang", "shell"), "false\ntrue\n", "", 0),
    ("exit", ("--lang", "shell"), "echo a\nexit 4\necho never\n", "a\n", 4),
    ("process.exit", (), "process.exit(5)\n1\n", "", 5),
    ("dot commands", (), ".lang shell\necho hi\n.exit 6\necho never\n", "hi\n", 6),
    ("bytes as they are", ("--lang", "shell"), r"printf '\033[2J\377'" + "\n", b"\x1b[2J\xff", 0),
]


def talked(folder: Path, text: str, *args: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, "repl", *args], input=text.encode(), capture_output=True, cwd=folder, env=environment(), timeout=60
    )


@pytest.mark.parametrize(
    ("args", "text", "out", "status"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_inputs(tmp_path: Path, args: tuple[str, ...], text: str, out: str | bytes, status: int) -> None:
    done = talked(tmp_path, text, *args)
    assert done.stdout == (out.encode() if isinstance(out, str) else out), done.stderr.decode()
    assert done.returncode == status
    assert done.stderr == b""


def test_errors_go_to_standard_error(tmp_path: Path) -> None:
    done = talked(tmp_path, "missing\n.tols\n'on'\n.lang shell\nnosuch\n")
    assert done.stdout == b"'on'\n"
    assert done.stderr.decode().splitlines() == [
        "Uncaught ReferenceError: missing is not defined",
        "amla: error: there is no command '.tols'; did you mean '.tools'?",
        "  hint: .help lists them",
        "repl: line 1: nosuch: command not found",
    ]
    assert done.returncode == 127


def test_what_never_ends_is_an_error(tmp_path: Path) -> None:
    done = talked(tmp_path, "function f() {\n")
    assert b"SyntaxError" in done.stderr
    assert done.returncode == 1


def test_answers_come_while_the_pipe_is_open(tmp_path: Path) -> None:
    """Another program can hold a conversation."""
    with subprocess.Popen(
        [*COMMAND, "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, env=environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text, answer in ((b"let n = 1\nn\n", b"1\n"), (b"n + 1\n", b"2\n")):
            process.stdin.write(text)
            process.stdin.flush()
            assert process.stdout.readline() == answer
        process.stdin.close()
        assert process.wait(60) == 0


def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "repl", "--lang", "shell"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=tmp_path, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"echo one\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"one\n"
        process.stdout.close()
        process.stdin.write(b"yes\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--lang", "python"), "--lang python: unknown"),
        (("--json",), "--json: a session speaks to people"),
        (("--tools", "missing.toml"), "cannot read the manifest missing.toml"),
        (("--load", "missing.session"), "cannot read missing.session"),
        (("--mount", "nothing"), "--mount nothing: write HOST:GUEST"),
        (("--approve", "maybe"), "--approve maybe: unknown"),
        (("--timeout", "soon"), "--timeout: "),
    ],
)
def test_wrong_usage(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    done = talked(tmp_path, "", *args)
    assert done.returncode == 2
    assert said in (done.stderr + done.stdout).decode()


def test_garbage_is_collected(tmp_path: Path) -> None:
    """A start does without; a session that lasts must not."""
    (tmp_path / "bin.py").write_text("import gc\n\ndef collects() -> bool:\n    return gc.isenabled()\n")
    (tmp_path / "t.toml").write_text('[tools.collects]\npython = "bin:collects"\nallow = true\n')
    assert talked(tmp_path, "await collects({})\n", "--tools", "t.toml").stdout == b"true\n"
