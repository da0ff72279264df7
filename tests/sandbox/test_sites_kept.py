"""What was found in scripts is kept for this user, and believed only where nobody else can have written it."""

from __future__ import annotations

from pathlib import Path

import pytest

from amla_sandbox import SiteFinder
from amla_sandbox._guest._protocol import ProtocolError
from amla_sandbox._sites import _kept as _sites_kept
from amla_sandbox._sites._kept import KeptAnswers

ANSWER = {"sites": [{"tool": "pay", "start": 0, "end": 3}]}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir(0o700)
    monkeypatch.setattr(_sites_kept, "cache_folder", lambda: folder)  # the compiled guest stays where it is
    return folder


def entry(cache: Path) -> Path:
    [found] = (cache / "sites").glob("*.json")
    return found


def test_an_answer_is_found_again_by_the_next_process(cache: Path) -> None:
    KeptAnswers(b"tools").put(b"script", ANSWER)
    assert KeptAnswers(b"tools").get(b"script") == ANSWER


def test_another_script_tool_or_guest_is_another_question(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    KeptAnswers(b"tools").put(b"script", ANSWER)
    assert KeptAnswers(b"tools").get(b"other") is None
    assert KeptAnswers(b"other").get(b"script") is None
    monkeypatch.setattr(_sites_kept, "guest_hash", lambda _: "0" * 64)
    assert KeptAnswers(b"tools").get(b"script") is None


@pytest.mark.parametrize(
    "damage", ["cut", "changed", "nonsense", "empty", "readable", "link", "hard link", "key", "readable key", "swapped"]
)
def test_r3_a_damaged_or_foreign_entry_is_as_good_as_none(cache: Path, damage: str) -> None:
    kept = KeptAnswers(b"tools")
    kept.put(b"script", ANSWER)
    one = entry(cache)
    data = one.read_bytes()
    if damage in ("cut", "changed", "nonsense", "empty"):
        texts = {"cut": data[:-3], "changed": data.replace(b"pay", b"say"), "nonsense": b"\xff" * 99, "empty": b""}
        one.write_bytes(texts[damage])
    elif damage == "readable":
        one.chmod(0o644)
    elif damage == "link":
        one.rename(cache / "elsewhere")
        one.symlink_to(cache / "elsewhere")
    elif damage == "hard link":
        (cache / "elsewhere").hardlink_to(one)
    elif damage == "key":
        (cache / "sites" / "key").write_bytes(bytes(32))
    elif damage == "readable key":
        (cache / "sites" / "key").chmod(0o644)
    else:  # a sound entry in the place of another
        kept.put(b"other", {"sites": []})
        [other] = [file for file in (cache / "sites").glob("*.json") if file != one]
        one.write_bytes(other.read_bytes())
    assert KeptAnswers(b"tools").get(b"script") is None


def test_r3_nothing_is_kept_or_believed_inside_a_repository(tmp_path: Path, cache: Path) -> None:
    KeptAnswers(b"tools").put(b"script", ANSWER)
    (tmp_path / ".git").mkdir()
    assert KeptAnswers(b"tools").get(b"script") is None
    KeptAnswers(b"tools").put(b"other", ANSWER)
    assert entry(cache)


def test_what_cannot_be_kept_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("relative", str(tmp_path / "file")):
        monkeypatch.setenv("AMLA_CACHE_DIR", folder)
        KeptAnswers(b"tools").put(b"script", ANSWER)
        assert KeptAnswers(b"tools").get(b"script") is None


def test_the_oldest_entries_go_when_there_are_too_many(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_sites_kept, "MOST_ENTRIES", 3)
    for n in range(5):
        KeptAnswers(b"tools").put(f"script {n}".encode(), ANSWER)
    assert len(list((cache / "sites").glob("*.json"))) == 3


def test_a_finder_that_keeps_asks_no_guest_twice(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "await pay({ amount: 5 });\n"
    first = SiteFinder({"pay": None}, keep=True)
    found = first.find(source, "a.js", "javascript")
    first.close()
    assert [(site.tool, site.line, site.column) for site in found.sites] == [("pay", 1, 7)]

    def asked(*_: object) -> None:
        raise AssertionError("the guest was asked")

    monkeypatch.setattr(SiteFinder, "_ask", asked)
    assert SiteFinder({"pay": None}, keep=True).find(source, "a.js", "javascript") == found
    with pytest.raises(AssertionError, match="the guest was asked"):
        SiteFinder({"pay": None}, keep=True).find(source, "a.ts", "javascript")
    with pytest.raises(AssertionError, match="the guest was asked"):
        SiteFinder({"pay": None}).find(source, "a.js", "javascript")


def test_what_took_too_long_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ProtocolError("no answer")

    monkeypatch.setattr(SiteFinder, "_ask", fails)
    found = SiteFinder({}, keep=True).find("x", "a.js", "javascript")
    assert found.error is not None
    assert not list((cache / "sites").glob("*.json"))
