"""Constraints as written in manifests and in `constraints={...}`."""

from __future__ import annotations

from typing import Any

import pytest

from amla_capabilities import ConstraintError, ConstraintSet, Misspelt, Param, constraints_from_dict
from amla_capabilities._constraints._spelling import read_constraints

P = Param("x")


@pytest.mark.parametrize(
    ("spelling", "meaning"),
    [
        ("<=1000", [P <= 1000]),
        (" <= 1000 ", [P <= 1000]),
        (">=0.5", [P >= 0.5]),
        ("<-5", [P < -5]),
        (">1e3", [P > 1000]),
        ("==5", [P == 5]),
        ("==true", [P == True]),  # noqa: E712
        ("==USD", [P == "USD"]),
        ("!='<b>'", [P != "<b>"]),
        ("USD", [P == "USD"]),
        ("", [P == ""]),
        (5, [P == 5]),
        (True, [P == True]),  # noqa: E712
        (["USD", "EUR"], [P.is_in(["USD", "EUR"])]),
        ([1, 2], [P.is_in([1, 2])]),
        ([">=100", "<=10000"], [P >= 100, P <= 10000]),
        ("startswith:/api/", [P.starts_with("/api/")]),
        ("endswith:.txt", [P.ends_with(".txt")]),
        ("contains: b", [P.contains(" b")]),
        ("https://example.com", [P == "https://example.com"]),
        ({"starts_with": "/api/", "length": "<=20"}, [P.starts_with("/api/"), P.length <= 20]),
        ({"is_in": ["DE"]}, [P.is_in(["DE"])]),
        ({"exists": True}, [P.exists()]),
        ({"exists": False}, [P.not_exists()]),
        ({"<=": 5, "optional": True}, [Param("x", optional=True) <= 5]),
        ({"under": "/workspace"}, [P.under("/workspace")]),
        ({"host_in": ["example.com"]}, [P.host_in(["example.com"])]),
        ({"each": {"price": "<=5"}}, [P.each(Param("price") <= 5)]),
        ({"each": "<=5"}, [P.each(Param() <= 5)]),
        ({"any_of": ["<=5", {"exists": False}]}, [(P <= 5) | P.not_exists()]),
        ({"not": ["a", "b"]}, [~P.is_in(["a", "b"])]),
        ({"all_of": [">=1", "<=5"]}, [(P >= 1) & (P <= 5)]),
        ("matches:[a-z]+", [P.matches("[a-z]+")]),
        ({"matches": "[a-z]+"}, [P.matches("[a-z]+")]),
        ({"<=": 5, "when": {"kind": "cash"}}, [(P <= 5).when(Param("kind") == "cash")]),
        ({"<=": 5, "when": {"a": 1, "b": "<=2"}}, [(P <= 5).when((Param("a") == 1) & (Param("b") <= 2))]),
        ({"each": {"any_of": ["<=5", {"exists": False}]}}, [P.each((Param() <= 5) | Param().not_exists())]),
        ({"each": {'["length"]': 5}}, [P.each(Param("length") == 5)]),
    ],
    ids=str,
)
def test_spellings(spelling: Any, meaning: list[Any]) -> None:
    assert constraints_from_dict({"x": spelling}) == ConstraintSet(meaning)


