"""Record in cases.toml what the C library's regexec() and GNU grep of this machine find, in the locale C.UTF-8."""

from __future__ import annotations

import ctypes
import locale
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from case_rows import Row, load, save

__all__ = ["main"]

_OPTIONS = {"E": 1, "i": 2, "m": 4}
_START_END = 4
_GROUPS = 20


class _Match(ctypes.Structure):
    _fields_ = [("start", ctypes.c_int), ("end", ctypes.c_int)]


def _ask_library(row: Row) -> None:
    library = ctypes.CDLL(None)
    compiled, message = ctypes.create_string_buffer(256), ctypes.create_string_buffer(200)
    code = library.regcomp(compiled, row.pattern.encode(), sum(_OPTIONS[letter] for letter in row.options))
    if code:
        library.regerror(code, compiled, message, len(message))
        row.error = message.value.decode()
        return
    text, found = row.text.encode(), (_Match * _GROUPS)()
    found[0].end = len(text)
    missed = library.regexec(compiled, text, _GROUPS, found, _START_END)
    groups = ctypes.c_size_t.from_buffer(compiled, 48).value  # re_nsub, where the GNU C library has it
    row.spans = [] if missed else [[match.start, match.end] for match in found[: groups + 1]]
    library.regfree(compiled)


def _ask_grep(row: Row) -> None:
    def run(*more: str) -> subprocess.CompletedProcess[bytes]:
        command = ["grep", *row.options.split(), *more, "-e", row.pattern]
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, input=row.text.encode(), capture_output=True, env=environment, check=False)

    lines = run("-n")
    if lines.returncode == 2:
        row.error = lines.stderr.decode().removeprefix("grep: ").strip()
        return
    row.lines = [int(line.split(b":")[0]) for line in lines.stdout.split(b"\n")[:-1]]
    parts = [line.split(b":", 1) for line in run("-b", "-o").stdout.split(b"\n")[:-1]]
    row.matches = [[int(start), int(start) + len(part)] for start, part in parts if part]


def main() -> None:
    """Ask about every row that is not meant to differ."""
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    rows = load()
    for row in rows:
        if row.differs is None:
            row.error = row.spans = row.lines = row.matches = None
            (_ask_library if row.by == "regexec" else _ask_grep)(row)
    save(rows)


if __name__ == "__main__":
    main()
