"""Where things are in the source tree, and the key that stands for everything that goes into the guest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

__all__ = ["GENERATED", "SourceTree"]

GENERATED = "intl/generated"
"""Folder below ``ts/`` that the build writes; never an input."""

_NOT_INPUTS = {"node_modules", "__pycache__", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True)
class SourceTree:
    """The folders of a checkout or an unpacked sdist; ``guest`` is ``runtime/guest``."""

    guest: Path

    @classmethod
    def around(cls, file: str) -> SourceTree:
        """The tree that ``file``, a module of this package, belongs to."""
        return cls(Path(file).resolve().parent.parent)

    @property
    def c(self) -> Path:
        return self.guest / "c"

    @property
    def ts(self) -> Path:
        return self.guest / "ts"

    @property
    def output(self) -> Path:
        return self.guest.parent / "amla_sandbox" / "guest"

    def inputs(self) -> list[Path]:
        """Every file that can change the guest: C, TypeScript, lock file, and the build itself with its pins."""
        files = [path for part in ("c", "ts", "build") for path in (self.guest / part).rglob("*") if path.is_file()]
        return sorted(path for path in [*files, self.guest / "build.py"] if self._is_input(path))

    def _is_input(self, path: Path) -> bool:
        relative = path.relative_to(self.guest)
        generated = relative.as_posix().startswith(f"ts/{GENERATED}/")
        return not generated and not _NOT_INPUTS.intersection(relative.parts)

    def key(self) -> str:
        """SHA-256 over the names and contents of all inputs: equal keys give equal guests."""
        digest = hashlib.sha256()
        for path in self.inputs():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(self.guest).as_posix()}\0{content}\n".encode())
        return digest.hexdigest()
