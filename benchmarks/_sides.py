"""The sides that are compared: this package, the original, and node, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, cast

__all__ = ["Side"]

HERE = Path(__file__).parent


class Side:
    """A worker process (`_worker.py` or `_worker.mjs`) that measures one case at a time. A context manager."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[str] | None = None
        self._lines: SimpleQueue[str] = SimpleQueue()

    @classmethod
    def python(cls, executable: str) -> Side:
        """What `amla_sandbox` is in that Python's environment."""
        return cls([executable, str(HERE / "_worker.py")])

    @classmethod
    def node(cls, executable: str) -> Side:
        return cls([executable, str(HERE / "_worker.mjs")])

    @classmethod
    def shell(cls, executable: str, kind: str, folder: Path) -> Side:
        """A shell of that kind (`amla` or `bashkit`) in that Python's environment, with the files of `folder`."""
        return cls([executable, str(HERE / "_shell_worker.py"), kind, str(folder)])

    def measure(self, case: str, patience: float = 60.0, *, fresh: bool = False) -> float:
        """Measure once. Raises RuntimeError if the side cannot; `patience` seconds without an answer end it."""
        if fresh:
            self.close()
        return float(self.ask(case, patience)["value"])

    def ask(self, case: object, patience: float = 60.0) -> dict[str, Any]:
        """What the worker answers to a case. Raises RuntimeError if it cannot measure it."""
        process = self._process or self._start()
        assert process.stdin is not None
        process.stdin.write(json.dumps(case) + "\n")
        process.stdin.flush()
        try:
            answer = json.loads(self._lines.get(timeout=patience) or "{}")
        except Empty:
            self.close()
            raise RuntimeError(f"> {patience:g} s") from None
        if "value" not in answer:
            raise RuntimeError(str(answer.get("problem", "ended")))
        return cast(dict[str, Any], answer)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        lines = self._lines = SimpleQueue[str]()
        Thread(target=_read, args=(process, lines), daemon=True).start()
        self._process = process
        return process


def _read(process: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")
