"""What a script learns of a tool's failure."""

from __future__ import annotations

import os
from typing import Any

import pytest

from amla_sandbox.tools import ArgumentError, ToolFailedError, describe_failure


class Mute(Exception):  # noqa: N818
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "name", "message"),
    [
        (ValueError("bad city"), "ValueError", "bad city"),
        (ValueError(), "ValueError", "ValueError"),
        (KeyError("oslo"), "KeyError", "no such key: 'oslo'"),
        (KeyError("no city of that name"), "KeyError", "no city of that name"),
        (TimeoutError(), "TimeoutError", "timed out"),
        (
            FileNotFoundError(2, "No such file or directory", "data.csv"),
            "FileNotFoundError",
            "No such file or directory: data.csv",
        ),
        (ToolFailedError("exited with status 1"), "ToolError", "exited with status 1"),
        (ArgumentError("t: x is refused"), "ToolError", "t: x is refused"),
        (Mute(), "Mute", "Mute"),
    ],
)
def test_the_kind_and_the_message_are_passed_on(error: Exception, name: str, message: str) -> None:
    assert describe_failure(error) == (name, message)


def test_host_paths_are_reduced_to_their_last_part() -> None:
    message = describe_failure(RuntimeError(f"cannot read {os.path.realpath(__file__)}: no")).message
    assert message == "cannot read …/test_failure.py: no"


@pytest.mark.parametrize(
    "text",
    ["POST /v1/charges failed", "see https://example.com/usr/docs", "a/b/c", "/no-such-folder-here/x.txt", "and/or"],
)
def test_what_is_no_path_of_this_host_stays(text: str) -> None:
    assert describe_failure(RuntimeError(text)).message == text


def test_secrets_are_masked() -> None:
    assert describe_failure(RuntimeError("401 for sk_live_1"), secrets=("sk_live_1",)).message == "401 for [secret]"


def test_long_messages_are_cut_and_say_so() -> None:
    message = describe_failure(RuntimeError("x" * 5_000)).message
    assert message.endswith("(3,000 more characters)")


def test_nothing_of_a_traceback_remains() -> None:
    def fail() -> Any:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ValueError("outer") from error

    try:
        fail()
    except ValueError as error:
        assert describe_failure(error) == ("ValueError", "outer")  # noqa: PT017
