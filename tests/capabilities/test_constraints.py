"""What constraints mean, value by value."""

from __future__ import annotations

import math
import time
from decimal import Decimal
from typing import Any

import pytest

from amla_capabilities import (
    Constraint,
    ConstraintError,
    ConstraintSet,
    MissingParamError,
    Param,
    TypeMismatchError,
    ViolationError,
)

P = Param("x")
DEEP = "a\u0300"

# Each row: a constraint on x, and values for which it is true, false, and a fault. A missing x is always a fault.
TABLE: list[tuple[Constraint, list[Any], list[Any], list[Any]]] = [
    (P <= 10, [10, 9.5, -(10**399), 0.1], [11, 10.000001, 1e308], [True, "5", None, [5], math.nan, math.inf, 10**400]),
    (P < 10, [9], [10, 10.0], [False, "9", -math.inf]),
    (P >= 0.1, [0.1, 1], [0.09, 0], ["1", None]),
    (P > 0, [1], [0, -0.0], [True]),
    (P == 5, [5, 5.0], [6, 5.1], ["5", True, None, [5]]),
    (P == "a", ["a"], ["A", "a ", "á"], [1, None, ["a"]]),
    (P == "\u00e9", ["\u00e9"], ["e\u0301"], []),
    (P == True, [True], [False], [1, "true", None]),  # noqa: E712
    (P == None, [None], [0, "", False], []),  # noqa: E711
    (P != None, [0, "", False], [None], []),  # noqa: E711
    (P != "admin", ["user"], ["admin"], [1, ["admin"], None]),
    (P == [1, {"a": 2}], [[1, {"a": 2.0}]], [[1], [1, {"a": True}]], [1, [math.nan]]),
    (P.is_in(["USD", "EUR"]), ["USD"], ["usd", "GBP"], [1, None, ["USD"]]),
    (P.is_in([1, 2]), [1, 1.0], [3], [True, "1"]),
    (P.not_in(["admin"]), ["user"], ["admin"], [["admin"], 1, True, None]),
    (P.starts_with("ab"), ["ab", "abc"], ["Abc", ""], [1, None, ["ab"]]),
    (P.ends_with(".txt"), ["a.txt"], ["a.txt.exe"], [1]),
    (P.contains("b"), ["abc", ["b"]], ["ac", ["B", 1]], [1, {"b": 1}, None]),
    (P.contains(1), [[1], [1.0]], [[True, "1"]], ["1", 1]),
    (P.exists(), [0, None, ""], [], []),
    (P.is_type("integer"), [1, 1.0], [1.5, True, "1", None], [math.nan]),
    (P.is_type("number"), [1, 1.5], [True, "1"], [math.inf]),
    (P.is_type("boolean"), [True], [1], []),
    (P.length <= 2, ["ab", [1, 2], {"a": 1}, "\U0001f600\U0001f600"], ["abc", [1, 2, 3]], [2, None, True]),
    (Param("x[*]") <= 5, [[1, 5], []], [[1, 9], [9, "a"]], [["1"], [1, None], 5, {"0": 1}]),
    (P.each((Param() <= 5) | (Param() == "none")), [[1, "none"], []], [], [[9], ["x"], 1]),
    (Param("x[0].y") == 1, [[{"y": 1}], [{"y": 1}, 2]], [[{"y": 2}]], [[], [{}], {}, [1]]),
]


@pytest.mark.parametrize(("constraint", "true", "false", "fault"), TABLE, ids=lambda value: str(value)[:40])
def test_r11_leaves_are_true_false_or_fault(
    constraint: Constraint, true: list[Any], false: list[Any], fault: list[Any]
) -> None:
    """Only true allows; a fault stays a fault under negation."""
    for values, verdict in ((true, True), (false, False), (fault, None)):
        for value in values:
            assert constraint.verdict({"x": value}) is verdict, value
            assert (~constraint).verdict({"x": value}) is {True: False, False: True, None: None}[verdict], value
            assert (constraint.check({"x": value}) is None) is (verdict is True)


