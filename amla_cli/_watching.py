"""What `amla watch` does: a process that runs the script, ended and begun anew when a file changes."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ._manifests import chosen_files, read_manifests
from ._outcome import CliError

__all__ = ["Session", "changes", "watched_files"]

_GRACE = 2.0
"""Seconds that a run which was interrupted gets to copy files back and end."""


def watched_files(script: str, words: Sequence[str]) -> list[Path]:
    """The files whose change means another run: the script, the manifests, the modules of their tools, the mounts."""
    mounted = [value.split(":")[0] for value in _values("--mount", words)]
    manifests = chosen_files(list(_values("--tools", words)))
    named = [script, *mounted, *manifests, *(file for each in manifests for file in _behind(each))]
    return [Path(name).absolute() for name in dict.fromkeys(named)]


def _values(option: str, words: Sequence[str]) -> Iterator[str]:
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word == option and after:
            yield after
        elif word.startswith(f"{option}="):
            yield word.removeprefix(f"{option}=")


def _behind(manifest: str) -> Iterator[str]:
    """What a manifest includes, and the modules that it names; nothing where it cannot be read, which its run says."""
    from amla_capabilities import ManifestError, PythonTool
    from amla_sandbox.tools._loading import module_file

    try:
        (read,) = read_manifests([manifest])
    except (ManifestError, CliError):
        return
    yield from map(str, read.files)
    for tool in read.tools.values():
        module = module_file(tool.module, Path(tool.file).parent) if isinstance(tool, PythonTool) else None
        if module is not None:
            yield str(module)


def changes(files: Iterable[Path], stopped: threading.Event) -> Iterator[str]:
    """The name of a file that changed, each time one has. Editors replace files, so their folders are watched."""
    try:
        from watchfiles import watch
    except ImportError:
        raise CliError("usage", "watching needs the package watchfiles", "pip install 'amla[watch]'") from None

    import logging

    logging.getLogger("watchfiles").setLevel(logging.ERROR)  # it would tell of Ctrl-C, which is how this ends
    wanted = set(files)
    folders = {file if file.is_dir() else file.parent for file in wanted}

    def relevant(_: object, path: str) -> bool:
        file = Path(path)
        return file in wanted or any(parent in wanted for parent in file.parents)

    for found in watch(*folders, watch_filter=relevant, debounce=200, stop_event=stopped, raise_interrupt=False):
        yield min(path for _, path in found)


class Session:
    """Runs `amla run` with `words` in a process at a time; `ended` is told the status of each that was not replaced."""

    def __init__(self, words: Sequence[str], ended: Callable[[int], None]) -> None:
        self._command = [sys.executable, "-m", "amla_cli", "run", *words]
        self._ended = ended
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """End the run that is under way, if any, and begin another."""
        self.stop()
        self._process = process = subprocess.Popen(self._command)
        threading.Thread(target=self._wait, args=(process,), daemon=True).start()

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGINT)
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        status = process.wait()
        if self._process is process:
            self._ended(status)
