"""Which manifests are one policy, and which scripts are judged by it.

Those of `--tools` are one, as in a run. Any other is a project's own, whatever the others declare: a hook is handed all
manifests of a commit. Scripts are judged by `--tools`, or else by the manifest that lies beside or above them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from amla_cli._manifests import chosen_files
from amla_cli.check._findings import Unchecked

__all__ = ["Project", "projects"]


class Project(NamedTuple):
    """Manifests that make one policy, and the scripts that it is for."""

    manifests: tuple[str, ...]
    scripts: tuple[str, ...]


def projects(tools: Sequence[str], files: Iterable[str]) -> tuple[list[Project], list[Unchecked]]:
    """The projects, and the scripts of which it is not clear to which they belong."""
    named = [file for file in files if file.endswith(".toml")]
    scripts = tuple(file for file in files if not file.endswith(".toml"))
    common = tuple(chosen_files(tools)) if tools or not named else ()
    taken = set(map(os.path.realpath, common))
    own = [file for file in chosen_files(named) if os.path.realpath(file) not in taken] if named else []
    if common:
        return [Project(common, scripts), *(Project((file,), ()) for file in own)], []
    if len(own) <= 1:
        return [Project(tuple(own), scripts)] if own else [], []
    homes = {script: _nearest(script, own) for script in scripts}
    strays = [Unchecked(script, 1, 1, _stray(near)) for script, near in homes.items() if len(near) != 1]
    return [Project((file,), tuple(s for s in scripts if homes[s] == [file])) for file in own], strays


def _nearest(script: str, manifests: Sequence[str]) -> list[str]:
    """The manifests in the closest folder around a script that has any."""
    for folder in Path(os.path.realpath(script)).parents:
        near = [file for file in manifests if Path(os.path.realpath(file)).parent == folder]
        if near:
            return near
    return []


def _stray(near: Sequence[str]) -> str:
    if near:
        return f"{' and '.join(near)} lie beside it: say with --tools by which it is judged"
    return "no manifest lies beside it or above: say with --tools by which it is judged"
