"""Learning a policy: what is written allows what happened, little more, and never more than its upper bound."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import Policy, parse_manifest
from amla_capabilities.compare import widened
from amla_capabilities.learn import Call, Learned, LearnError, Style, learn, read_calls

BASE = """
[sandbox]
timeout = "5s"
[env]
MODE = "test"
[tools.pay]
command = ["pay", "{amount}", "{to}", "{pin}"]
stdin = "memo"
secret = ["pin"]
params.amount = { type = "integer" }
params.to = { type = "string" }
params.memo = { type = "string", optional = true }
params.pin = { type = "string", default = "0" }
max_calls = 50
[tools.unused]
command = ["unused"]
allow = true
[mcp.git]
command = ["git-mcp"]
[mcp.other]
command = ["other-mcp"]
[[capabilities]]
method = "pay"
constraints = { amount = "<=1000" }
approval = "ask"
total = { amount = "<=4000" }
expires = 2040-01-01T00:00:00Z
rate = "30/minute"
[[capabilities]]
method = "git/*"
[[mounts]]
host = "data"
guest = "/workspace/data"
[[tests]]
call = "pay"
args = { amount = 5000, to = "a" }
expect = "deny"
[[tests]]
call = "pay"
args = { amount = 900, to = "zoe" }
expect = "ask"
[[tests]]
call = "unused"
args = { x = 1 }
expect = "deny"
"""


def made(*arguments: dict[str, Any], tool: str = "pay", run: str = "") -> list[Call]:
    return [Call(tool, each, run) for each in arguments]


def pays(*amounts: int, to: str = "ann") -> list[Call]:
    return made(*({"amount": amount, "to": to, "pin": "(secret)"} for amount in amounts))


def constraints(learned: Learned, n: int = 0) -> dict[str, Any]:
    """As written, of one capability."""
    found: dict[str, Any] = tomllib.loads(learned.text)["capabilities"][n].get("constraints", {})
    return found


def learned_from(*values: Any, style: Style | None = None) -> Any:
    """What is learned of a parameter from its values."""
    return constraints(learn(made(*({"p": value} for value in values)), style=style or Style())).get("p")


# Records


def test_calls_of_an_audit_log() -> None:
    records = [
        {"type": "run", "run": "1", "script": "a.js"},
        {"type": "call", "run": "1", "call": 1, "tool": "pay", "arguments": {"amount": 1}, "verdict": "allowed"},
        {"type": "result", "run": "1", "call": 1, "tool": "pay", "outcome": "ok"},
        {"type": "refused", "run": "1", "call": 2, "tool": "pay", "arguments": {"amount": 9}, "outcome": "denied"},
        {"type": "call", "run": "1", "tool": "pay", "arguments": None, "beginning": "{", "verdict": "allowed"},
        {"type": "end", "run": "1", "exit_code": 0},
    ]
    trace = read_calls(records)
    assert trace.calls == [Call("pay", {"amount": 1}, "1")]
    assert dict(trace.left_out) == {"refused": 1, "cut short": 1}


def test_records_of_any_other_kind() -> None:
    trace = read_calls(
        [
            {"tool": "mcp:pay", "arguments": {}, "verdict": "allow"},
            {"tool": "pay", "arguments": {}, "verdict": "denied"},
            {"tool": "pay", "arguments": {}, "verdict": "ask"},
        ]
    )
    assert trace.calls == [Call("pay", {}, "")]
    assert trace.left_out["refused"] == 2


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"tool": "x"},
        {"tool": "x", "arguments": {}},
        {"tool": "x", "arguments": [], "verdict": "allowed"},
        {"tool": "x", "arguments": {}, "verdict": "maybe"},
        {"tool": "a//b", "arguments": {}, "verdict": "allowed"},
    ],
)
def test_what_is_no_record_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="record 1"):
        read_calls([record])


# Spelling


def test_numbers_strings_and_the_rest() -> None:
    assert learned_from(5) == 5
    assert learned_from(5, 9, 7) == [">=5", "<=9"]
    assert learned_from(0.5, 2) == [">=0.5", "<=2"]
    assert learned_from(5, 9, style=Style(ranges=False)) == [5, 9]
    assert learned_from("b", "a") == ["b", "a"]
    assert learned_from(True) is True
    assert learned_from(True, False) == [True, False]
    assert learned_from(None) == "== null"
    assert learned_from({"a": 1}) == {"eq": {"a": 1}}
    assert learned_from([1, 2]) == {"eq": [1, 2]}
    assert learned_from(5, "a", None) == {"any_of": [5, "a", "== null"]}


def test_strings_that_look_like_comparisons_are_themselves() -> None:
    assert learned_from("<=5") == {"eq": "<=5"}
    assert learned_from("<=5", "x") == {"is_in": ["<=5", "x"]}
    assert learned_from("startswith:a") == {"eq": "startswith:a"}


def test_many_strings_become_a_folder_a_host_or_a_beginning() -> None:
    many = range(11)
    assert learned_from(*(f"/data/{n}/x" for n in many)) == {"under": "/data"}
    assert learned_from(*(f"src/{n}.py" for n in many)) == {"starts_with": "src/"}
    assert learned_from(*(f"user-{n}" for n in many)) == {"starts_with": "user-"}
    assert learned_from(*(f"https://api.example.com/v1/{n}" for n in many)) == {
        "starts_with": "https://api.example.com/v1/"
    }
    assert learned_from(*(f"https://{c}.example.com/" for c in "abcdefghijk")) == {
        "host_in": [f"{c}.example.com" for c in "abcdefghijk"]
    }
    words = [f"{c}{n}" for c in "ab" for n in range(6)]
    assert learned_from(*words) == words, "without a common beginning nothing is made up"
    assert learned_from("/a/x", "/a/y", style=Style(enums=False)) == {"under": "/a"}
    assert learned_from(*(f"/data/{n}" for n in many), style=Style(prefixes=False)) == [f"/data/{n}" for n in many]


def test_a_beginning_never_ends_inside_a_host() -> None:
    """`https://api.` would admit every host that is called so."""
    values = [f"https://api.{c}.example/x y" for c in "abcdefghijk"]  # no plain addresses, so host_in does not hold
    assert learned_from(*values) == values


def test_a_folder_with_dot_segments_is_no_folder() -> None:
    values = [f"/data/../{n}" for n in range(11)]
    assert learned_from(*values) == values


def test_a_parameter_that_is_not_always_there() -> None:
    learned = learn(made({"a": 1}, {"a": 2, "b": "x"}, {"a": 3, "b": None}))
    assert constraints(learned) == {
        "a": [">=1", "<=3"],
        "b": {"any_of": ["x", "== null"], "optional": True},
    }


def test_what_is_inside() -> None:
    learned = learn(made({"o": {"k": 1, "z": None}, "l": [1, 2]}, {"o": {"k": 5, "z": None}, "l": [3]}))
    assert constraints(learned) == {
        "o": {"length": 2},
        "o.k": [">=1", "<=5"],
        "o.z": "== null",
        "l": {"length": [">=1", "<=2"]},
        "l[*]": [">=1", "<=3"],
    }


def test_exact_calls_are_entries_with_counts() -> None:
    calls = made({"a": 1, "b": [None, {}]}, {"a": 2, "b": []}, {"a": 1, "b": [None, {}]})
    learned = learn(calls, style=Style(exact=True))
    entries = tomllib.loads(learned.text)["capabilities"]
    assert [(entry["max_calls"], entry["note"]) for entry in entries] == [
        (2, "learned from 2 calls; different values: a 1, b 1"),
        (1, "learned from 1 call"),
    ]
    policy = learned.manifest.policy()
    for arguments in ({"a": 1, "b": []}, {"a": 2, "b": [None]}, {"a": 1, "b": [None, {"x": 1}]}, {"a": 1}):
        assert not policy.check("pay", arguments).allowed
    assert policy.check("pay", {"a": 2, "b": []}).allowed


# Declarations


def test_tools_come_from_the_base_with_their_limits() -> None:
    base = parse_manifest(BASE)
    learned = learn([*pays(5, 900), *made({"n": 3}, tool="git/log")], base=base)
    data = tomllib.loads(learned.text)
    original = tomllib.loads(BASE)
    assert data["tools"] == {"pay": original["tools"]["pay"]}
    assert data["mcp"] == {"git": original["mcp"]["git"]}
    assert (data["sandbox"], data["env"], data["mounts"]) == tuple(original[k] for k in ("sandbox", "env", "mounts"))
    refused = [{**test, "expect": "deny"} for test in original["tests"][:2]]
    assert data["tests"] == refused, "tests of calls that are refused still hold"
    first, second = data["capabilities"]
    assert (first["approval"], first["total"], first["rate"]) == ("ask", {"amount": "<=905"}, "30/minute")
    assert first["expires"] == original["capabilities"][0]["expires"]
    assert second["constraints"] == {"n": 3, "": {"length": 1}}, "the schema of a server's tool is not known"
    assert widened(base, learned.manifest) == []


def test_an_own_grant_is_taken_away() -> None:
    learned = learn(made({}, tool="unused"), base=parse_manifest(BASE))
    assert learned.manifest.tools["unused"].granted is False
    policy = learned.manifest.policy()
    assert policy.authorize("unused", {}).allowed
    assert not policy.authorize("unused", {}).allowed


def test_secrets_are_left_open_and_what_was_not_given_is_closed() -> None:
    learned = learn(pays(5), base=parse_manifest(BASE))
    assert constraints(learned) == {"amount": 5, "to": "ann", "pin": {"exists": True}, "memo": {"exists": False}}
    policy = learned.manifest.policy()
    assert policy.check("pay", {"amount": 5, "to": "ann", "pin": "9"}).verdict == "needs-approval"
    assert not policy.check("pay", {"amount": 5, "to": "ann", "pin": "9", "memo": "m"}).needs_approval


def test_a_masked_argument_does_not_hide_which_grant_it_was() -> None:
    """The log says which capability decided; its approval is kept, and the total of a secret as it was."""
    base = parse_manifest(
        '[tools.f]\ncommand = ["f", "{pin}"]\nparams.pin = { type = "integer" }\nsecret = ["pin"]\n'
        '[[capabilities]]\nmethod = "f"\nconstraints = { pin = "<=5" }\n'
        '[[capabilities]]\nmethod = "f"\nconstraints = { pin = ">5" }\napproval = "ask"\ntotal = { pin = "<=90" }\n'
    )
    learned = learn([Call("f", {"pin": "(secret)"}, "", 1)], base=base)
    (entry,) = tomllib.loads(learned.text)["capabilities"]
    assert (entry["approval"], entry["total"]) == ("ask", {"pin": "<=90"})


def test_an_unknown_tool_is_a_stub_that_says_so() -> None:
    learned = learn(made({"a": 1, "b": "x"}, {"a": 1.5}, tool="my/tool"))
    assert learned.stubs == ("my/tool",)
    table = tomllib.loads(learned.text)["tools"]["my/tool"]
    assert table["python"] == "replace_me:my_tool"
    assert table["description"].startswith("STUB")
    assert table["params"] == {"a": {"type": "number"}, "b": {"type": "string", "optional": True}}


def test_a_masked_value_is_never_learned_as_a_text() -> None:
    with pytest.raises(LearnError, match="masks pin"):
        learn(made({"pin": "(secret)"}))
    with pytest.raises(LearnError, match="masks o"):
        learn(made({"o": [{"pin": "(secret)"}]}))


def test_an_open_schema_is_closed_by_the_number_of_arguments() -> None:
    base = parse_manifest('[tools.f]\npython = "m:f"\nallow = true\n')
    learned = learn(made({"a": 1}, {"a": 2, "b": 3}, tool="f"), base=base)
    assert constraints(learned)[""] == {"length": [">=1", "<=2"]}
    assert not learned.manifest.policy().check("f", {"a": 1, "b": 3, "c": 1}).allowed
    closed = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": False}
    known = learn(made({"a": 1}, {"a": 2, "b": 3}, tool="f"), base=base, schemas={"f": closed})
    assert constraints(known)["c"] == {"exists": False}
    assert "" not in constraints(known)


# Laws


def test_calls_that_one_entry_covers_are_counted_there() -> None:
    """Two capabilities of the base, one range that reaches over both: the first that fits decides."""
    base = parse_manifest(
        '[tools.f]\ncommand = ["f", "{a}"]\nparams.a = { type = "integer" }\n'
        '[[capabilities]]\nmethod = "f"\nconstraints = { a = { any_of = ["<=2", ">=8"] } }\n'
        '[[capabilities]]\nmethod = "f"\n'
    )
    learned = learn(made(*({"a": a} for a in (1, 9, 5, 5)), tool="f"), base=base)
    assert [entry["max_calls"] for entry in tomllib.loads(learned.text)["capabilities"]] == [4]


def test_what_the_base_refuses_is_said() -> None:
    with pytest.raises(LearnError, match="although it happened"):
        learn(pays(*range(51)), base=parse_manifest(BASE))  # its table allows 50
    each = [call._replace(run=str(call.arguments["amount"])) for call in pays(*range(51))]
    assert learn(each, base=parse_manifest(BASE)), "runs have budgets of their own"


def test_nothing_to_learn_from() -> None:
    with pytest.raises(LearnError, match="no call"):
        learn([])


def test_what_toml_cannot_hold_is_said() -> None:
    with pytest.raises(LearnError):
        learn(made({"a": "\ud800"}))
    with pytest.raises(LearnError):
        learn(made({"a": float("nan")}))


_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**20), 10**20),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
        st.sampled_from(["<=1", "startswith:a", "/a/b", "/a/../b", "https://a.example/x", "true", "== null", ""]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["k", "", "a.b", "[x]"]), inner, max_size=3)
    ),
    max_leaves=5,
)
_ARGUMENTS = st.dictionaries(st.sampled_from(["p", "q", "a.b", "é"]), _JSON, max_size=3)
_STYLES = st.one_of(st.just(Style(exact=True)), st.builds(Style, st.just(False), *[st.booleans()] * 3))


@given(st.lists(_ARGUMENTS, min_size=1, max_size=6), _STYLES)
def test_what_is_learned_allows_what_happened(arguments: list[dict[str, Any]], style: Style) -> None:
    """It reads back equal, and allows the calls once and not twice."""
    learned = learn(made(*arguments), style=style)
    assert parse_manifest(learned.text).policy().capabilities
    policy = learned.manifest.policy()
    assert all(policy.authorize("pay", each).allowed for each in arguments)
    assert not any(policy.authorize("pay", each).allowed for each in arguments)


@given(st.lists(_ARGUMENTS, min_size=1, max_size=4), _ARGUMENTS)
def test_exact_allows_nothing_else(arguments: list[dict[str, Any]], other: dict[str, Any]) -> None:
    learned = learn(made(*arguments), style=Style(exact=True))
    keys = {name for each in arguments for name in each}
    same_number = any(_plain(each) == _plain(other) for each in arguments)
    if keys <= set(other) and not same_number and all(set(each) == set(other) for each in arguments):
        assert not learned.manifest.policy().check("pay", other).allowed


def _plain(value: Any) -> Any:
    """A value in which equal numbers are one."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (type(value).__name__, value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else ("number", value)


