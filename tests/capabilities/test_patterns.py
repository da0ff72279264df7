"""Patterns: matching and inclusion."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import (
    PatternError,
    canonical_pattern,
    method_matches_pattern,
    pattern_is_subset,
    patterns_overlap,
)


@pytest.mark.parametrize(
    ("method", "pattern", "matches"),
    [
        ("stripe/charges/create", "stripe/charges/create", True),
        ("stripe/charges/create", "stripe/charges/*", True),
        ("stripe/charges", "stripe/charges/*", False),
        ("stripe/charges/a/b", "stripe/charges/*", False),
        ("stripe", "stripe/**", True),
        ("stripe/a/b/c", "stripe/**", True),
        ("stripes", "stripe/**", False),
        ("anything/at/all", "**", True),
        ("a/x/y/b", "a/**/b", True),
        ("a/b", "a/**/b", True),
        ("list", "list*", True),
        ("list_all", "list*", True),
        ("list/all", "list*", False),
        ("get_user_by_id", "get_*_by_*", True),
        ("aba", "ab*ba", False),
        ("search_db", "mcp:search_db", True),
        ("mcp:search_db", "search_db", True),
    ],
)
def test_matching(method: str, pattern: str, matches: bool) -> None:
    assert method_matches_pattern(method, pattern) is matches


@pytest.mark.parametrize("pattern", ["", "a//b", "a.b", "a**", "***", "/a", "a/", "mcp:mcp:a", "a\u200b*", "x" * 600])
def test_malformed_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        canonical_pattern(pattern)


@pytest.mark.parametrize(
    ("child", "parent", "subset"),
    [
        ("stripe/charges/*", "stripe/**", True),
        ("stripe/**", "stripe/*", False),
        ("**", "**/*", True),
        ("**/x", "**/*x", True),
        ("**/*x", "**/x", False),
        ("a*b", "a*", True),
        ("*", "a*", False),
        ("**/**", "**", True),
        ("a/**/b", "a/**", True),
        ("a/*", "a/**", True),
        ("*/**", "**", True),
        ("**", "*/**", True),
        ("a/**", "a/*", False),
        ("stripe/**", "github/**", False),
    ],
)
def test_inclusion(child: str, parent: str, subset: bool) -> None:
    assert pattern_is_subset(child, parent) is subset


_SEGMENTS = ["".join(letters) for n in (1, 2) for letters in product("abz", repeat=n)]
_PATHS = ["/".join(path) for n in (1, 2, 3) for path in product(_SEGMENTS, repeat=n)]
_PATHS += ["/".join(path) for path in product("abz", repeat=4)]
_SEGMENT = st.sampled_from(["**", "*", "a", "b", "ab", "a*", "*a", "*b", "b*"])
_PATTERN = st.lists(_SEGMENT, min_size=1, max_size=3).map("/".join)


@given(_PATTERN, _PATTERN)
def test_inclusion_agrees_with_enumeration(child: str, parent: str) -> None:
    """Over all short paths: included exactly where no path tells the two apart. (z stands for every other letter.)"""
    matched = [path for path in _PATHS if method_matches_pattern(path, child)]
    escaped = [path for path in matched if not method_matches_pattern(path, parent)]
    assert pattern_is_subset(child, parent) is not bool(escaped)


@given(_PATTERN, _PATTERN)
def test_overlap_agrees_with_enumeration(first: str, second: str) -> None:
    shared = any(method_matches_pattern(path, first) and method_matches_pattern(path, second) for path in _PATHS)
    if shared:
        assert patterns_overlap(first, second)
    if not patterns_overlap(first, second):
        assert not shared


@given(_PATTERN, _PATTERN, _PATTERN)
def test_inclusion_is_a_preorder(a: str, b: str, c: str) -> None:
    assert pattern_is_subset(a, a)
    if pattern_is_subset(a, b) and pattern_is_subset(b, c):
        assert pattern_is_subset(a, c)
