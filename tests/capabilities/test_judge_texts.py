"""Texts of which only the ends are known: what is said of them holds of each text that begins and ends so."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import Constraint, MethodCapability, Param, Policy, ToolLimits
from amla_capabilities.check import CallSite, Judge, OpenText, SiteVerdict
from amla_capabilities.check._chance import chance
from amla_capabilities.check._partial import Text, partial_arguments

READ: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "mode": {"type": "string", "enum": ["read-all", "read-some"]},
        "n": {"type": "integer"},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def judge(prefix: str, suffix: str, *constraints: Constraint, name: str = "path", **limits: Any) -> SiteVerdict:
    """The verdict on `read({ path: PREFIX + x + SUFFIX })` under a grant with the constraints."""
    known = {} if name == "path" else {"path": "/a"}
    site = CallSite("read", known, (name,), 1, 1, 1, 9, "read(…)", texts=(OpenText(name, prefix, suffix),))
    policy = Policy([MethodCapability("read", constraints)], {"read": ToolLimits(**limits)})
    return Judge(policy, ["read"], schemas={"read": READ}).judge(site)


DENIED = [
    ("/etc/", "", Param("path").starts_with("/workspace/")),
    ("/workspace/../", "", Param("path").starts_with("/workspace/")),
    ("/workspace/", "/../../etc/passwd", Param("path").starts_with("/workspace/")),
    ("/etc/", "", Param("path").under("/workspace")),
    ("/workspacex", "", Param("path").under("/workspace")),
    ("workspace/", "", Param("path").under("/workspace")),
    ("/workspace/./", "", Param("path").under("/workspace")),
    ("/workspace/", "/..", Param("path").under("/workspace")),
    ("/workspace/", "/", Param("path").under("/workspace")),
    ("https://evil.example/", "", Param("path").host_in(["a.example"])),
    ("https://a.example.", "", Param("path").host_in(["a.example"])),
    ("https://a.example@", "", Param("path").host_in(["a.example"])),
    ("https://a.example:80", "", Param("path").host_in(["b.example"])),
    ("ftp://", "", Param("path").host_in(["a.example"])),
    ("https://a.example/", "\n", Param("path").host_in(["a.example"])),
    ("", ".exe", Param("path").ends_with(".txt")),
    ("x", "", Param("path") == "y"),
    ("a", "a", Param("path") == "a"),
    ("x", "", Param("path").is_in(["y", "z"])),
    ("12345", "", Param("path").length <= 4),
    ("", "", Param("path") <= 5),
    ("", "", Param("path").is_type("integer")),
    ("", "", Param("path.inner") == "x"),
    ("", "", Param("path[*]") == "x"),
    ("", "", Param("path").each(Param("") == "x")),
    ("INV-", "", ~Param("path").starts_with("INV")),
    ("", "a.exe", ~Param("path").ends_with(".exe")),
    ("a secret b", "", ~Param("path").contains("secret")),
    ("/workspace/a/", "", ~Param("path").under("/workspace")),
    ("https://a.example/", "", ~Param("path").host_in(["a.example"])),
    ("/etc/", "", Param("path").starts_with("/workspace/") | Param("path").under("/tmp")),
]
OPEN = [
    ("/workspace/out/", "", Param("path").starts_with("/workspace/")),  # a dot segment may follow
    ("/work", "", Param("path").starts_with("/workspace/")),
    ("/etc/", "", ~Param("path").starts_with("/workspace/")),
    ("/workspace/", ".txt", Param("path").under("/workspace")),
    ("/workspace/a", "..", Param("path").under("/workspace")),
    ("", "/", Param("path").under("/")),
    ("/", "", Param("path").under("/workspace")),
    ("https://a.exa", "", Param("path").host_in(["a.example"])),
    ("https://a.example/", "", Param("path").host_in(["a.example"])),
    ("http", "", Param("path").host_in(["a.example"])),
    ("", "", Param("path").matches("[a-z]+")),
    ("", "", Param("path") != "x"),
    ("aa", "", Param("path") == "aa"),
    ("a", "b", Param("path").is_in(["ab", "y"])),
    ("1234", "", Param("path").length <= 4),
]
SURE = [
    ("INV-1", "", Param("path").starts_with("INV-")),
    ("", "a.txt", Param("path").ends_with(".txt")),
    ("", " secret", Param("path").contains("secret")),
    ("", "", Param("path").is_type("string")),
    ("x", "", Param("path") != "y"),
    ("x", "", Param("path").not_in(["y", "z"])),
    ("abc", "de", Param("path").length >= 5),
    ("abc", "de", Param("path").length > 4),
]


def ids(rows: list[tuple[str, str, Constraint]]) -> list[str]:
    return [f"{prefix}…{suffix} {constraint}" for prefix, suffix, constraint in rows]


@pytest.mark.parametrize(("prefix", "suffix", "constraint"), DENIED, ids=ids(DENIED))
def test_what_no_such_text_meets_is_denied(prefix: str, suffix: str, constraint: Constraint) -> None:
    assert (judge(prefix, suffix, constraint).status, judge(prefix, suffix, constraint).code) == ("denied", "AM401")


@pytest.mark.parametrize(("prefix", "suffix", "constraint"), OPEN, ids=ids(OPEN))
def test_what_some_meet_is_decided_at_run_time(prefix: str, suffix: str, constraint: Constraint) -> None:
    verdict = judge(prefix, suffix, constraint)
    assert verdict.status == "at run time"
    assert verdict.open  # and the constraint is named


@pytest.mark.parametrize(("prefix", "suffix", "constraint"), SURE, ids=ids(SURE))
def test_what_all_meet_is_no_open_constraint(prefix: str, suffix: str, constraint: Constraint) -> None:
    """R4: "allowed" is said of constants only, but nothing is left to decide."""
    verdict = judge(prefix, suffix, constraint)
    assert (verdict.status, verdict.open) == ("at run time", ())
    assert "'path' is not a constant" in verdict.reason


def test_a_denial_shows_such_a_text() -> None:
    verdict = judge("/etc/", ".d", Param("path").starts_with("/workspace/"))
    assert verdict.reason == 'read is denied: path "/etc/....d" violates path starts with "/workspace/"'
    hidden = judge("/etc/", ".d", Param("path").starts_with("/workspace/"), secret=["path"])
    assert "etc" not in hidden.reason
    assert "workspace" not in hidden.reason


def test_schemas_refuse_texts_too() -> None:
    assert judge("1", "", name="n").code == "AM402"
    assert judge("read-", "", name="mode").code == "AM404"
    refused = judge("write-", "", name="mode")
    assert (refused.code, refused.reason) == (
        "AM402",
        'read: mode must be one of "read-all", "read-some", not "write-..."',
    )


def test_only_an_open_path_has_a_text() -> None:
    """What a site says of other places is not taken."""
    texts = (OpenText("a", "x", ""), OpenText("b.c", "x", ""), OpenText("d[0]", "x", ""), OpenText("e", "x", ""))
    value = partial_arguments({"a": 1, "d": [None], "e": {"f": 1}}, ("b", "d[0]", "e"), texts)
    assert value.items["a"] == 1
    assert "c" not in getattr(value.items["b"], "items", ())
    assert value.items["d"].items[0] == Text("x", "")
    assert value.items["e"].open


# --- against each text that begins and ends so ------------------------------------------------

PIECES = st.sampled_from(
    [
        "", "/", ".", "..", "a", "b", "/a", "/a/", "/../", "/./", "a.txt", "//", "\\", "\0", "\n", " ", "é", "\u0301", "\u0338",
        "\u3002", "\uff0f", "%2e", "%2E%2e/", "%", "%u002e", "2e", "https://", "http://", "http", "s://", "h.example", ":80", ":8443",
        "?", "#", "@", "[", "😀", "\ud800", "1",
    ]
)  # fmt: skip
TEXT = st.lists(PIECES, max_size=4).map("".join)
ENDS = TEXT.filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))


def built(build: Any) -> Any:
    """A constraint, or what no constraint can be, which is left out."""
    try:
        return build()
    except ValueError:
        return None


OPERANDS: Any = st.one_of(TEXT, st.integers(0, 6))
LEAVES: Any = st.one_of(
    st.builds(lambda o: built(lambda: Param("x").starts_with(o)), TEXT),
    st.builds(lambda o: built(lambda: Param("x").ends_with(o)), TEXT),
    st.builds(lambda o: built(lambda: Param("x").contains(o)), OPERANDS),
    st.builds(lambda o: built(lambda: Param("x").under(o)), TEXT),
    st.builds(lambda o: built(lambda: Param("x").host_in([o, "h.example"])), TEXT),
    st.builds(lambda o: Param("x") == o, OPERANDS),
    st.builds(lambda o: Param("x") != o, OPERANDS),
    st.builds(lambda o, p: Param("x").is_in([o, p]), OPERANDS, OPERANDS),
    st.builds(lambda o, p: Param("x").not_in([o, p]), OPERANDS, OPERANDS),
    st.builds(lambda o: Param("x").length <= o, st.integers(0, 12)),
    st.builds(lambda o: Param("x").length < o, st.integers(0, 12)),
    st.builds(lambda o: Param("x").length >= o, st.integers(0, 12)),
    st.builds(lambda o: Param("x").length > o, st.integers(0, 12)),
    st.builds(lambda o: Param("x").length == o, st.integers(0, 12)),
    st.builds(lambda o: Param("x").length.is_in([o, 1]), st.integers(0, 12)),
    st.builds(lambda o: Param("x") <= o, st.integers(0, 12)),
    st.sampled_from(
        [
            Param("x").matches("[a-z/]+"), Param("x").is_type("string"), Param("x").is_type("null"), Param("x").exists(),
            Param("x").not_exists(), Param("x.y") == 1, Param("x[0]") == 1, Param("x").each(Param("") == 1),
            Param("x", optional=True) == "a",
        ]
    ),
).filter(lambda leaf: leaf is not None)  # fmt: skip
CONSTRAINTS: Any = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: two[0] & two[1]),
        st.tuples(inner, inner).map(lambda two: two[0] | two[1]),
        st.tuples(inner, inner).map(lambda two: two[0].when(two[1])),
        inner.map(lambda one: ~one),
    ),
    max_leaves=3,
)


@given(CONSTRAINTS, ENDS, ENDS, st.lists(TEXT, min_size=1, max_size=8))
def test_a_chance_is_never_less_than_what_some_text_gives(
    constraint: Constraint, prefix: str, suffix: str, middles: list[str]
) -> None:
    expected = chance(constraint, partial_arguments({}, ("x",), (OpenText("x", prefix, suffix),)))
    for middle in ["", *middles]:
        holds = constraint.holds({"x": prefix + middle + suffix})
        assert expected.true if holds else expected.untrue, middle


@given(LEAVES, ENDS, ENDS, TEXT)
def test_operands_that_begin_alike_are_not_taken_for_others(leaf: Any, prefix: str, suffix: str, middle: str) -> None:
    """The same, with ends that are made from what the leaf compares with: those are near its border."""
    operand = leaf.operand if isinstance(getattr(leaf, "operand", None), str) else middle
    for cut in range(len(operand) + 1):
        for ends in ((operand[:cut], suffix), (operand[:cut], operand[cut:]), (prefix, operand[cut:])):
            if any("\ud800" <= c <= "\udfff" for c in "".join(ends)):
                continue
            expected = chance(leaf, partial_arguments({}, ("x",), (OpenText("x", *ends),)))
            for fill in ("", middle, operand, operand[cut:]):
                holds = leaf.holds({"x": ends[0] + fill + ends[1]})
                assert expected.true if holds else expected.untrue, (ends, fill)
