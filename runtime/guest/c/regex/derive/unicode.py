"""Writes ../unicode_tables.h and ../case_tables.h: classes and case of the GNU C library's C.UTF-8 locale.

Asks the C library of the machine it runs on, and Python's ``unicodedata`` for general categories.  Not part of the
build.  Usage: ``python derive/unicode.py``.

A set is a list of numbers, gap and length in turn: so many characters that are not in it, then so many that are.  A
number takes seven bits a byte, least significant first; the high bit says that more follow.
"""

from __future__ import annotations

import ctypes
import locale
import sys
import unicodedata
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

CLASSES = ("alpha", "upper", "lower", "punct", "graph", "print", "space", "blank", "cntrl")
CATEGORIES = ("L", "Ll", "Lt", "Lu", "M", "N", "Nd", "P", "S", "Z")
TARGET = Path(__file__).parent.parent
HEAD = """/* Written by derive/unicode.py, which also says how to read it: do not edit. */
#ifndef AMLA_REGEX_{0}_TABLES_H
#define AMLA_REGEX_{0}_TABLES_H

#include <stdint.h>

"""


def number(value: int) -> bytes:
    """Seven bits a byte."""
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def encode(member: Callable[[int], object]) -> bytes:
    """The lengths of runs outside and inside the set, in turn."""
    runs = [(inside, len(list(run))) for inside, run in groupby(range(0x110000), lambda code: bool(member(code)))]
    lengths = [length for _, length in runs]
    if runs[0][0]:
        lengths.insert(0, 0)
    return b"".join(map(number, lengths[: len(lengths) // 2 * 2]))


def array(name: str, data: bytes) -> str:
    """A C array."""
    cells = [f"{byte}," for byte in data]
    return f"static const uint8_t {name}[] = {{\n{wrap(cells)}\n}};\n\n"


def wrap(cells: Iterable[str]) -> str:
    """Cells in lines of up to 120 characters."""
    lines = ["   "]
    for cell in cells:
        if len(lines[-1]) + 1 + len(cell) > 120:
            lines.append("   ")
        lines[-1] += f" {cell}"
    return "\n".join(lines)


def case_runs(pairs: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """First and last code, the way to the capital, and the stride of each run of small letters."""
    runs: list[tuple[int, int, int, int]] = []
    for code, capital in pairs:
        delta = capital - code
        if runs:
            first, last, same, stride = runs[-1]
            near = code - last == stride if last > first else code - last <= 2
            if same == delta and near:
                runs[-1] = (first, code, delta, code - last)
                continue
        runs.append((code, code, delta, 1))
    return runs


def main() -> None:
    """Write the tables."""
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    libc = ctypes.CDLL(None)
    text = HEAD.format("UNICODE")
    for name in CLASSES:
        text += array(f"rx_table_{name}", encode(getattr(libc, f"isw{name}")))
    for name in CATEGORIES:
        text += array(f"rx_table_{name}", encode(lambda code, n=name: unicodedata.category(chr(code)).startswith(n)))
    (TARGET / "unicode_tables.h").write_text(text + "#endif\n", "utf-8")
    upper = [(code, libc.towupper(code)) for code in range(0x110000) if libc.towupper(code) != code]
    cells = [f"{{ {a}, {b}, {delta}, {stride} }}," for a, b, delta, stride in case_runs(upper)]
    text = HEAD.format("CASE")
    text += "/* Small letters: the first, the last, what to add for the capital, and the stride between them. */\n"
    text += "typedef struct {\n    uint32_t first, last;\n    int32_t delta;\n    uint32_t stride;\n} RxCaseRun;\n\n"
    text += f"static const RxCaseRun rx_case_runs[] = {{\n{wrap(cells)}\n}};\n\n#endif\n"
    (TARGET / "case_tables.h").write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
