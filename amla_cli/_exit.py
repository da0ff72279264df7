"""The exit codes, in one table; `--help` and the documentation list it."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Exit", "exit_table"]


class Exit(IntEnum):
    """What a status of ours means. A script's own status passes through unchanged."""

    OK = 0
    SCRIPT_ERROR = 1
    USAGE = 2
    UNSETTLED = 13
    DENIED = 77
    TIMEOUT = 124
    BROKEN = 125
    INTERRUPTED = 130
    OUT_OF_MEMORY = 137
    BROKEN_PIPE = 141
    TERMINATED = 143


_MEANING = {
    Exit.OK: "the script ended well",
    Exit.SCRIPT_ERROR: "an error that the script did not catch, or a file of --out that it did not write",
    Exit.USAGE: "wrong usage, or a manifest that cannot be used",
    Exit.UNSETTLED: "the script awaits what nothing is left to settle, or its processes wait for each other",
    Exit.DENIED: "a tool call was denied and the script let that end it",
    Exit.TIMEOUT: "the time limit ended the script",
    Exit.BROKEN: "the sandbox itself failed",
    Exit.INTERRUPTED: "interrupted by Ctrl-C",
    Exit.OUT_OF_MEMORY: "the memory limit ended the script",
    Exit.BROKEN_PIPE: "nobody reads the output any more, as with | head",
    Exit.TERMINATED: "ended by SIGTERM",
}


def exit_table() -> list[tuple[int, str]]:
    """Each code and what it means; any other is the script's own."""
    return [(int(code), _MEANING[code]) for code in Exit]
