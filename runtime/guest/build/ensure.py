"""The choice between a guest at hand and a new one.  Needs no tools itself: hatch asks here which to install."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from . import tools
from .cache import MODULE, PROVENANCE, Cache, find_guest, is_guest, open_cache
from .errors import BuildError
from .progress import Progress
from .tree import SourceTree

__all__ = ["ensure_guest", "missing_tools"]


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
    tools.require()
    from .pipeline import build_guest

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


def _copy(built: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in (MODULE, PROVENANCE):
        fresh = target / f"{name}.new"
        shutil.copyfile(built / name, fresh)
        fresh.replace(target / name)
