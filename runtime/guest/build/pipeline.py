"""The steps of a build in order.  Importing this needs the tools that ``tools.requirements`` names."""

from __future__ import annotations

from pathlib import Path

from . import bundle, jq, preinit, provenance, quickjs, snapshot, sources
from .cache import MODULE, PROVENANCE, Cache
from .compile import Unit, compile_units, link, warm_up
from .progress import Progress
from .tree import SourceTree

__all__ = ["build_guest", "linked_module"]

_OWN_FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")
_FLAGS_OF = {"attempt.c": ("-mexception-handling",)}


def build_guest(tree: SourceTree, key: str, cache: Cache, scratch: Path, progress: Progress) -> Path:
    """Build from scratch, or from cached parts, in ``scratch``; returns the folder with the two finished files."""
    with warm_up(cache, scratch):
        archive = bundle.bundle(tree, cache, scratch, progress)
        linked = linked_module(tree, cache, scratch, progress)
    module = snapshot.bake(linked, preinit.boot(linked, archive.data, progress))
    result = scratch / "result"
    result.mkdir()
    (result / MODULE).write_bytes(module)
    (result / PROVENANCE).write_text(provenance.describe(key, module, archive), "utf-8")
    return result


def linked_module(tree: SourceTree, cache: Cache, scratch: Path, progress: Progress) -> bytes:
    """All C of the guest as one module that has not run yet."""
    archives = sources.fetch(cache, progress)
    engine = quickjs.quickjs_sources(archives["quickjs"], cache)
    filters = jq.jq_sources(archives["jq"], cache)
    own = [_own_unit(path, tree, engine, filters) for path in sorted(tree.c.rglob("*.c"))]
    units = [*own, *quickjs.quickjs_units(engine), *jq.jq_units(filters)]
    return link(compile_units(units, cache, scratch, progress), cache, scratch, progress)


def _own_unit(path: Path, tree: SourceTree, engine: Path, filters: Path) -> Unit:
    """One of our C files; only those of the jq filter see jq's headers, whose names are as general as QuickJS's."""
    includes = jq.jq_includes(filters) if path.name.startswith("jq_") else ["-isystem", str(engine)]
    name = path.relative_to(tree.c).as_posix()
    return Unit(tree.c, name, (*_OWN_FLAGS, "-I.", *includes, *_FLAGS_OF.get(name, ())))