@pytest.mark.parametrize("constraint", [row[0] for row in TABLE if "exists" not in str(row[0])], ids=str)
def test_r11_a_missing_parameter_is_a_fault(constraint: Constraint) -> None:
    assert constraint.verdict({}) is None
    assert not (~constraint).holds({})
    assert not constraint.holds({"X": 1})


def test_r11_exists_and_not_exists() -> None:
    assert P.not_exists().verdict({}) is True
    assert P.not_exists().verdict({"x": None}) is False
    assert P.exists().verdict({}) is False
    assert Param("a.b").exists().verdict({"a": "text"}) is None
    assert Param("a.b").not_exists().verdict({}) is True


def test_r11_optional_holds_when_missing_in_both_polarities() -> None:
    optional = Param("x", optional=True) <= 5
    assert optional.holds({})
    assert (~optional).holds({})
    assert not optional.holds({"x": 6})
    assert not optional.holds({"x": None})
    assert not optional.holds({"x": "5"})


def test_r11_when_demands_only_where_the_condition_holds() -> None:
    rule = (Param("amount") <= 10).when(Param("kind") == "cash")
    assert rule.holds({"kind": "card"})
    assert rule.holds({"kind": "cash", "amount": 5})
    assert not rule.holds({"kind": "cash", "amount": 50})
    assert not rule.holds({"kind": 7, "amount": 50})
    assert rule.holds({"amount": 5})
    assert not rule.holds({"amount": 50})


def test_r11_every_element_must_hold() -> None:
    rule = Param("items[*].price") <= 5
    assert rule.holds({"items": [{"price": 1}, {"price": 5}]})
    assert not rule.holds({"items": [{"price": 1}, {}]})
    assert (~rule).verdict({"items": [{"price": 9}, {}]}) is True  # strong Kleene: one false element decides
    assert (~rule).verdict({"items": [{"price": 1}, {}]}) is None


def test_r12_a_constraint_has_no_truth_value() -> None:
    for attempt in (
        lambda: 100 <= P <= 1000,
        lambda: (P >= 1) and (P <= 2),
        lambda: (P >= 1) or (P <= 2),
        lambda: not (P >= 1),
        lambda: bool(P),
        lambda: Param("y") == P,
        lambda: Param("y") >= P,
    ):
        with pytest.raises(ConstraintError, match=r"& \| ~|truth value|constant"):
            attempt()


@pytest.mark.parametrize("bound", [math.nan, math.inf, -math.inf, True, "5", None, [5], 10**400, Decimal("Infinity")])
def test_r14_bounds_are_finite_numbers(bound: Any) -> None:
    with pytest.raises(ConstraintError):
        bound >= P  # noqa: B015


def test_r14_numbers_compare_as_their_shortest_decimals() -> None:
    assert (Decimal("0.1") >= P).holds({"x": 0.1})
    assert (P == 10**23).holds({"x": 1e23})  # the float's binary value is not 10**23
    assert not (P <= 2**53).holds({"x": 2**53 + 1})
    assert (P < 2**53 + 1).holds({"x": float(2**53)})
    assert not (P <= 10000).holds({"x": 10000.000000000002})
    assert (Decimal("1e3") <= P).to_dict()["value"] == 1000
    with pytest.raises(ConstraintError, match="digits"):
        Decimal("0.12345678901234567890") >= P  # noqa: B015


@pytest.mark.parametrize(
    "value",
    ["/api/../admin", "/api/x/..", "/api/./x", "/api/%2e%2e/x", "/api/%2E./x", "/api/%252e%252e/x", "/api/..%2fx",
     "/api/..\\x", "/api/..;/x", "/api/..?x", "/api/.\t./x", "/api/%25252525252e", "/api/.. /x", "/api/.%20./x",
     "/api/%u002e%u002e/x", "/api/%U002E./x", "/api/%25u002e./x", "/api/%c0%ae%c0%ae/x", "/api/%C0%2e/x", "/api/x%e0%80%af",
     "/api/.%00./x", "/api/..%00x", "/api/..\0", "/api/.\x1b./x", "/api/\uff0e\uff0e/x", "/api/..\uff0fx", "/api/\u2025/x",
     "/api/%ef%bc%8e%ef%bc%8e/x"],
)  # fmt: skip
def test_r16_starts_with_a_slash_refuses_dot_segments(value: str) -> None:
    """`/api/../x` is not below `/api/`, however it is written; nor does negation let it pass."""
    assert P.starts_with("/api/").verdict({"x": value}) is None
    assert not (~P.starts_with("/api/")).holds({"x": value})


