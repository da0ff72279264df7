"""Which files a manifest may include (R2)."""

from __future__ import annotations

from pathlib import Path

__all__ = ["include_path"]

_MAX_DEPTH = 8


def include_path(name: str, root: Path | None, chain: tuple[Path, ...]) -> Path:
    """The file that `include = [name]` means: links followed, inside `root`, `.toml`, not one of `chain`.

    `name` is relative to the including file, the last of `chain`. Raises `ValueError` with the reason otherwise.
    """
    if root is None or not chain:
        raise ValueError("a manifest that is not a file includes nothing")
    target = (chain[-1].parent / name).resolve()
    if not target.is_relative_to(root):
        raise ValueError(f"it lies outside the top manifest's folder {root.name!r}")
    if target.suffix != ".toml":
        raise ValueError("it does not end in .toml")
    if target in chain:
        raise ValueError("it includes itself")
    if len(chain) > _MAX_DEPTH:
        raise ValueError(f"includes are nested more than {_MAX_DEPTH} deep")
    return target
