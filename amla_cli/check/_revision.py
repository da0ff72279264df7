"""The older manifest that `--against` names: a file, or REVISION:FILE, a file as it was at a revision (R37).

At a revision the manifest and all that it includes are read from that revision; the work tree, which holds the change
under review, is not looked at.
"""

from __future__ import annotations

import posixpath
import re
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amla_cli._outcome import CliError
from amla_cli.check._git import Tree

if TYPE_CHECKING:
    from amla_capabilities import Manifest

__all__ = ["load_old"]

_PLAIN_FILE = re.compile(r"[^:]*|(/|\.{1,2}/).*|[A-Za-z]:[\\/].*", re.DOTALL)
_MAX_FILES = 100  # what a manifest may have


def load_old(spec: str) -> Manifest:
    """The manifest that `spec` names; its files are called REVISION:PATH in findings where it is one of a revision.

    A colon always means a revision, so that no file of the work tree can pass for one; a file with a colon is written
    `./a:b.toml`. Raises CliError where it cannot be read and ManifestError where it is faulty.
    """
    if _PLAIN_FILE.fullmatch(spec):
        return _load(Path(spec), spec)
    revision, _, written = spec.partition(":")
    tree = Tree(revision)
    path = tree.path(written)
    with tempfile.TemporaryDirectory(prefix="amla-") as folder:
        top = Path(folder).resolve() / (posixpath.basename(posixpath.dirname(path)) or "top") / posixpath.basename(path)
        try:
            _stage(tree, path, top)
        except OSError as error:
            raise CliError("against", f"cannot put {spec} where it can be read: {error.strerror}") from error
        return _named_after(lambda: _load(top, spec), f"{top.parent}/", f"{revision}:{posixpath.dirname(path)}")


def _load(file: Path, spec: str) -> Manifest:
    from amla_capabilities import load_manifest

    try:
        return load_manifest(file)
    except OSError as error:
        hint = "name a file, or one as it was: REVISION:FILE"
        raise CliError("against", f"cannot read the manifest {spec}: {error.strerror}", hint) from error


def _stage(tree: Tree, path: str, top: Path) -> None:
    """Write a file of a revision, and what it includes from its own folder, to where `load_manifest` can read them."""
    root = posixpath.dirname(path)
    todo, seen = [path], {path}
    while todo and len(seen) <= _MAX_FILES:
        here = todo.pop(0)
        data = tree.read(here)
        if data is None:
            if here == path:
                raise CliError("against", f"there is no {path} at {tree.revision}", "is it spelled as in git?")
            continue  # the including file's fault, which is found when it is read
        file = top.parent / posixpath.relpath(here, root or ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        for name in _includes(data):
            inner = posixpath.normpath(posixpath.join(posixpath.dirname(here), name))
            if inner not in seen and _is_inside(inner, root):
                seen.add(inner)
                todo.append(inner)


def _includes(data: bytes) -> list[str]:
    """The files that a manifest includes; none if it is faulty, which is found when it is read."""
    try:
        tables: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return []
    names = tables.get("include", [])
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []  # pyright: ignore[reportUnknownVariableType]


def _is_inside(path: str, root: str) -> bool:
    return not path.startswith(("/", "../")) and (not root or path.startswith(f"{root}/")) and "\0" not in path


# Names


def _named_after(load: Callable[[], Manifest], staged: str, label: str) -> Manifest:
    """What `load` gives or raises, with files told as they were and not as they were staged."""
    from amla_capabilities import ManifestError

    prefix = label if label.endswith(":") else f"{label}/"

    def renamed(file: str) -> str:
        return prefix + file.removeprefix(staged) if file.startswith(staged) else file

    try:
        return _renamed(load(), renamed)
    except ManifestError as error:
        raise ManifestError([replace(fault, file=renamed(fault.file)) for fault in error.faults]) from None


def _renamed(manifest: Manifest, name: Callable[[str], str]) -> Manifest:
    for source in manifest.sources:
        source.file = name(source.file)
    return replace(
        manifest,
        path=Path(name(str(manifest.path))),
        tools={path: replace(tool, file=name(tool.file)) for path, tool in manifest.tools.items()},
        mcp={key: replace(server, file=name(server.file)) for key, server in manifest.mcp.items()},
        mounts=tuple(replace(mount, file=name(mount.file)) for mount in manifest.mounts),
        tests=tuple(replace(test, file=name(test.file)) for test in manifest.tests),
        suppressed=tuple(replace(each, file=name(each.file)) for each in manifest.suppressed),
        warnings=tuple(replace(warning, file=name(warning.file)) for warning in manifest.warnings),
        files=tuple(map(name, manifest.files)),
        origins=tuple(replace(origin, file=name(origin.file)) for origin in manifest.origins),
        where={capability: (name(file), at) for capability, (file, at) in manifest.where.items()},
    )
