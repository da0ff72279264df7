"""The dot commands about files, of the sandbox and of the host."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from amla_cli._mounts import check_shared, mount_all, parse_mount
from amla_cli._outcome import CliError, Message, Outcome
from amla_cli._scripts import Lang, Script, read_script
from amla_cli._terminal import printable

from ._paint import painted
from ._standing import size_text

if TYPE_CHECKING:
    from amla_sandbox._files._fs import FileInfo, SandboxFiles
    from amla_sandbox._files._mounts import Mount

    from ._repl import Repl

__all__ = ["export", "export_paths", "files", "guest_file", "guest_paths", "host_paths", "load", "mount", "save"]

_SESSION = b"amla session"
"""What saved sessions begin with."""


def _split(words: str, usage: str, most: int) -> list[str]:
    """Words, quoted as in a shell; at most so many."""
    try:
        found = shlex.split(words)
    except ValueError as error:
        raise CliError("usage", f"{error}".lower(), usage) from None
    if len(found) > most:
        raise CliError("usage", f"that is more than {most} words; quote a name that has blanks", usage)
    return found


def _one(words: str, usage: str) -> str:
    found = _split(words, usage, 1)
    if not found:
        raise CliError("usage", "name a file", usage)
    return found[0]


def guest_file(repl: Repl, words: str) -> str:
    """The path of the sandbox that a command names."""
    return _guest_path(repl, _one(words, "name a file of the sandbox"))


def _guest_path(repl: Repl, path: str) -> str:
    return os.path.normpath(os.path.join(repl.guest.session.cwd, path))  # noqa: PTH118


# --- of the sandbox --------------------------------------------------------------------------------


def files(repl: Repl, words: str) -> None:
    """`.files`: everything at and below a path, by default the working directory."""
    named = _split(words, ".files [PATH]", 1)
    top = _guest_path(repl, named[0] if named else ".")
    rows = [_row(name, info) for name, info in _below(repl.guest.sandbox.fs, top, "")]
    repl.screen.say("\n".join(rows) or painted("no files", "detail", repl.screen.color))


def _below(fs: SandboxFiles, path: str, prefix: str) -> Iterator[tuple[str, FileInfo]]:
    """What there is, by its path relative to the top; for a file itself."""
    info = fs.stat(path, follow=not prefix)
    if info.type != "directory":
        yield prefix or path, info
        return
    for each in fs.list(path):
        name = f"{prefix}{each.name}"
        yield name, each
        if each.type == "directory":
            yield from _below(fs, f"{path}/{each.name}", f"{name}/")


def _row(name: str, info: FileInfo) -> str:
    size = size_text(info.size) if info.type == "file" else ""
    return f"{size:>8}  {printable(name)}{'/' if info.type == 'directory' else ''}"


def guest_paths(repl: Repl, words: str) -> Iterator[tuple[str, int, str]]:
    """Paths of the sandbox, as the shell completes them."""
    command = f"cat {words}"
    found = repl.guest.complete(command, len(command), Lang.shell)
    for each in found.candidates:
        yield each.text, found.start - len("cat "), each.kind


# --- of the host -----------------------------------------------------------------------------------


def load(repl: Repl, words: str) -> int:
    """`.load`: run a script of the host, in the language that its name or first line says."""
    file = _one(words, ".load FILE")
    script = _script(file, repl.language)
    language = Lang.shell if script.lang is Lang.shell else Lang.js
    return repl.run(script.text, language=language, filename=script.name).exit_code


def _script(file: str, otherwise: Lang) -> Script:
    try:
        return read_script(file, None, None)
    except CliError as error:
        if error.problem.code == "language":
            return read_script(file, None, otherwise)
        hint = f"amla repl --load {file}" if _is_session(Path(file)) else ".load FILE runs a script of the host"
        raise CliError("script", error.problem.message, hint) from error


def save(repl: Repl, words: str) -> None:
    """`.save`: the session at rest, in a private file."""
    file = Path(_one(words, ".save FILE"))
    if file.is_dir():
        raise CliError("session", f"{file} is a folder", "name a file")
    if file.exists() and not _is_session(file):
        raise CliError("session", f"{file} is there already, and is no saved session", "name another file")
    data = repl.guest.session.save()
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        hint = "name a file in a folder that is there, and yours"
        raise CliError("session", f"cannot write {file}: {error.strerror}", hint, exit_code=1) from error
    try:
        with os.fdopen(fd, "wb") as opened:
            opened.write(data)
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    repl.screen.say(f"{printable(str(file))}: {size_text(len(data))}; 'amla repl --load {file}' goes on with it")


def _is_session(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_SESSION)) == _SESSION
    except OSError:
        return False


def export(repl: Repl, words: str) -> None:
    """`.export`: copy a file or folder of the sandbox out. What is there already is not replaced."""
    found = _split(words, ".export PATH FILE", 2)
    if not found:
        raise CliError("usage", "name what to copy, and where to", ".export report.csv ./report.csv")
    guest = _guest_path(repl, found[0])
    host = Path(found[1] if len(found) > 1 else os.path.basename(guest))  # noqa: PTH119
    try:
        skipped = repl.guest.sandbox.fs.export(guest, host)
    except FileExistsError:
        raise CliError("out", f"{host} is there already", "name another place, or remove it first") from None
    repl.screen.say(f"{printable(guest)} is copied to {printable(str(host))}")
    repl.screen.complain(Outcome(messages=tuple(Message("warning", f"{host}: {what}") for what in skipped)))


def mount(repl: Repl, words: str) -> None:
    """`.mount`: copy something in, or say what was."""
    if words:
        spec = parse_mount(_one(words, ".mount HOST:GUEST"))
        check_shared([spec], repl.plan.guarded)
        skipped = mount_all(repl.guest.sandbox, [spec])
        repl.screen.complain(Outcome(messages=tuple(skipped)))
    mounts = repl.guest.sandbox.fs.mounts
    lines = [f"{printable(each.host)} at {printable(each.guest)}, {_mode(each)}" for each in mounts]
    repl.screen.say("\n".join(lines) or painted("nothing is mounted", "detail", repl.screen.color))


def _mode(mount: Mount) -> str:
    if not mount.writable:
        return "to be read"
    return "changes and deletions go back at the end" if mount.delete else "changes go back at the end"


def host_paths(_repl: Repl, words: str) -> Iterator[tuple[str, int, str]]:
    """Paths of the host."""
    folder, _, begun = words.rpartition("/")
    base = Path(folder + "/" if words.startswith("/") or folder else ".").expanduser()
    start = len(words) - len(begun)
    try:
        found = sorted(base.iterdir())
    except OSError:
        return
    for each in found:
        if each.name.startswith(begun) and (begun or not each.name.startswith(".")):
            yield shlex.quote(each.name) + ("/" if each.is_dir() else ""), start, ""


def export_paths(repl: Repl, words: str) -> Iterator[tuple[str, int, str]]:
    """First a path of the sandbox, then one of the host."""
    first, blank, second = words.partition(" ")
    if not blank:
        yield from guest_paths(repl, first)
        return
    for text, start, about in host_paths(repl, second):
        yield text, len(first) + 1 + start, about