def test_r16_ordinary_dots_are_fine() -> None:
    fine = (
        "/api/v1.2/file.tar.gz",
        "/api/...",
        "/api/a..b",
        "/api/.hidden",
        "/api/50% off.txt",
        "/api/caf%C3%A9 %28a%29.txt",
    )
    for value in (*fine, "/api/\u00e9t\u00e9.txt", "/api/%upper.txt", "/api/a.b c.d", "/api/\ud800"):
        assert P.starts_with("/api/").holds({"x": value})
    with pytest.raises(ConstraintError):
        P.starts_with("/api/../")


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("/workspace/reports", True),
        ("/workspace/reports/a/b.txt", True),
        ("/workspace/reports2", False),
        ("/workspace", False),
        ("workspace/reports/x", None),
        ("/workspace/reports/../x", None),
        ("/workspace/reports/./x", None),
        ("/workspace/reports//x", None),
        ("/workspace/reports/x/", None),
        ("/workspace\\reports", None),
        ("/workspace/reports/\0", None),
        (5, None),
    ],
)
def test_r16_under_is_lexical(value: Any, verdict: bool | None) -> None:
    assert P.under("/workspace/reports").verdict({"x": value}) is verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("https://api.example.com/v1?q=1#f", True),
        ("http://api.example.com", True),
        ("https://api.example.com:443/", True),
        ("https://api.example.com:8443/", True),
        ("https://api.example.com:8444/", False),
        ("http://api.example.com:443/", False),
        ("https://evil.example/", False),
        ("https://api.example.com.evil.example/", False),
        ("https://api.example.com@evil.example/", None),
        ("https://evil.example\\@api.example.com/", None),
        ("https://api.example.com./", None),
        ("https://API.example.com/", None),
        ("HTTPS://api.example.com/", None),
        ("https://api.example.com /", None),
        ("https://api.example.com/\n", None),
        ("https://api.example.com/é", None),
        ("ftp://api.example.com/", None),
        ("//api.example.com/", None),
        ("https://127.0.0.1/", None),
        ("https://0x7f/", None),
        ("https://2130706433/", None),
        ("https://[::1]/", None),
        ("https://a..b/", None),
        ("https://api.example.com:/", None),
    ],
)
def test_r17_host_in_reads_only_what_all_parsers_read_alike(value: str, verdict: bool | None) -> None:
    assert P.host_in(["api.example.com", "api.example.com:8443"]).verdict({"x": value}) is verdict


@pytest.mark.parametrize("host", ["API.example.com", "https://a.b", "a.b/", "127.0.0.1", "", "a.b.", 5])
def test_r17_hosts_are_plain_names(host: Any) -> None:
    with pytest.raises(ConstraintError):
        P.host_in([host])


@pytest.mark.parametrize(
    "expression",
    ["(", "a)|(b", "(?=a)b", "(?<=a)b", r"(a)\1", "(?x)a # b", "[", "((a{99}){99}){99}", "", "x" * 1001, 5],
)
def test_expressions_that_are_none_or_take_more_than_linear_time_are_refused(expression: Any) -> None:
    with pytest.raises(ConstraintError, match="x matches"):
        P.matches(expression)


def test_an_expression_matches_the_whole_text_in_linear_time() -> None:
    """Neither a newline at the end nor a flag inside gets around it, and `(a+)+b` ends."""
    for expression, whole, part in (
        ("a|b", "b", "ba"),
        ("(?m)a$", "a", "a\n"),
        ("(?i)é", "É", "éé"),
        (r"\d+", "12", "١٢"),
    ):
        assert P.matches(expression).holds({"x": whole})
        assert not P.matches(expression).holds({"x": part})
    start = time.process_time()
    assert not P.matches("(a+)+b").holds({"x": "a" * 200_000})
    assert time.process_time() - start < 5


