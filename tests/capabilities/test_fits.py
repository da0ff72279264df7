"""Whether a call may be one of a site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from amla_capabilities.check import CallSite, OpenText, fits

ANY_NAME = (OpenText("name", "x", "y"),)


def site(arguments: Mapping[str, Any] | None, *opened: str, texts: tuple[OpenText, ...] = ()) -> CallSite:
    return CallSite("t", arguments, opened, 1, 1, 1, 2, "t()", texts=texts)


@pytest.mark.parametrize(
    ("one", "arguments", "expected"),
    [
        (site({"a": 1}), {"a": 1}, True),
        (site({"a": 1}), {"a": 1.0}, True),
        (site({"a": 1}), {"a": "1"}, False),
        (site({"a": 1}), {}, False),
        (site({"a": 1}), {"a": 1, "default": 2}, True),
        (site({}, "a"), {}, True),
        (site({}, "a"), {"a": [1]}, True),
        (site({"b": 2}, "a"), {"a": 1, "b": 3}, False),
        (site(None, ""), {"a": 1}, True),
        (site({"a": {"b": 1}}), {"a": {"b": 1, "default": 2}}, True),
        (site({"a": {"b": 1}}), {"a": {"b": 2}}, False),
        (site({"a": {"b": 1}}), {"a": [1]}, False),
        (site({"a": [1, 2]}), {"a": [1, 2]}, True),
        (site({"a": [1, 2]}), {"a": [1, 2, 3]}, False),
        (site({"a": [1, 2]}), {"a": [1]}, False),
        (site({"a": [1, None]}, "a[1]"), {"a": [1, 7]}, True),
        (site({"a": [1, None]}, "a[1]"), {"a": [2, 7]}, False),
        (site({"a": [1]}, "a"), {"a": [1, 7]}, True),
        (site({"a": [1]}, "a"), {"a": {"0": 1}}, False),
        (site({}, "name", texts=ANY_NAME), {"name": "x-y"}, True),
        (site({}, "name", texts=ANY_NAME), {"name": "xz"}, False),
        (site({}, "name", texts=ANY_NAME), {"name": 5}, False),
        (site({}, "name", texts=ANY_NAME), {}, False),
        (site({}, "name", texts=ANY_NAME), {"name": "[secret]"}, True),
        (site({"a": 1}), {"a": "[secret]"}, True),
        (site({"a": {"b": 1}}), {"a": "[secret]"}, True),
    ],
)
def test_a_call_fits_a_site_that_may_have_made_it(one: CallSite, arguments: dict[str, Any], expected: bool) -> None:
    assert fits(one, arguments, mask="[secret]") is expected
