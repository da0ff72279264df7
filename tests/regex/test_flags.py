"""Flags that neither regexec() nor grep has: awk's escapes, bytes, NUL as the end of lines, Perl's options."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from regex_engine import NONE, Engine, Flag, Pattern

AWK = Flag.EXTENDED | Flag.AWK


@pytest.mark.parametrize(
    ("pattern", "text", "span"),
    [
        (r"a\/b", "xa/b", [1, 4]),
        (r"\"\t\n", '"\t\n', [0, 3]),
        (r"a\52", "aaa", [0, 3]),  # as in gawk, \52 is the operator *
        (r"\x41+", "bAA", [1, 3]),
        (r"[\]\/a]+", "x]/a", [1, 4]),
        (r"[\t ]+", "a \tb", [1, 3]),
        (r"\yb\y", "a b", [2, 3]),
        (r"\.\$", "a.$", [1, 3]),
        (r"a{2}", "aa", [0, 2]),
        (r"a{x", "a{x", [0, 3]),
        (r"*a", "*a", [0, 2]),
        (r"a)", "a)", [0, 2]),
        (r"\1", "\x01", [0, 1]),
    ],
)
def test_awk(engine: Engine, pattern: str, text: str, span: list[int]) -> None:
    """gawk's manual: escapes come first, and brackets honour backslashes."""
    assert Pattern(engine, pattern, AWK).search(text) == [span]


def test_bytes(engine: Engine) -> None:
    """With BYTES each byte is a character, as in the locale C."""
    assert Pattern(engine, "..", Flag.BYTES).search("é") == [[0, 2]]
    assert Pattern(engine, "[[:alpha:]]", Flag.BYTES).search("é") == NONE
    assert Pattern(engine, b"\xc3", Flag.BYTES).search("é") == [[0, 1]]


def test_invalid_utf8(engine: Engine) -> None:
    """Bytes of no character match nothing that stands for characters, and are crossed; a literal one matches itself."""
    assert Pattern(engine, "a.b", Flag(0)).search(b"a\xffb") == NONE
    assert Pattern(engine, "[^x]", Flag(0)).search(b"\xff\x80b") == [[2, 3]]
    assert Pattern(engine, b"\xff", Flag(0)).search(b"a\xff") == [[1, 2]]
    assert Pattern(engine, ".", Flag(0)).search(b"\xed\xa0\x80\xf4\x90\x80\x80") == NONE


def test_nul_lines(engine: Engine) -> None:
    """grep -z: a newline is an ordinary character, NUL ends lines."""
    flags = Flag.EXTENDED | Flag.LINES | Flag.NUL_LINES | Flag.NEWLINE_LIST
    assert Pattern(engine, "^b.c$", flags).search(b"a\0b\nc\0") == [[2, 5]]
    assert Pattern(engine, "^c", flags).search(b"a\0b\nc\0") == NONE
    assert Pattern(engine, "a[^x]b", flags).search(b"a\0b") == NONE


@pytest.mark.parametrize(
    ("pattern", "text", "spans"),
    [
        (r"(?x) a  b # comment", "ab", [[0, 2]]),
        (r"(?s)a.b", "a\nb", [[0, 3]]),
        (r"a.b", "a\nb", NONE),
        (r"(?m)^b$", "a\nb\nc", [[2, 3]]),
        (r"b$", "ab\n", [[1, 2]]),
        (r"b\z", "ab\n", NONE),
        (r"(a)(?i:B)b", "aBb", [[0, 3], [0, 1]]),
        (r"(?<year>\d+)-(?P=year)", "12-12", [[0, 5], [0, 2]]),
        (r"(a|ab)(c|bcd)", "abcd", [[0, 4], [0, 1], [1, 4]]),
        (r"a{2,3}?", "aaaa", [[0, 2]]),
        (r"x\Ky", "xy", [[1, 2]]),
        (r"(?<=é|ab)c", "éc", [[2, 3]]),
        (r"(?i)k+", "kK\u212a", [[0, 5]]),
        (r"(a)\g{-1}", "aa", [[0, 2], [0, 1]]),
        (r"\p{Han}\p{^Lu}\P{L}", "漢a1", [[0, 5]]),
        (r"\x{e9}\N", "éa", [[0, 3]]),
    ],
)
def test_perl(engine: Engine, pattern: str, text: str, spans: list[list[int]] | int) -> None:
    """What perlre and pcre2pattern say."""
    assert Pattern(engine, pattern, Flag.PERL).search(text) == spans


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"(?%a)", "unrecognized character after (? or (?-"),
        (r"\p{Klingon}", "unknown property after \\P or \\p"),
        (r"\g{-1}(a)", "reference to non-existent subpattern"),
    ],
)
def test_perl_errors(engine: Engine, pattern: str, message: str) -> None:
    """In the words of PCRE2."""
    with pytest.raises(ValueError, match=re.escape(message)):
        Pattern(engine, pattern, Flag.PERL)