def test_r18_dotted_keys_nest() -> None:
    assert constraints_from_dict({"customer.country": "DE"}).holds({"customer": {"country": "DE"}})
    assert constraints_from_dict({'["a.b"]': "DE"}).holds({"a.b": "DE"})


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("=<1000", 'did you mean "<=1000"'),
        ("=>1", 'did you mean ">=1"'),
        ("=5", 'did you mean "==5"'),
        ("~x", "starts like a comparison"),
        ("<=abc", "not one"),
        ("<=", "needs something"),
        ("<= 1,000", "without separators: <=1000"),
        (">=1 & <=5", "one comparison per string"),
        (">=1, <=5", "one comparison per string"),
        ("<=1e999", "finite"),
        ("<=true", "compares numbers"),
        ("startwith:/api/", "did you mean 'startswith'"),
        ("\N{LESS-THAN OR EQUAL TO}5", "write '<='"),
        (" \N{FULLWIDTH GREATER-THAN SIGN}5", "write '>'"),
        ("\N{ZERO WIDTH SPACE}<=5", "nobody sees"),
        ({"not": "\ufeff!=a"}, "nobody sees"),
        ({"not": "under:/etc"}, "write { under = … }"),
        ({"not": "host_in:evil.example"}, "write { host_in = … }"),
        (["in:a", "in:b"], "write { in = … }"),
        ({"not_in": "length:5"}, "list of values"),
        ({"not": "regex:.*"}, "did you mean 'matches'"),
        ({"not": "Prefix:/etc"}, "did you mean 'startswith'"),
        ("=='abc", "does not end"),
        ([], "allows nothing"),
        (["USD", "<=5"], "not both"),
        (["<=5", "=<6"], "did you mean"),
        (["ok", "~no"], "starts like a comparison"),
        ({}, "at least one operator"),
        ({"start_with": "a"}, "did you mean 'starts_with'"),
        ({"country": "DE"}, '"x.country"'),
        ({"exists": "yes"}, "true or false"),
        ({"optional": 1, "<=": 5}, "true or false"),
        ({"any_of": []}, "alternatives"),
        ({"each": {"price": "=<5"}}, "did you mean"),
        ({"is_type": "strng"}, "did you mean 'string'"),
        ({"length": "<=abc"}, "compares numbers"),
        (float("nan"), "finite"),
    ],
    ids=str,
)
def test_r18_what_does_not_parse_is_an_error(spelling: Any, says: str) -> None:
    """An unparsable constraint never means "no constraint", and never a string to compare with."""
    with pytest.raises(ConstraintError) as caught:
        constraints_from_dict({"x": spelling})
    assert says in str(caught.value)


def test_rules_about_several_parameters() -> None:
    """`""` is all arguments: there a table names parameters."""
    either = constraints_from_dict({"": {"any_of": [{"n": "<=5"}, {"kind": "card", "n": "<=50"}]}})
    n, kind = Param("n"), Param("kind")
    assert either == ConstraintSet([(n <= 5) | ((kind == "card") & (n <= 50))])
    assert constraints_from_dict({"": {"not": {"n": 1, "m": 2}}}) == ConstraintSet([~((n == 1) & (Param("m") == 2))])
    assert constraints_from_dict({"": [{"n": ">=1"}, {"n": "<=5"}]}) == ConstraintSet([n >= 1, n <= 5])


@pytest.mark.parametrize(
    ("spelling", "where", "text", "offset"),
    [
        ("<= 1,000", ("x",), "<= 1,000", 3),
        (["<=5", "=<6"], ("x", 1), "=<6", 0),
        ({"any_of": ["<=5", {"not": "=<6"}]}, ("x", "any_of", 1, "not"), "=<6", 0),
        ({"each": {"price": "<=abc"}}, ("x", "each", "price"), "<=abc", 2),
        ({"<=": 5, "when": {"kind": ["a", "=b"]}}, ("x", "when", "kind", 1), "=b", 0),
        ({"<=": 5, "when": {}}, ("x", "when"), "", 0),
        ({"<=": 5, "when": "kind"}, ("x", "when"), "", 0),
        ({"when": {"kind": 1}}, ("x",), "", 0),
        ({"matches": "(?=a)"}, ("x", "matches"), "", 0),
        ({"all_of": []}, ("x", "all_of"), "", 0),
        ("matches:(", ("x",), "matches:(", 8),
    ],
    ids=str,
)
def test_a_fault_knows_its_place(spelling: Any, where: tuple[Any, ...], text: str, offset: int) -> None:
    """The keys that lead to it, the text, and the character in it."""
    faults: list[Misspelt] = []
    assert read_constraints({"x": spelling}, faults.append) == []
    (fault,) = faults
    assert (fault.where, fault.text, fault.offset) == (where, text, offset)
    assert not text or str(fault).endswith(f"\n    {text}\n    {' ' * offset}^")


def test_a_caret_points_at_the_fault_and_all_faults_are_told() -> None:
    with pytest.raises(ConstraintError) as caught:
        constraints_from_dict({"amount": "<= 1,000", "currency": "=USD", "fine": "<=5", "bad[": 1})
    text = str(caught.value)
    assert "    <= 1,000\n       ^" in text
    assert "currency: " in text
    assert "bad[: " in text
    assert "fine" not in text
