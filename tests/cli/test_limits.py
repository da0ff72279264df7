"""The limits as options: one for each row of their table, read as people write them."""

from __future__ import annotations

import pytest
from cli_process import Amla

from amla_capabilities import Limits, parse_manifest
from amla_cli._limits import limit_flag, limit_options, limits_of
from amla_cli._outcome import CliError


def test_each_limit_has_its_option_with_its_default(amla: Amla) -> None:
    text = " ".join(amla("run", "--help", env={"COLUMNS": "200"}).out.decode().split())
    assert [parameter.name for parameter in limit_options()] == [spec.name for spec in Limits.specs()]
    for spec in Limits.specs():
        assert limit_flag(spec.name) in text
        assert f"{spec.about} ({spec.format(spec.default)})" in text


def test_the_stricter_manifest_counts_and_the_line_decides() -> None:
    first = parse_manifest('[sandbox]\ntimeout = "10s"\nmax_calls = 0\n')
    second = parse_manifest('[sandbox]\ntimeout = "20s"\nmax_calls = 5\n')
    limits = limits_of([first, second], {})
    assert (limits.timeout, limits.max_calls, limits.memory) == (10, 5, Limits().memory)
    assert limits_of([first, second], {"timeout": "1m"}).timeout == 60


@pytest.mark.parametrize(("name", "text"), [("timeout", "5"), ("memory", "lots"), ("max_calls", "-1"), ("cpu", "nan")])
def test_a_bad_limit_names_its_option(name: str, text: str) -> None:
    with pytest.raises(CliError, match=limit_flag(name)):
        limits_of([], {name: text})
