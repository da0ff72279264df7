"""Tool names: canonical paths and the spellings that reach them."""

from __future__ import annotations

import pytest

from amla_capabilities import ToolNameError, ToolNames, canonical_name, identifier, js_name, mcp_segment


def test_r19_every_documented_spelling_reaches_its_tool() -> None:
    """Dotted, slashed, `mcp:` and `_` for `-` all mean the declared tool."""
    names = ToolNames(["stripe/charges/create", "my-tool", "x/a-b/c-d"])
    for spelling in (
        "stripe/charges/create",
        "stripe.charges.create",
        "mcp:stripe/charges/create",
        "mcp:stripe.charges.create",
    ):
        assert names.resolve(spelling) == "stripe/charges/create"
    assert names.resolve("my_tool") == names.resolve("my-tool") == "my-tool"
    assert names.resolve("x.a_b.c-d") == "x/a-b/c-d"


def test_r19_nothing_else_reaches_a_tool() -> None:
    """A spelling that is not declared is unknown, even if it would become a known identifier."""
    names = ToolNames(["my-tool", "a/b"])
    assert names.resolve("my+tool") is None
    assert names.resolve("a") is None
    assert names.resolve("a/b/c") is None
    assert names.resolve("A/b") is None


@pytest.mark.parametrize(
    "name",
    ["", "/", "a//b", "/a", "a/", ".", "..", "a/../b", "a.b/c", "a:b", "mcp:mcp:a", "a*", "a\u200bb", "a\nb", "a\x00b",
     "a\u202eb", "a\ud800b", "a\ue000b", "a\u2028b", "a\u0378b", "x" * 600, "/".join("abcdefghijklmn")],
)  # fmt: skip
def test_r19_malformed_names_are_refused(name: str) -> None:
    with pytest.raises(ToolNameError):
        canonical_name(name)
    if name not in (".", "a/../b"):
        with pytest.raises(ToolNameError):
            ToolNames(["a"]).resolve(name)


def test_r19_names_are_compared_after_nfc() -> None:
    assert canonical_name("cafe\u0301") == "caf\u00e9"
    assert ToolNames(["caf\u00e9"]).resolve("cafe\u0301") == "caf\u00e9"


@pytest.mark.parametrize(
    ("first", "second"), [("my-tool", "my_tool"), ("a/b-c", "a/b_c"), ("a-b", "a+b"), ("x", "mcp:x"), ("2fa", "_2fa")]
)
def test_r19_spellings_that_merge_are_a_fault(first: str, second: str) -> None:
    with pytest.raises(ToolNameError, match=r"would both answer to|declared twice"):
        ToolNames([first, second])


def test_names_of_globals_quotes_and_spaces_are_usable() -> None:
    names = ToolNames(["console", "__proto__", "constructor", "it's", "two words", "日本/語"])
    for path in names:
        assert names.resolve(path) == path
    assert names.resolve("two_words") == "two words"


def test_identifier_and_js_name() -> None:
    assert identifier("my-tool") == "my_tool"
    assert identifier("2fa") == "_2fa"
    assert js_name("stripe/charge-backs/list") == "stripe.charge_backs.list"


def test_r19_an_mcp_name_is_one_segment() -> None:
    assert mcp_segment("search") == "search"
    for bad in ("a/b", "a.b", ""):
        with pytest.raises(ToolNameError):
            mcp_segment(bad)


def test_three_thousand_tools_and_a_nearest_one() -> None:
    names = ToolNames(f"group{n % 30}/tool-{n}" for n in range(3000))
    assert len(names) == 3000
    assert names.resolve("group7.tool_37") == "group7/tool-37"
    assert ToolNames(["stripe/charges/create"]).nearest("stripe.charges.crate") == "stripe/charges/create"
