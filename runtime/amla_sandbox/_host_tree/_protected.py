"""What no script may change on the host, whatever is mounted (R31)."""

# Paths go to the calls of the operating system as they are.
# ruff: noqa: PTH100, PTH116

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

__all__ = ["Protected", "is_git"]


def is_git(name: str) -> bool:
    """Whether some file system takes `name` for `.git`: by case, by characters that it ignores, by its short name."""
    plain = "".join(char for char in unicodedata.normalize("NFKC", name) if unicodedata.category(char) != "Cf")
    return plain.partition(":")[0].rstrip(". ").casefold() in (".git", "git~1")


class Protected:
    """Files and folders of the host that stay as they are, by their real path in any case and by what they are."""

    def __init__(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        self._paths: set[str] = set()
        self._identities: set[tuple[int, int]] = set()
        for path in paths:
            for each in (os.path.abspath(path), os.path.realpath(path)):
                self._paths.add(each.casefold())
            try:
                status = os.stat(path)
            except OSError:  # not there yet: its path is what counts
                continue
            self._identities.add((status.st_dev, status.st_ino))

    def forbids(self, base: str, path: str, identity: tuple[int, int] | None) -> str | None:
        """Why the file at `path` in the folder `base` may not change; None if it may."""
        if any(map(is_git, path.split("/"))):
            return "belongs to a git repository"
        whole = PurePosixPath(base, path)
        above = {str(each).casefold() for each in (whole, *whole.parents)}
        if identity in self._identities or above & self._paths:
            return "decides about scripts or records them"
        return None
