"""`amla init`: the starter manifest."""

from __future__ import annotations

import tomllib
from pathlib import Path

from cli_process import Amla

from amla_capabilities import load_manifest, parse_manifest
from amla_cli.commands.init import STARTER, starter_text


def test_what_is_written_reads_back_equal() -> None:
    assert tomllib.loads(starter_text()) == STARTER


def test_its_examples_are_valid_when_uncommented() -> None:
    """A reader who takes the comment signs away gets a manifest, not a list of faults."""
    lines = starter_text().split("\n")
    examples = [
        line.removeprefix("# ") for line in lines if line.startswith(("# [", "# http", "# par", "# meth", "# con"))
    ]
    python = ["[tools.get_weather]", 'python = "weather:get_weather"', "allow = true"]
    text = "\n".join(line for line in examples if line != "[tools.get_weather]")
    manifest = parse_manifest("\n".join(python) + "\n" + text)
    assert set(manifest.tools) == {"get_weather", "stripe/charges/create"}


def test_its_own_tests_hold(amla: Amla, tmp_path: Path) -> None:
    assert amla("init").status == 0
    manifest = load_manifest(tmp_path / "tools.toml")
    policy = manifest.policy()
    for test in manifest.tests:
        assert policy.check(test.call, test.args).allowed is (test.expect == "allow")


def test_it_replaces_only_by_force(amla: Amla, tmp_path: Path) -> None:
    file = tmp_path / "tools.toml"
    file.write_text("mine")
    ended = amla("init")
    assert (ended.status, file.read_text()) == (2, "mine")
    assert "--force" in ended.err
    assert amla("init", "--force").status == 0
    assert file.read_text() == starter_text()
    assert [entry.name for entry in tmp_path.iterdir()] == ["tools.toml"]


def test_its_tools_run(amla: Amla) -> None:
    amla("init")
    ended = amla("run", "-e", "return (await today({})).trim().length", "--tools", "tools.toml")
    assert (ended.out, ended.err) == (b"10\n", "")
