"""TypeScript to one archive: npm packages by the lock file, then esbuild, both in a copy of the sources.

The copy makes the result independent of where the checkout is and of what a developer installed beside it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import archive
from .cache import Cache
from .errors import BuildError
from .node import Node, find_node
from .progress import Progress
from .tree import GENERATED, SourceTree

__all__ = ["Bundle", "bundle", "generate"]

_NPM = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]


@dataclass(frozen=True)
class Bundle:
    """The archive for the guest, and what went into it: npm package to version and integrity."""

    data: bytes
    packages: dict[str, dict[str, str]]


def bundle(tree: SourceTree, cache: Cache, scratch: Path, progress: Progress) -> Bundle:
    """All TypeScript of the guest, bundled."""
    node = find_node()
    modules = _installed(tree, cache, node, progress)
    stage = scratch / "stage"
    shutil.copytree(tree.ts, stage / "ts", ignore=shutil.ignore_patterns("node_modules", "generated"))
    generate(stage / "ts")
    shutil.copytree(modules, stage / "node_modules", symlinks=True)
    for script in Path(__file__).parent.glob("*.mjs"):
        shutil.copyfile(script, stage / script.name)
    progress.step("bundling TypeScript")
    _run([*node.node, "bundle.mjs"], stage, "the guest's TypeScript could not be bundled")
    listed = json.loads((stage / "out" / "modules.json").read_text("utf-8"))
    sources = {name: (stage / "out" / file).read_bytes() for name, file in listed.items()}
    return Bundle(archive.pack(sources), _locked(tree.ts / "package-lock.json"))


def generate(ts: Path) -> None:
    """Write the tables that are generated rather than kept, below ``ts``."""
    if importlib.util.find_spec("guest.build.timezones") is not None:
        timezones = importlib.import_module("guest.build.timezones")
        timezones.generate(ts / GENERATED)


def _installed(tree: SourceTree, cache: Cache, node: Node, progress: Progress) -> Path:
    """A ``node_modules`` that holds exactly what the lock file names for a build."""
    files = [tree.ts / "package.json", tree.ts / "package-lock.json"]
    key = hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()
    kept = cache.folder("npm") / key
    if kept.is_dir():
        return kept / "node_modules"
    progress.step("installing npm packages")
    fresh = Path(tempfile.mkdtemp(dir=kept.parent))
    for path in files:
        shutil.copyfile(path, fresh / path.name)
    _run(
        [*node.npm, *_NPM],
        fresh,
        "npm could not install the guest's packages; check the network, or npm's registry settings",
    )
    try:
        fresh.rename(kept)
    except OSError:  # another build was first
        shutil.rmtree(fresh, ignore_errors=True)
    return kept / "node_modules"


def _run(command: list[str], folder: Path, failure: str) -> None:
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise BuildError(f"{failure}:\n{(answer.stderr or answer.stdout).strip()[-6000:]}")


def _locked(lock: Path) -> dict[str, dict[str, str]]:
    """Version and integrity of each package that the build uses on any platform."""
    packages = json.loads(lock.read_text("utf-8"))["packages"]
    return {
        path.removeprefix("node_modules/"): {"version": each["version"], "integrity": each["integrity"]}
        for path, each in sorted(packages.items())
        if path and not each.get("dev")
    }
