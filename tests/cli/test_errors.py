"""From exceptions to sentences, and from a script's failure to its place."""

from __future__ import annotations

import builtins
from importlib import import_module

import pytest

from amla_cli._errors import ROWS, outcome_of
from amla_cli._excerpt import script_problem, window
from amla_cli._outcome import CliError, Settings
from amla_cli._scripts import Lang, Script
from amla_cli._terminal import printable
from amla_sandbox import ScriptFailure

_HOMES = (
    "amla_sandbox",
    "amla_sandbox._errors",
    "amla_sandbox.tools",
    "amla_sandbox._cache",
    "amla_capabilities",
    "wasmtime",
    "amla_cli._outcome",
)
_OF_THE_PARSER = {"UsageError", "ClickException"}


@pytest.mark.parametrize("name", [row.name for row in ROWS if row.name not in _OF_THE_PARSER])
def test_each_row_names_an_exception_that_exists(name: str) -> None:
    """A renamed exception would turn its sentence into "failed where it should not"."""
    homes = [builtins, *map(import_module, _HOMES)]
    found = [getattr(home, name) for home in homes if hasattr(home, name)]
    assert found
    assert issubclass(found[0], BaseException)


def test_codes_are_stable() -> None:
    codes = {row.code for row in ROWS}
    assert codes == {
        "interrupted", "terminated", "broken_pipe", "manifest", "tool", "language", "cache", "files", "sandbox",
        "memory", "system", "usage", "internal", "audit", "session",
    }  # fmt: skip


def test_the_nearest_class_does_not_decide_but_the_first_row() -> None:
    """A manifest fault is a ValueError, and is told as a manifest fault."""
    from amla_capabilities import ManifestError

    assert outcome_of(ManifestError([])).problems[0].code == "manifest"


@pytest.mark.parametrize(
    ("error", "code", "status", "part"),
    [
        (KeyboardInterrupt(), "interrupted", 130, "interrupted"),
        (ZeroDivisionError("division by zero"), "internal", 125, "ZeroDivisionError: division by zero"),
        (MemoryError(), "memory", 125, "no memory left"),
        (PermissionError(13, "Permission denied", "some/file"), "system", 125, "some/file: Permission denied"),
        (CliError("usage", "no such thing"), "usage", 2, "no such thing"),
        (SystemExit(0), "tool", 2, "ended the process"),
    ],
)
def test_sentences(error: BaseException, code: str, status: int, part: str) -> None:
    outcome = outcome_of(error)
    assert (outcome.problems[0].code, outcome.exit_code) == (code, status)
    assert part in outcome.problems[0].message


def test_a_lost_reader_is_no_problem() -> None:
    assert outcome_of(BrokenPipeError()).problems == ()


def script(text: str) -> Script:
    return Script(text, "folder/a.js", "a.js", Lang.js)


def failure(line: int | None, column: int | None, file: str | None = "a.js", message: str = "gone") -> ScriptFailure:
    return ScriptFailure("TypeError", message, "", file, line, column, None, ("at f (a.js:1:2)", "at g (a.js:2:3)"))


def test_a_failure_shows_its_place() -> None:
    """The file as the user named it, the line, a caret under the column, the callers."""
    problem = script_problem(failure(2, 5), script("one\n\tif (x)\n"), Settings())
    assert problem.message == "folder/a.js:2:5: TypeError: gone"
    assert problem.excerpt.split("\n") == ["    \tif (x)", "    \t   ^", "    at g (a.js:2:3)"]
    assert (problem.where["file"], problem.where["line"], problem.where["column"]) == ("folder/a.js", 2, 5)


@pytest.mark.parametrize(("line", "column"), [(99, 1), (1, 999), (None, None), (1, None)])
def test_places_that_do_not_exist(line: int | None, column: int | None) -> None:
    """The sandbox says where; a wrong place must not fail us."""
    assert "gone" in script_problem(failure(line, column), script("short"), Settings()).message


def test_hostile_text_is_spelled_out() -> None:
    problem = script_problem(failure(1, 1, message="\x1b[2Jboo"), script("\x1b]0;title\x07 + \u202e1"), Settings())
    assert "\x1b" not in problem.excerpt + printable(problem.message)
    assert "\\x1b" in problem.excerpt
    assert "\u202e" not in problem.excerpt


def test_wide_characters_move_the_caret() -> None:
    assert window("日本 x", 3, 80) == ("日本 x", "     ")


def test_a_long_line_is_shown_around_its_fault() -> None:
    shown, blanks = window("a" * 500 + "!" + "b" * 500, 500, 40)
    assert len(shown) == 42
    assert shown[len(blanks)] == "!"
    assert shown.startswith("…")
    assert shown.endswith("…")
