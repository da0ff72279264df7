"""The steps of a build in order, and the choice between a guest at hand and a new one."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from . import bundle, jq, preinit, provenance, quickjs, snapshot, sources, tools
from .cache import MODULE, PROVENANCE, Cache, find_guest, is_guest, open_cache
from .compile import Unit, compile_units, link
from .errors import BuildError
from .progress import Progress
from .tree import SourceTree

__all__ = ["build_guest", "ensure_guest", "linked_module", "missing_tools"]

_OWN_FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")


def missing_tools() -> list[str]:
    """Requirement lines to install before ``ensure_guest``: none when the guest is in its place or in the cache."""
    tree = SourceTree.around(__file__)
    key = tree.key()
    return [] if is_guest(tree.output, key) or find_guest(key) else tools.requirements()


def ensure_guest(output: Path | None = None, *, fresh: bool = False, verbose: bool = False) -> Path:
    """Put the guest of this source tree into ``output`` (default: into the package) and return that folder.

    It is left as it is when it is up to date, copied from the user's cache when it is there, and built otherwise;
    ``fresh`` builds in any case, without reading or writing the cache.
    """
    tree, progress = SourceTree.around(__file__), Progress(verbose=verbose)
    target, key = output or tree.output, tree.key()
    if fresh:
        with open_cache(fresh=True) as cache:
            _build(tree, key, target, cache, progress)
    elif is_guest(target, key):
        progress.detail("up to date")
    elif cached := find_guest(key):
        progress.step("taken from the cache")
        _copy(cached, target)
    else:
        with open_cache() as cache:
            _build(tree, key, target, cache, progress)
    return target


def _build(tree: SourceTree, key: str, target: Path, cache: Cache, progress: Progress) -> None:
    if not cache.kept:
        progress.step(f"building in {cache.root}, which is removed afterwards")
    try:
        with tempfile.TemporaryDirectory(prefix="work-", dir=cache.root) as scratch:
            built = build_guest(tree, key, cache, Path(scratch), progress)
            _copy(built, target)
            if cache.kept:
                cache.store_guest(key, built)
                cache.prune()
    except OSError as error:
        raise BuildError(
            f"{error}.\nThe build works in {cache.root} (set AMLA_CACHE_DIR to move it); it needs about 1 GB there."
        ) from error
    progress.step(f"built {target / MODULE}")


def build_guest(tree: SourceTree, key: str, cache: Cache, scratch: Path, progress: Progress) -> Path:
    """Build from scratch, or from cached parts, in ``scratch``; returns the folder with the two finished files."""
    tools.require()
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
    own = [_own_unit(path, tree, engine, filters) for path in sorted(tree.c.glob("*.c"))]
    units = [*own, *quickjs.quickjs_units(engine), *jq.jq_units(filters)]
    return link(compile_units(units, cache, scratch, progress), cache, scratch, progress)


def _own_unit(path: Path, tree: SourceTree, engine: Path, filters: Path) -> Unit:
    """One of our C files; only those of the jq filter see jq's headers, whose names are as general as QuickJS's."""
    includes = jq.jq_includes(filters) if path.name.startswith("jq_") else ["-isystem", str(engine)]
    return Unit(tree.c, path.name, (*_OWN_FLAGS, *includes))


def _copy(built: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in (MODULE, PROVENANCE):
        fresh = target / f"{name}.new"
        shutil.copyfile(built / name, fresh)
        fresh.replace(target / name)