_ANY = '[[capabilities]]\nmethod = "f"\n'
_TOTAL = 'a = { ge = 0, le = 7 }, b = { starts_with = "x", optional = true }'
_BASES = st.sampled_from(
    [
        _ANY,
        f'[[capabilities]]\nmethod = "*"\nconstraints = {{ a = "<=5" }}\nmax_calls = 9\n{_ANY}approval = "ask"\n',
        f'[[capabilities]]\nmethod = "**"\nconstraints.b = ["x", "y"]\n{_ANY}total.a = "<=30"\nconstraints = {{ {_TOTAL} }}',
        f'{_ANY}rate = "3/minute"\nexpires = 2040-01-01T00:00:00Z\n',
    ]
)
_CALLED = st.lists(
    st.fixed_dictionaries({"a": st.integers(0, 9)}, optional={"b": st.sampled_from(["x", "xx", "y", "z"])}), max_size=6
)


@given(_BASES, _CALLED)
def test_exact_calls_are_within_what_allowed_them(grants: str, called: list[dict[str, Any]]) -> None:
    """Whatever happened under a base is proved to lie within it."""
    text = (
        '[tools.f]\npython = "m:f"\nparams.a = { type = "integer" }\nparams.b = { type = "string", optional = true }\n'
    )
    base = parse_manifest(text + grants)
    policy: Policy = base.policy()
    calls = [Call("f", each) for each in called if policy.authorize("f", each, approved=True).allowed]
    if calls:
        learned = learn(calls, base=base, style=Style(exact=True))
        assert [str(finding) for finding in widened(base, learned.manifest)] == []


def test_notes_count_calls_and_values() -> None:
    learned = learn(made({"a": 1, "b": "x"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}))
    (entry,) = tomllib.loads(learned.text)["capabilities"]
    assert entry["note"] == "learned from 3 calls; different values: a 2, b 2"
    assert json.dumps(entry)
