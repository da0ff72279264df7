"""Scripts made at random from pieces that change, hide and pass on values: a run does what was said of its calls."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amla_sandbox import Sandbox, find_calls

sys.path.insert(0, str(Path(__file__).parent / "sites"))
from sites_file import ANY, Call, covers, recording

EXAMPLES = int(os.environ.get("AMLA_EXAMPLES", "50"))

NAMES = st.sampled_from(["a", "b", "c"])
WORDS = st.sampled_from(["1", "2", "'x'", "true", "null"])

# --- JavaScript -----------------------------------------------------------------------------

JS_VALUES = st.recursive(
    st.one_of(WORDS, NAMES),
    lambda inner: st.one_of(
        st.builds("{{ k: {} }}".format, inner),
        st.builds("{{ k: {}, ...{} }}".format, inner, inner),
        st.builds("{{ ...{}, m: {} }}".format, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("({} ? {} : {})".format, NAMES, inner, inner),
        st.builds("({} && {})".format, NAMES, inner),
        st.builds("({} ?? {})".format, NAMES, inner),
        st.builds("({} + {})".format, WORDS, inner),
        st.builds("`${{{}}}`".format, WORDS),
        st.builds("`p${{{}}}q`".format, inner),
        st.builds("('p' + {})".format, inner),
        st.builds("({} + 'q')".format, inner),
        st.builds("Object.freeze({})".format, inner),
        st.builds("{}?.k".format, NAMES),
        st.builds("{}?.k?.k".format, NAMES),
        st.builds("(() => {})()".format, WORDS),
    ),
    max_leaves=5,
)
JS_STATEMENTS = st.one_of(
    st.builds("if ({}) {{ var d = {}; }}".format, NAMES, JS_VALUES),
    st.builds("try {{ {} = {}; }} catch {{}}".format, NAMES, JS_VALUES),
    st.builds("try {{ {}.k = {}; }} catch {{}}".format, NAMES, JS_VALUES),
    st.builds("try {{ {}.k.k = {}; }} catch {{}}".format, NAMES, JS_VALUES),
    st.builds("try {{ Object.assign({}, {}); }} catch {{}}".format, NAMES, JS_VALUES),
    st.builds("try {{ delete {}.k; }} catch {{}}".format, NAMES),
    st.builds("try {{ {}.push({}); }} catch {{}}".format, NAMES, JS_VALUES),
    st.builds("((x) => {{ try {{ x.k = 9; }} catch {{}} }})({});".format, NAMES),
    st.builds("try {{ ({{ k: {} }} = {}); }} catch {{}}".format, NAMES, NAMES),
    st.builds("try {{ for (const x of {}) x.k = 8; }} catch {{}}".format, NAMES),
    st.builds("if ({}) {{ try {{ {}.m = 7; }} catch {{}} }}".format, NAMES, NAMES),
    st.builds("{{ const {} = {}; try {{ await ping({{ v: {} }}); }} catch {{}} }}".format, NAMES, WORDS, NAMES),
    st.builds("try {{ await ping({}); }} catch {{}}".format, NAMES),
    st.builds("console.log({});".format, NAMES),
    st.builds("try {{ {}.forEach((x) => x); }} catch {{}}".format, NAMES),
)
JS_DECLARED = st.builds(
    lambda kinds, values: [f"{kind} {name} = {value};" for name, kind, value in zip("abc", kinds, values, strict=True)],
    st.tuples(*[st.sampled_from(["const", "let", "const", "let"])] * 3),
    st.tuples(WORDS, JS_VALUES, JS_VALUES),
)
JS_SCRIPTS = st.builds(
    lambda declared, before, value, after: "\n".join(
        ["var d = 1;", *declared, *before, f"try {{ await pay({{ v: {value}, w: a, b, d }}); }} catch {{}}", *after]
    ),
    JS_DECLARED,
    st.lists(JS_STATEMENTS, max_size=4),
    JS_VALUES,
    st.lists(JS_STATEMENTS, max_size=2),
)

# --- the shell ------------------------------------------------------------------------------

SH_WORDS = st.recursive(
    st.sampled_from(
        ["1", "x", '"y z"', "'q'", "$a", '"$b"', '"${c}"', '"$1"', "*", "{1,2}", '"$(echo s)"', "$((1 + 2))"]
    ),
    lambda inner: st.builds("{}{}".format, inner, inner),
    max_leaves=2,
)
SH_STATEMENTS = st.recursive(
    st.one_of(
        st.builds("{}={}".format, NAMES, SH_WORDS),
        st.builds("export {}={}".format, NAMES, SH_WORDS),
        st.builds("readonly {}={}".format, NAMES, SH_WORDS),
        st.builds("unset {}".format, NAMES),
        st.builds("read -r {} <<< {}".format, NAMES, SH_WORDS),
        st.builds("{}+={}".format, NAMES, SH_WORDS),
        st.builds("{}={} true".format, NAMES, SH_WORDS),
        st.builds("eval {}=9".format, NAMES),
        st.builds("(({} = 4))".format, NAMES),
        st.builds("IFS={}".format, st.sampled_from(["x", "1", "y"])),
        st.builds("local {}={}".format, NAMES, SH_WORDS),
        st.builds("tool ping --v {}".format, SH_WORDS),
        st.just("set -- k l"),
    ),
    lambda inner: st.one_of(
        st.builds("{{ {}; }}".format, inner),
        st.builds("( {} )".format, inner),
        st.builds("f() {{ {}; }}".format, inner),
        st.builds("{}; f".format, inner),
        st.builds("if true; then {}; fi".format, inner),
        st.builds("false && {}".format, inner),
        st.builds("true && {}".format, inner),
        st.builds("for {} in 1 2; do {}; done".format, NAMES, inner),
        st.builds("{} | cat".format, inner),
    ),
    max_leaves=3,
)
SH_SCRIPTS = st.builds(
    lambda before, words, after: "\n".join([*before, "tool pay " + " ".join(words), *after]),
    st.lists(SH_STATEMENTS, min_size=1, max_size=5),
    st.lists(st.builds("{}{}".format, st.sampled_from(["--v ", "--w=", "--v="]), SH_WORDS), max_size=3),
    st.lists(SH_STATEMENTS, max_size=2),
)


TOOLS = {"pay": ANY, "ping": ANY}
TEXTS = {"pay": {**ANY, "properties": {"v": {"type": "string"}}}, "ping": ANY}
Recorded = tuple[Sandbox, list[Call], dict[str, Any]]


@pytest.fixture(scope="module", name="recorded", params=[TOOLS, TEXTS], ids=["any values", "texts"])
def fixture_recorded(request: pytest.FixtureRequest) -> Iterator[Recorded]:
    sandbox, calls = recording(request.param)
    with sandbox:
        yield sandbox, calls, request.param


def check(script: str, language: str, recorded: Recorded) -> None:
    sandbox, calls, tools = recorded
    found = find_calls(script, "script", language, tools)
    assert found.error is None
    calls.clear()
    sandbox.run(script, language=language)
    for tool, arguments in calls:
        assert any(covers(site, tool, arguments) for site in found.sites), (tool, arguments)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=JS_SCRIPTS)
def test_javascript_does_what_was_said(script: str, recorded: Recorded) -> None:
    check(script, "javascript", recorded)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=SH_SCRIPTS)
def test_the_shell_does_what_was_said(script: str, recorded: Recorded) -> None:
    check(script, "shell", recorded)
