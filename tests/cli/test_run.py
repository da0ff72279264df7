"""`amla run`: scripts, their languages, their streams, their tools."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from cli_process import Amla

SCRIPT = "printf 'b\\na\\n' > f; cat f; echo oops >&2; exit 3\n"


def test_output_passes_byte_for_byte(amla: Amla) -> None:
    """Bytes that are no text, and a missing newline at the end, arrive as they were written."""
    ended = amla("run", "-e", "process.stdout.write(new Uint8Array([0, 255, 254, 13, 10, 65]))")
    assert (ended.status, ended.out, ended.err) == (0, b"\x00\xff\xfe\r\nA", "")


def test_streams_stay_apart(amla: Amla) -> None:
    ended = amla("run", "-e", "console.log('out'); console.error('err')")
    assert (ended.out, ended.err) == (b"out\n", "err\n")


def test_output_appears_as_it_happens(amla: Amla, tmp_path: Path) -> None:
    """A line is there long before the script ends."""
    import subprocess

    from cli_process import start

    process = start(
        "run", "-e", "console.log('now'); setTimeout(() => {}, 20000)", cwd=tmp_path, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"now\n"
    assert process.poll() is None
    process.terminate()
    assert process.wait(20) == 143
    process.stdout.close()


def test_huge_output_passes_whole(amla: Amla) -> None:
    ended = amla("run", "--max-output", "0", "-e", "for (let i = 0; i < 200; i++) console.log('x'.repeat(99_999))")
    assert (ended.status, len(ended.out)) == (0, 200 * 100_000)


def test_cut_output_is_told(amla: Amla) -> None:
    ended = amla("run", "--max-output", "1KB", "-e", "console.log('x'.repeat(5000))")
    assert ended.out == b"x" * 1000
    assert "4,001 more bytes were dropped" in ended.err


@pytest.mark.parametrize(
    ("name", "text", "out"),
    [
        ("a.js", "console.log(1)", b"1\n"),
        ("a.mjs", "import path from 'node:path'; console.log(path.basename('/x/y'))", b"y\n"),
        ("a.cjs", "console.log(require('path').basename('/x/y'))", b"y\n"),
        ("a.ts", "const n: number = 1; console.log(n)", b"1\n"),
        ("a.mts", "enum E { A = 5 }; console.log(E.A)", b"5\n"),
        ("A.JS", "return 'loud'", b"loud\n"),
        ("tool", "#!/usr/bin/env node\nconsole.log(1)", b"1\n"),
        ("tool", "#!/usr/bin/env -S deno run\nlet n: number = 1; console.log(n)", b"1\n"),
        ("tool", "#!/opt/bin/amla\nconsole.log(1)", b"1\n"),
        ("bom.js", "\ufeffconsole.log(1)", b"1\n"),
    ],
)
def test_languages(amla: Amla, tmp_path: Path, name: str, text: str, out: bytes) -> None:
    """The name decides, then the first line."""
    (tmp_path / name).write_text(text)
    ended = amla("run", name)
    assert (ended.status, ended.out, ended.err) == (0, out, "")


def test_what_is_no_javascript_may_be_a_shell_script(amla: Amla) -> None:
    """A hint says so where nothing named the language, and the text does not parse."""
    hint = "--lang shell"
    assert hint in amla("run", "-e", "echo hi").err
    assert hint in amla("run", "-", stdin=b"for x in 1 2; do echo $x; done").err
    assert hint not in amla("run", "--lang", "js", "-e", "echo hi").err
    assert hint not in amla("run", "-e", "JSON.parse('{')").err


def test_lang_overrides(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("let n: number = 2; console.log(n)")
    assert amla("run", "--lang", "ts", "notes.txt").out == b"2\n"


@pytest.mark.parametrize("args", [("a.sh",), ("script",), ("--lang", "shell", "-e", SCRIPT), ("--lang", "shell", "-")])
def test_shell(amla: Amla, tmp_path: Path, args: tuple[str, ...]) -> None:
    """By its name, by its first line, as code, from standard input."""
    (tmp_path / "a.sh").write_text(SCRIPT)
    (tmp_path / "script").write_text(f"#!/bin/bash\n{SCRIPT}")
    ended = amla("run", *args, stdin=SCRIPT.encode() if args[-1] == "-" else b"")
    assert (ended.status, ended.out, ended.err) == (3, b"b\na\n", "oops\n")


def test_shell_arguments(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text('printf "<%s>" "$0" "$#" "$@"')
    assert amla("run", "a.sh", "one two", "--", "--three").out == b"<a.sh><2><one two><--three>"


def test_shell_statuses(amla: Amla) -> None:
    for code, status in (("exit 42", 42), ("nonesuch", 127), ("if", 2), ("set -e; false; :", 1), ("kill $$", 143)):
        assert amla("run", "--lang", "shell", "-e", code).status == status, code


def test_script_from_input(amla: Amla) -> None:
    assert amla("run", "-", stdin=b"return [1, 2]").out == b"[1,2]\n"


def test_arguments_reach_the_script(amla: Amla, tmp_path: Path) -> None:
    """Options of ours may follow the script; what follows `--` is the script's."""
    (tmp_path / "a.js").write_text("console.log(process.argv.slice(2).join(' '))")
    assert amla("run", "a.js", "one", "--timeout", "10s", "two", "--", "--three", "-v").out == b"one two --three -v\n"
    assert amla("run", "-e", "return process.argv.slice(2)", "x", "y").out == b'["x","y"]\n'


