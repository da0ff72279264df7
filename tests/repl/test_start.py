"""The way to the first prompt is short: nothing is loaded that it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from cli_process import environment
from repl_terminal import Start

LATE = ("rich", "pygments", "httpx", "jsonschema_rs", "pydantic")

WATCH = """\
import sys
from amla_cli.repl import _prompt
shown = _prompt.Prompt.read
def read(self, *args, **kwargs):
    self._repl.guest.session
    print("loaded:", *[name for name in {late} if name in sys.modules], file=open({file!r}, "w"))
    raise EOFError
_prompt.Prompt.read = read
sys.argv = ["amla", "repl"]
from amla_cli.__main__ import main
sys.exit(main())
"""


def test_what_is_loaded_before_the_first_prompt(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "loaded"
    code = WATCH.format(late=LATE, file=str(file))
    terminal = start(command=(sys.executable, "-c", code))
    assert terminal.end() == 0, terminal.text
    assert file.read_text() == "loaded:\n"


def test_a_pipe_needs_no_prompt(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['amla', 'repl']\n"
        "from amla_cli.__main__ import main\n"
        "main()\n"
        f"print(*[name for name in {('prompt_toolkit', *LATE)} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"1\n", capture_output=True, cwd=tmp_path, env=environment()
    )
    assert (done.stdout, done.stderr) == (b"1\n", b"\n")


def test_a_tool_that_cannot_be_loaded_is_said_before_any_prompt(start: Start, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('[tools.a]\npython = "nowhere:f"\nallow = true\n')
    terminal = start("--tools", "t.toml")
    assert terminal.end() == 2
    assert "error" in terminal.text
    assert "js>" not in terminal.text


def test_what_is_typed_before_the_session_is_there_is_run(start: Start) -> None:
    terminal = start()
    terminal.enter("6 * 7")
    terminal.wait("\n42\n")


def test_a_signature_that_was_asked_for_too_early_comes(start: Start, shop: Path) -> None:
    terminal = start("--tools", "t.toml", cwd=shop)
    terminal.type("greet({")
    terminal.wait(lambda t: "greet({name: string" in t.bar)


def test_a_hint_at_a_manifest_that_lies_here(start: Start, tmp_path: Path) -> None:
    (tmp_path / "tools.toml").write_text("")
    terminal = start().wait_prompt()
    assert "hint: ./tools.toml was not loaded; to use its tools, add --tools tools.toml" in terminal.body


def test_quiet_says_nothing(start: Start) -> None:
    assert start("-q").wait_prompt().lines[0] == "js>"


def test_a_session_that_fails_is_told_like_any_error(start: Start) -> None:
    terminal = start("--memory", "1MB").wait_prompt()
    terminal.type("Math.")
    terminal.press("tab")
    terminal.enter("PI")
    assert terminal.end() == 2
    assert "error: no sandbox fits in 1,000,000 bytes (limit 'memory'); give it" in terminal.text
    assert "Traceback" not in terminal.text
