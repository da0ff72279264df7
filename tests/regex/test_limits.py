"""What a script can write, of any size, ends soon and in order."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from regex_engine import INTERRUPTED, NONE, TOO_COMPLEX, Engine, Flag, Pattern

ERE = Flag.EXTENDED


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|aa)+$", "((a+)+)+b", "(a?){40}a{40}b", "(.*)(.*)(.*)(.*)(.*)x"])
def test_nested_repetitions_take_linear_time(engine: Engine, pattern: str) -> None:
    """No expression without back-references takes more than a constant time for each byte."""
    compiled = Pattern(engine, pattern, ERE)
    started = time.process_time()
    assert compiled.search(b"a" * 200_000 + b"c", spans=1) == NONE
    assert time.process_time() - started < 5


@pytest.mark.parametrize("length", [1, 4095, 4096, 4097, 100_000])
def test_groups_over_blocks(engine: Engine, length: int) -> None:
    """A match longer than a block of the pass for groups has the same groups."""
    compiled = Pattern(engine, "(x*)(y)?((z)|(x))*", ERE)
    text = b"x" * length + b"y" + b"zx" * length
    end = 3 * length + 1
    assert compiled.search(text) == [
        [0, end], [0, length], [length, length + 1], [end - 1, end], [end - 2, end - 1], [end - 1, end]
    ]  # fmt: skip


@pytest.mark.parametrize("flags", [ERE, Flag(0), Flag.PERL], ids=["ERE", "BRE", "Perl"])
def test_nesting_is_bounded(engine: Engine, flags: Flag) -> None:
    """Parentheses may nest 240 deep; more is an error, not an overflow of the stack."""
    left, right = (r"\(", r"\)") if flags == Flag(0) else ("(", ")")
    deep = Pattern(engine, left * 240 + "a*" + right * 240, flags)
    assert isinstance(deep.search("aa"), list)
    with pytest.raises(ValueError, match=r"too big|too deeply nested"):
        Pattern(engine, left * 100_000 + "a" + right * 100_000, flags)


@pytest.mark.parametrize("pattern", ["((a{1000}){1000}){1000}", "(((){32767}){32767}){32767}", "a{32767}{32767}"])
def test_size_is_bounded(engine: Engine, pattern: str) -> None:
    """Repetitions multiply: there is a limit on what they make."""
    with pytest.raises(ValueError, match="Regular expression too big"):
        Pattern(engine, pattern, ERE)


def test_largest_interval(engine: Engine) -> None:
    """RE_DUP_MAX itself is allowed."""
    assert Pattern(engine, "^a{32767}", ERE).search(b"a" * 40_000, spans=1) == [[0, 32767]]


def test_many_repetition_signs_are_one(engine: Engine) -> None:
    """a*** is a*; a chain of others that would nest too deep is refused."""
    assert Pattern(engine, "a" + "*" * 10_000, ERE).search("aa") == [[0, 2]]
    with pytest.raises(ValueError, match="Regular expression too big"):
        Pattern(engine, "a" + "?" * 10_000, ERE)


@pytest.mark.parametrize(
    ("pattern", "flags"), [(r"^(a+)+\1b$", ERE), ("(?:a+)+(?<!a)$", Flag.PERL), ("(?:a|aa)+(?!.)(?=c)", Flag.PERL)]
)
def test_backtracking_is_bounded(engine: Engine, pattern: str, flags: Flag) -> None:
    """Back-references and Perl's syntax give up after so many steps."""
    assert Pattern(engine, pattern, flags).search(b"a" * 50 + b"cb" * (flags == ERE)) == TOO_COMPLEX


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [("[ab]+c", ERE), ("needle", ERE), ("(^|x)c", ERE), (r"(a+)+\1c", ERE | Flag.LINES), (r"(?=a+)a+c", Flag.PERL)],
)
def test_interrupts_are_seen(engine: Engine, pattern: str, flags: Flag) -> None:
    """A long search ends when the host wants it to."""
    compiled = Pattern(engine, pattern, flags)
    engine.interrupt(True)
    try:
        assert compiled.search(b"ab" * 2_000_000, spans=1) == INTERRUPTED
    finally:
        engine.interrupt(False)


def test_memory_that_is_short_is_an_error(binary: bytes) -> None:
    """What does not fit is refused, and the engine goes on."""
    small = Engine(binary, pages=40)
    with pytest.raises(ValueError, match="Memory exhausted"):
        Pattern(small, "[[:alpha:]]{200}" * 5, ERE)
    assert Pattern(small, "b+", ERE).search("abb") == [[1, 3]]


def test_many_strings(engine: Engine) -> None:
    """grep -F -f with thousands of words goes over the text once."""
    words = [f"word{number:05}" for number in range(20_000)]
    compiled = Pattern(engine, "\n".join(words), Flag.LITERAL | Flag.LINES | Flag.IGNORE_CASE)
    text = b"".join(b"nothing here %d\n" % number for number in range(5000)) + b"a WORD19999 at last\n"
    assert compiled.lines(text) == [5001]
