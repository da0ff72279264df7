"""`amla policy learn`: from an audit log to a manifest that allows what it tells of."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from cli_process import Amla

from amla_capabilities import load_manifest

RECORDS = [
    {"type": "run", "run": "1"},
    {"type": "call", "run": "1", "tool": "greet", "arguments": {"name": "ann", "times": 1}, "verdict": "allowed"},
    {"type": "call", "run": "1", "tool": "greet", "arguments": {"name": "bob", "times": 3}, "verdict": "allowed"},
    {"type": "refused", "run": "1", "tool": "greet", "arguments": {"name": "bob", "times": 9}, "verdict": "denied"},
]


@pytest.fixture
def trace(tmp_path: Path) -> str:
    (tmp_path / "calls.log").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return "calls.log"


def test_what_was_run_runs_again_and_no_more(amla: Amla, tmp_path: Path, manifest: str) -> None:
    """The whole way: a watched run, a policy learned from its log, the same run under it."""
    code = "for (const times of [1, 2]) console.log(await greet({name: 'ann', times}))"
    assert amla("run", "-e", code, "--tools", manifest, "--audit", "calls.log").status == 0
    learned = amla("policy", "learn", "calls.log", "--tools", manifest, "-o", "learned.toml")
    assert (learned.status, learned.out, learned.err) == (0, b"written: learned.toml\n", "")
    assert set(load_manifest(tmp_path / "learned.toml").tools) == {"greet"}
    assert amla("run", "-e", code, "--tools", "learned.toml").out == b"hello ann\nhello ann hello ann\n"
    assert amla("run", "-e", "await greet({name: 'eve'})", "--tools", "learned.toml").status == 77
    assert amla("run", "-e", code + ";" + code, "--tools", "learned.toml").status == 77
    assert amla("check-policy", "--tools", "learned.toml", "--against", manifest).status == 0


def test_styles(amla: Amla, trace: str, manifest: str) -> None:
    def constraints(*options: str) -> list[object]:
        ended = amla("policy", "learn", trace, "--tools", manifest, "--quiet", *options)
        assert (ended.status, ended.err) == (0, "")
        return [entry["constraints"] for entry in tomllib.loads(ended.out.decode())["capabilities"]]

    both, enums = [{"name": ["ann", "bob"], "times": [">=1", "<=3"]}], [{"name": ["ann", "bob"], "times": [1, 3]}]
    assert constraints() == both
    assert constraints("--ranges") == both
    assert constraints("--enums") == enums
    assert constraints("--exact") == [{"name": "ann", "times": 1}, {"name": "bob", "times": 3}]
    assert amla("policy", "learn", trace, "--exact", "--ranges").status == 2


def test_what_is_left_out_and_made_up_is_said(amla: Amla, trace: str) -> None:
    ended = amla("policy", "learn", trace)
    assert ended.status == 0
    assert "1 call was refused" in ended.err
    assert "nobody declared greet" in ended.err
    assert b"replace_me:greet" in ended.out


def test_within_an_upper_bound(amla: Amla, tmp_path: Path, trace: str, manifest: str) -> None:
    (tmp_path / "upper.toml").write_text(
        (tmp_path / manifest).read_text().replace('"<=3"', '[">=1", "<=2"]'),
    )
    refused = amla("policy", "learn", trace, "--tools", manifest, "--within", "upper.toml", "-o", "out.toml")
    assert refused.status == 1
    assert "AM502" in refused.err
    assert "times <= 2" in refused.err
    assert not (tmp_path / "out.toml").exists()
    assert amla("policy", "learn", trace, "--tools", manifest, "--within", manifest, "-o", "out.toml").status == 0


def test_a_file_is_not_replaced_unasked(amla: Amla, tmp_path: Path, trace: str) -> None:
    (tmp_path / "out.toml").write_text("mine")
    assert amla("policy", "learn", trace, "-o", "out.toml").status == 2
    assert (tmp_path / "out.toml").read_text() == "mine"
    assert amla("policy", "learn", trace, "-o", "out.toml", "--force").status == 0
    assert (tmp_path / "out.toml").read_text().startswith("# Learned from 2 calls")


def test_standard_input_and_json(amla: Amla, tmp_path: Path, trace: str) -> None:
    ended = amla("policy", "learn", "-", "--json", stdin=(tmp_path / trace).read_bytes())
    result = json.loads(ended.out)["result"]
    assert set(result) == {"path", "manifest", "calls", "left_out", "stubs"}
    assert (result["calls"], result["left_out"], result["stubs"]) == (2, {"refused": 1}, ["greet"])
    assert tomllib.loads(result["manifest"])["capabilities"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no call"),
        ("{", "line 1"),
        ("[]", "line 1"),
        ('{"tool": "x"}', "record 1"),
        ("[" * 100_000, "line 1"),
        ('{"tool": "x", "arguments": {"a": NaN}, "verdict": "allowed"}', "x:"),
    ],
)
def test_what_is_no_trace(amla: Amla, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bad.log").write_text(text + "\n")
    ended = amla("policy", "learn", "bad.log")
    assert ended.status == 2
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_misspelt_members_and_missing_files(amla: Amla) -> None:
    assert "did you mean 'learn'" in amla("policy", "lern").err
    assert amla("policy", "lern").status == 2
    assert amla("policy", "learn").status == 2
    assert "cannot read" in amla("policy", "learn", "gone.log").err
    assert b"verify-log" in amla("policy").out


def test_another_folder_is_pointed_out(amla: Amla, tmp_path: Path, trace: str, manifest: str) -> None:
    (tmp_path / "sub").mkdir()
    assert "beside" in amla("policy", "learn", trace, "--tools", manifest, "-o", "sub/out.toml").err
