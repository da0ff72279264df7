"""Writes ../data/collation.ts: the order of letters, digits, punctuation and symbols in Unicode's root collation.

Asks an installed ICU (the C library) for the collation elements of characters. Not part of the build. Usage:
``python derive/collation.py``.

Format of the strings (numbers in base 36):

``ASCII``   primary weights of the first 128 characters, empty for what is ignored.
``RUNS``    characters whose primary weights follow one another as their codes do: records of nine digits, in order of
            code point: four of it, two of the length of the run, three of the first weight.
``MARKS``   the same for characters with only a secondary weight.
``OTHERS``  ``characters=elements``, each between spaces: elements are ``primary.secondary.tertiary`` separated by
            commas, empty for what is ignored; an empty secondary or tertiary is the common one. Not listed are
            characters that a runtime can derive (capital letters from small ones, compatibility characters from their
            decompositions).
``TERTIARY``  the same records with the tertiary weights of the derived characters.
``BEGINNINGS``  the first characters of the sequences in ``OTHERS``.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import sys
import unicodedata
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

BLOCKS = (
    "0-5ff 600-6ff 10a0-10ff 1ab0-1aff 1c80-1cbf 1d00-2bff 2c60-2c7f 2d00-2d2f 2de0-2e7f 3000-30ff a640-a69f "
    "a700-a7ff ab30-ab6f fb00-fb06 fe10-fe6f ff00-ffef 1d400-1d7ff 1f000-1faff"
)
LATER = "\u20a7\u20a8"
"""Characters that newer data than this ICU's derives from their decompositions."""
COMMON = 0x500
NEAR = 40
"""A span of tertiary weights may skip so many codes: Latin alternates capital and small letters."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Element = tuple[int, int, int]
Table = dict[str, list[Element]]


class Ranks(NamedTuple):
    """Weights as positions in their order, from 1."""

    primary: dict[int, int]
    secondary: dict[int, int]

    def spell(self, elements: list[Element]) -> str:
        return ",".join(self._cell(element) for element in elements)

    def _cell(self, element: Element) -> str:
        p, s, t = element
        secondary = "" if s == COMMON else base36(self.secondary[s])
        tertiary = "" if t == COMMON else base36(t >> 8)
        return f"{base36(self.primary[p]) if p else ''}.{secondary}.{tertiary}".rstrip(".")


class Collator:
    """Collation elements from ICU, with 32-bit primary weights."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("icui18n") or sys.exit("ICU's C library is not installed")
        self._icu = ctypes.CDLL(name)
        self._version = name.rsplit(".", 1)[-1]
        self._root = self._call("ucol_open", ctypes.c_void_p, b"root", ctypes.byref(ctypes.c_int(0)))

    def _call(self, name: str, result: Any, *arguments: Any) -> Any:
        function = self._icu[f"{name}_{self._version}"]
        function.restype = result
        value = function(*arguments)
        return ctypes.c_void_p(value) if result is ctypes.c_void_p else value

    def elements(self, text: str) -> list[Element]:
        error = ctypes.byref(ctypes.c_int(0))
        units = text.encode("utf-16-le")
        iterator = self._call("ucol_openElements", ctypes.c_void_p, self._root, units, len(units) // 2, error)
        out: list[Element] = []
        while (order := self._call("ucol_next", ctypes.c_int32, iterator, error)) != -1:
            primary, secondary, tertiary = order >> 16 & 0xFFFF, order >> 8 & 0xFF, order & 0xFF
            if tertiary & 0xC0 == 0xC0 and out:  # the low half of a long weight
                high = out[-1]
                out[-1] = (high[0] | primary, high[1] | secondary, high[2] | tertiary & 0x3F)
            else:
                out.append((primary << 16, secondary << 8, tertiary << 8))
        self._call("ucol_closeElements", None, iterator)
        return [element for element in out if any(element)]


def characters() -> list[str]:
    """The assigned characters of the blocks."""
    out: list[str] = []
    for block in BLOCKS.split():
        first, last = (int(end, 16) for end in block.split("-"))
        out += [chr(code) for code in range(first, last + 1)]
    return [c for c in out if unicodedata.category(c) not in ("Cn", "Co", "Cs")]


def base36(number: int) -> str:
    out = ""
    while number or not out:
        number, digit = divmod(number, 36)
        out = DIGITS[digit] + out
    return out


def record(code: int, length: int, weight: int) -> str:
    return base36(code).zfill(4) + base36(length).zfill(2) + base36(weight).zfill(3)


def runs(ranks: dict[int, int]) -> str:
    """Records of ranks by code point, one for those that count up together."""
    out: list[str] = []
    for _, group in groupby(sorted(ranks.items()), key=lambda pair: pair[1] - pair[0]):
        members = list(group)
        for _, part in groupby(enumerate(members), key=lambda pair: pair[1][0] - pair[0]):
            (_, (code, rank)), *rest = part
            out.append(record(code, 1 + len(rest), rank))
    return "".join(sorted(out))


def contractions(collator: Collator, every: list[str]) -> Table:
    """Decomposed characters that are not the sum of their parts."""
    out: Table = {}
    for c in every:
        parts = unicodedata.normalize("NFD", c)
        elements = collator.elements(c)
        if len(parts) > 1 and elements != [e for part in parts for e in collator.elements(part)]:
            out[parts] = elements
    return out


def single(table: Table, *, mark: bool) -> dict[int, str]:
    """The character of each weight that a character has alone: primary weights, or secondary ones of marks."""
    out: dict[int, str] = {}
    for c, elements in sorted(table.items()):
        if len(elements) != 1 or elements[0][2] != COMMON:
            continue
        primary, secondary, _ = elements[0]
        if mark and not primary:
            out.setdefault(secondary, c)
        elif not mark and primary and secondary == COMMON:
            out.setdefault(primary, c)
    return out


def derived_tertiary(collator: Collator, table: Table, c: str) -> int | None:
    """The tertiary weight of a character that otherwise weighs what its small letter or decomposition does."""

    def shape(elements: list[Element]) -> list[tuple[int, int]]:
        return [(p, s) for p, s, _ in elements]

    lower, compat, elements = c.lower(), unicodedata.normalize("NFKD", c), table[c]
    weights = {t for _, _, t in elements}
    source = lower if lower != c and len(lower) == 1 else compat
    if source == c or len(weights) != 1 or shape(collator.elements(source)) != shape(elements):
        return None
    return weights.pop() >> 8


def spans(weights: list[tuple[int, int]]) -> str:
    """Records of codes with equal weights."""
    out: list[list[int]] = []
    for code, weight in sorted(weights):
        if out and out[-1][2] == weight and code - out[-1][0] - out[-1][1] < NEAR:
            out[-1][1] = code - out[-1][0] + 1
        else:
            out.append([code, 1, weight])
    return "".join(record(start, length, weight) for start, length, weight in out)


def main() -> None:
    collator = Collator()
    every = characters()
    whole = [c for c in every if unicodedata.normalize("NFD", c) == c and c not in LATER]
    table = {c: collator.elements(c) for c in whole}
    joined = contractions(collator, every)
    used = [element for elements in [*table.values(), *joined.values()] for element in elements]
    primaries = sorted({p for p, _, _ in used if p})
    secondaries = sorted({s for _, s, _ in used} | {COMMON})
    ranks = Ranks({p: i + 1 for i, p in enumerate(primaries)}, {s: i + 1 for i, s in enumerate(secondaries)})
    letters, marks = single(table, mark=False), single(table, mark=True)

    others: list[str] = []
    tertiaries: list[tuple[int, int]] = []
    for c in sorted(set(table) - set(letters.values()) - set(marks.values())):
        weight = derived_tertiary(collator, table, c)
        if weight is None:
            others.append(f"{c}={ranks.spell(table[c])}")
        else:
            tertiaries.append((ord(c), weight))
    others += [f"{parts}={ranks.spell(elements)}" for parts, elements in joined.items()]

    ascii_weights = [table[chr(code)][0][0] if table[chr(code)] else 0 for code in range(128)]
    first_symbol = collator.elements("`")[0][0]
    write(
        {
            "ASCII": " ".join(base36(ranks.primary[p]) if p else "" for p in ascii_weights),
            "RUNS": runs({ord(c): ranks.primary[p] for p, c in letters.items()}),
            "MARKS": runs({ord(c): ranks.secondary[s] for s, c in marks.items()}),
            "OTHERS": f" {' '.join(others)} ",
            "TERTIARY": spans(tertiaries),
            "BEGINNINGS": "".join(sorted({parts[0] for parts in joined})),
        },
        {
            "COMMON_SECONDARY": ranks.secondary[COMMON],
            "FIRST_SYMBOL": ranks.primary[first_symbol],
            "FIRST_KANA": ranks.primary[collator.elements("\u3042")[0][0]],
            "LAST": len(primaries),
        },
    )


def write(texts: dict[str, str], numbers: dict[str, int]) -> None:
    lines = ["// Derived from Unicode's root collation (CLDR) by derive/collation.py; not to be edited by hand."]
    lines += [f"export const {name} =\n  {json.dumps(value, ensure_ascii=False)};" for name, value in texts.items()]
    lines += [f"export const {name} = {value};" for name, value in numbers.items()]
    target = Path(__file__).parent.with_name("data") / "collation.ts"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
