"""`amla watch`: a run now, and another after each change of what the script needs."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_process import Amla, start

SECONDS = 30.0


class Watching:
    """A watch under way, whose output goes to files."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.out, self._err = folder / "out.log", folder / "err.log"
        with self.out.open("wb") as out, self._err.open("wb") as err:
            self.process = start("watch", *words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def until(self, text: str) -> None:
        """Wait until `text` was printed."""
        self.until_true(lambda: text in self.out.read_text() + self._err.read_text(), text)

    def until_true(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + SECONDS
        while not condition():
            told = self.out.read_text() + self._err.read_text()
            assert time.monotonic() < deadline, f"{what!r} did not come: {told}"
            assert self.process.poll() is None, told
            time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder below which nothing else is written."""
    made = tmp_path / "watched"
    made.mkdir()
    return made


@pytest.fixture
def watching(folder: Path) -> Iterator[Callable[..., Watching]]:
    made: list[Watching] = []

    def begin(*words: str) -> Watching:
        made.append(Watching(folder, *words))
        return made[-1]

    yield begin
    for each in made:
        each.process.send_signal(signal.SIGINT)
        assert each.process.wait(SECONDS) == 130


def test_it_runs_again_when_the_script_changes(folder: Path, watching: Callable[..., Watching]) -> None:
    (folder / "a.js").write_text("console.log('first', ...process.argv.slice(2))")
    watch = watching("a.js", "--timeout", "20s", "--", "-x")
    watch.until("a.js ended with status 0")
    assert watch.out.read_text() == "first -x\n"
    (folder / "a.js").write_text("console.log('second'); process.exit(3)")
    watch.until("a.js ended with status 3")
    assert watch.out.read_text() == "first -x\nsecond\n"


def test_a_run_under_way_is_ended_first(folder: Path, watching: Callable[..., Watching]) -> None:
    (folder / "a.sh").write_text("echo begun; sleep 25; echo never")
    watch = watching("a.sh")
    watch.until("begun")
    (folder / "a.sh").write_text("echo replaced")
    watch.until("a.sh ended with status 0")
    assert watch.out.read_text() == "begun\nreplaced\n"


def test_what_tools_and_mounts_are_made_of_is_watched(folder: Path, watching: Callable[..., Watching]) -> None:
    (folder / "word.py").write_text("def word() -> str:\n    return 'one'\n")
    (folder / "t.toml").write_text('[tools.word]\npython = "word:word"\nallow = true\n')
    (folder / "data").mkdir()
    (folder / "data" / "n").write_text("1")
    (folder / "a.js").write_text("console.log(await word({}), fs.readFileSync('data/n', 'utf8'))")
    watch = watching("a.js", "--tools=t.toml", "--mount", "data:/workspace/data")
    watch.until("one 1")
    (folder / "word.py").write_text("def word() -> str:\n    return 'another'\n")
    watch.until("another 1")
    watch.until_true(lambda: watch.out.read_text().count("\n") == 2, "the second run")
    (folder / "data" / "n").write_text("2")
    watch.until("another 2")


def test_nothing_to_watch(amla: Amla) -> None:
    assert amla("watch").status == 2
    missing = amla("watch", "absent.js")
    assert (missing.status, "there is no file 'absent.js' to watch" in missing.err) == (2, True)
