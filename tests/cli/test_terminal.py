"""On a terminal: colours, progress, help that is drawn, narrow windows."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from cli_process import COMMAND, environment

from amla_cli._terminal import printable, text_width

pty = pytest.importorskip("pty")


def on_terminal(folder: Path, *args: str, **env: str) -> str:
    """What a command writes on a terminal that is its stdout and stderr."""
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args], stdin=subprocess.DEVNULL, stdout=inner, stderr=inner, cwd=folder,
        env=environment(**{"TERM": "xterm-256color", "COLUMNS": "80", **env}),
    )  # fmt: skip
    os.close(inner)
    parts: list[bytes] = []
    try:
        while part := os.read(outer, 65536):
            parts.append(part)
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(outer)
        process.wait(60)
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_errors_are_coloured(tmp_path: Path) -> None:
    assert "\x1b[1;31merror:\x1b[0m" in on_terminal(tmp_path, "run", "missing.js")


@pytest.mark.parametrize(("args", "env"), [((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"}), (("--no-color",), {})])
def test_errors_without_colours(tmp_path: Path, args: tuple[str, ...], env: dict[str, str]) -> None:
    assert on_terminal(tmp_path, "run", "missing.js", *args, **env).startswith("amla: error: cannot read missing.js")


def test_a_script_may_colour_its_output(tmp_path: Path) -> None:
    assert "\x1b[1mbold" in on_terminal(tmp_path, "run", "-e", r"console.log('\x1b[1mbold')", NO_COLOR="1")


def test_help_is_drawn_on_a_terminal_only(tmp_path: Path) -> None:
    assert "╭─ Commands ─" in re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(tmp_path, "--help"))
    assert "╭" not in on_terminal(tmp_path, "--help", TERM="dumb")


@pytest.mark.parametrize("width", [20, 40])
def test_narrow_windows(tmp_path: Path, width: int) -> None:
    """Help and errors stay readable, and nothing fails."""
    assert "Exit codes" in on_terminal(tmp_path, "--help", COLUMNS=str(width)).replace("\n", " ")
    shown = on_terminal(tmp_path, "run", "-e", "x" * 300 + "()", COLUMNS=str(width), NO_COLOR="1")
    assert "is not defined" in shown


def test_progress_goes_away(tmp_path: Path) -> None:
    """A line while it compiles, gone afterwards; on a dumb terminal it stays, with the time it took."""
    (tmp_path / "one").mkdir(mode=0o700)
    (tmp_path / "two").mkdir(mode=0o700)
    shown = on_terminal(tmp_path, "run", "-e", "console.log(1)", AMLA_CACHE_DIR=str(tmp_path / "one"))
    assert shown == "amla: compiling the guest for this machine (once) …\r\x1b[K1\n"
    dumb = on_terminal(tmp_path, "run", "-e", "console.log(1)", AMLA_CACHE_DIR=str(tmp_path / "two"), TERM="dumb")
    assert dumb.startswith("amla: compiling the guest for this machine (once) … ")
    assert dumb.endswith(" s\n1\n")


def test_foreign_text_is_harmless() -> None:
    assert printable("a\x1b[31m\u202eb\n\x9bc é日") == "a\\x1b[31m\\u{202e}b\n\\x9bc é日"
    assert text_width("aé日e\u0301") == 5


def test_help_names_no_types_of_flags_and_wraps_its_paragraphs(tmp_path: Path) -> None:
    """A flag takes no value; and lines break where the window ends, not where the source does."""
    shown = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(tmp_path, "repl", "--help", COLUMNS="100"))
    assert "<bool>" not in shown
    assert "<int>" not in shown
    assert "\n complete input runs without a prompt, and the status is that of the last one. " in shown


def test_a_plain_help_lists_commands_with_their_whole_sentence(tmp_path: Path) -> None:
    shown = " ".join(on_terminal(tmp_path, "--help", TERM="dumb").split())
    assert "watch Run a script, and again each time it changes, or a manifest, a module of its tools" in shown