def test_the_script_learns_no_host_path(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.js").write_text("console.log(__filename, process.cwd())")
    assert amla("run", str(tmp_path / "deep" / "a.js")).out == b"/workspace/a.js /workspace\n"


def test_environment(amla: Amla) -> None:
    """Only what was named reaches the script."""
    code = "return [process.env.GIVEN, process.env.KEPT ?? 'none']"
    ended = amla("run", "--env", "GIVEN=a=b", "-e", code, env={"KEPT": "secret"})
    assert ended.out == b'["a=b","none"]\n'


READER = "let all = ''; for await (const part of process.stdin) all += part; console.log(all.length, all.slice(0, 3))"


def test_input_reaches_a_script_that_reads_it(amla: Amla) -> None:
    assert amla("run", "-e", READER, stdin=b"abc" * 100_000).out == b"300000 abc\n"


def test_input_is_left_to_others(tmp_path: Path) -> None:
    """A script that does not read leaves the input alone, as a loop over its lines needs."""
    import subprocess

    from cli_process import COMMAND, environment

    command = ["sh", "-c", 'head -c 2 >/dev/null; "$@"; cat', "sh", *COMMAND, "run", "-e", "console.log('x')"]
    done = subprocess.run(command, input=b"1\n2\n3\n", capture_output=True, cwd=tmp_path, env=environment(), timeout=60)
    assert done.stdout.startswith(b"x\n")


def test_silent_input_does_not_hang(amla: Amla) -> None:
    """An open pipe that nobody writes to: no wait for a script that does not read, a bounded one for others."""
    reading, writing = os.pipe()
    try:
        assert amla("run", "-e", "console.log('done')", stdin=reading).out == b"done\n"
        begun = time.monotonic()
        ended = amla("run", "--timeout", "400ms", "-e", READER, stdin=reading)
        assert ended.status == 124
        assert "timed out after 0.4 s (limit 'timeout'); the script waits for standard input" in ended.err
        assert time.monotonic() - begun < 20
    finally:
        os.close(reading)
        os.close(writing)


def test_closed_streams(tmp_path: Path) -> None:
    """Standard streams that were closed are no reason to fail, nor to write into somebody's file."""
    import subprocess

    from cli_process import COMMAND, environment

    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *COMMAND, "run", "-e", "console.log('x'); process.exit(3)"]
    assert subprocess.run(command, cwd=tmp_path, env=environment(), timeout=60).returncode == 3


def test_tools(amla: Amla, manifest: str) -> None:
    code = "return await greet({name: 'Ada', times: 2})"
    assert amla("run", "-e", code, "--tools", manifest).out == b"hello Ada hello Ada\n"
    assert amla("run", "-e", code, env={"AMLA_TOOLS": manifest}).out == b"hello Ada hello Ada\n"


def test_a_manifest_nearby_is_hinted_at_and_not_loaded(amla: Amla, tmp_path: Path, manifest: str) -> None:
    (tmp_path / manifest).rename(tmp_path / "tools.toml")
    (tmp_path / "greeter.py").write_text("open('canary', 'w')")
    ended = amla("run", "-e", "await greet({name: 'x'})")
    assert ended.status == 1
    assert "./tools.toml was not loaded; to use its tools, add --tools tools.toml" in ended.err
    assert not (tmp_path / "canary").exists()


def test_limits_of_manifests_and_line(amla: Amla, tmp_path: Path, manifest: str) -> None:
    """The line's limit replaces the manifest's; without it the stricter manifest counts."""
    (tmp_path / "strict.toml").write_text("[sandbox]\nmax_calls = 1\n")
    code = "await greet({name: 'a'}); await greet({name: 'b'}); return 'both'"
    args = ("run", "-e", code, "--tools", manifest, "--tools", "strict.toml")
    assert amla(*args).status == 77
    assert amla(*args, "--max-calls", "2").out == b"both\n"


def test_verbose_and_quiet(amla: Amla, tmp_path: Path, manifest: str) -> None:
    code = "console.log(await greet({name: 'a'}))"
    loud = amla("run", "-v", "-e", code, "--tools", manifest)
    assert loud.out == b"hello a\n"
    assert "greet ok after" in loud.err
    assert "1 tool calls" in loud.err
    (tmp_path / "tools.toml").write_text("")
    quiet = amla("run", "-q", "-e", "x()")
    assert "x is not defined" in quiet.err
    assert "hint" not in quiet.err