def test_r18_dots_nest_and_brackets_quote() -> None:
    assert (Param("a.b") == 1).holds({"a": {"b": 1}})
    assert not (Param("a.b") == 1).holds({"a.b": 1})
    assert (Param('["a.b"]') == 1).holds({"a.b": 1})
    assert (Param('x["a.b"][0].c') == 1).holds({"x": {"a.b": [{"c": 1}]}})


@pytest.mark.parametrize(
    "path", ["a.", ".a", "a..b", "a[", "a[]", "a[-1]", "a[x]", "a]b", 'a["b]', " a", "a .b", 'a"b']
)
def test_malformed_paths_are_refused_with_a_caret(path: str) -> None:
    with pytest.raises(ConstraintError, match=r"\^"):
        Param(path)


def test_errors_say_what_and_why() -> None:
    limits = ConstraintSet([Param("amount") <= 10000])
    with pytest.raises(ViolationError, match=r"^amount 50000 violates amount <= 10000$"):
        limits.evaluate({"amount": 50000})
    with pytest.raises(MissingParamError, match=r"^amount is missing; amount <= 10000 needs it$"):
        limits.evaluate({})
    with pytest.raises(TypeMismatchError, match=r'^amount is the string "5"; amount <= 10000 needs a number$'):
        limits.evaluate({"amount": "5"})
    with pytest.raises(ViolationError, match=r"^items\[1\].price 9 violates items\[\*\].price <= 5$"):
        ConstraintSet([Param("items[*].price") <= 5]).evaluate({"items": [{"price": 1}, {"price": 9}]})
    either = (Param("a") <= 1) | (Param("b") == 2)
    failure = either.check({"a": 5, "b": 3})
    assert failure is not None
    assert failure.message == "none of the alternatives holds: a 5 violates a <= 1; b 3 violates b == 2"
    empty = (~(Param("a[*]") <= 1)).check({"a": []})
    assert empty is not None


def test_errors_are_builtins_too() -> None:
    assert issubclass(MissingParamError, KeyError)
    assert issubclass(TypeMismatchError, TypeError)
    assert issubclass(ViolationError, ValueError)
    assert str(MissingParamError("plain text")) == "plain text"


def test_messages_cut_long_values_and_escape_strange_ones() -> None:
    failure = (P == "short").check({"x": "\u202e\ud800" + "y" * 10_000})
    assert failure is not None
    assert len(failure.message) < 200
    assert failure.message.isascii() or "…" in failure.message
    assert "\u202e" not in failure.message


def test_constraints_and_sets_do_not_change() -> None:
    limits = ConstraintSet([P <= 1])
    with pytest.raises(AttributeError):
        limits.constraints = ()  # type: ignore[misc]
    with pytest.raises(ConstraintError, match="not a constraint"):
        ConstraintSet([P])  # type: ignore[list-item]
    with pytest.raises(ConstraintError, match="not a constraint"):
        ConstraintSet([True])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "constraint", [row[0] for row in TABLE] + [(P <= 1).when(P >= 0), ~((P < 1) & (P > 0)) | (P == 3)], ids=str
)
def test_serialised_constraints_read_back_equal(constraint: Constraint) -> None:
    assert Constraint.from_dict(constraint.to_dict()) == constraint


@pytest.mark.parametrize(
    "data",
    [{}, [], None, {"type": "lee", "param": "x", "value": 1}, {"type": "le", "param": "x"}, {"type": "le", "value": 1},
     {"type": "le", "param": "x", "value": 1, "extra": 1}, {"type": "exists", "param": "x", "value": 1},
     {"type": "all", "constraints": []}, {"type": "all", "constraints": "x"}, {"type": "not"},
     {"type": "le", "param": "x", "value": 1, "optional": 1}],
)  # fmt: skip
def test_nothing_unknown_is_read(data: Any) -> None:
    with pytest.raises(ConstraintError):
        Constraint.from_dict(data)


def test_equality_tells_one_from_true() -> None:
    assert (P == 1) != (P == True)  # noqa: E712
    assert hash(P <= 1) == hash(P <= 1)
