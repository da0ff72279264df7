"""Where in its files a manifest says what it says, so that a finding can point there."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from amla_capabilities._names import mcp_segment
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Manifest

__all__ = ["Place", "Places"]


class Place(NamedTuple):
    """A path in one of a manifest's files."""

    file: str
    path: tuple[str | int, ...] = ()

    def at(self, *keys: str | int) -> Place:
        return Place(self.file, (*self.path, *keys))


class _File(NamedTuple):
    name: str  # as in the manifest's findings
    folder: str  # as its includes are written, from the top file's folder
    tables: Mapping[str, Any]


class Places:
    """The places of one manifest. Those that it does not keep are looked for in the texts of its files."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    def finding(self, code: str, place: Place, message: str, hint: str = "") -> Finding:
        return self._manifest.finding(code, place.path, message, file=place.file, at_key=True, hint=hint)

    @property
    def top(self) -> Place:
        return Place(self._manifest.files[0])

    def capability(self, index: int) -> Place:
        return Place(*self._manifest.where[self._manifest.capabilities[index]])

    def server(self, name: str) -> Place:
        return self._named("mcp", mcp_segment, name)

    def variable(self, name: str) -> Place:
        return self._named("env", str, name)

    def folder(self, file: str) -> str:
        """The folder of one of the files, told from the top file's: what tools in it are looked for beside."""
        if file == self._manifest.files[0]:
            return "."
        return next((found.folder for found in self._files if found.name == file), ".")

    @cached_property
    def _files(self) -> list[_File]:
        return list(_walk(iter([(source.file, source.text) for source in self._manifest.sources]), "."))

    def _named(self, table: str, canonical: Callable[[str], str], name: str) -> Place:
        """The place of an entry by its canonical name; the top of the first file if it has none."""
        for file in self._files:
            for written in file.tables.get(table, {}):
                if canonical(written) == name:
                    return Place(file.name, (table, written))
        return self.top


def _walk(sources: Iterator[tuple[str, str]], folder: str) -> Iterator[_File]:
    """The next file of `sources`, then those that it includes: the order in which they were read."""
    name, text = next(sources)
    tables = tomllib.loads(text)
    yield _File(name, folder, tables)
    for written in tables.get("include", ()):
        inner = posixpath.normpath(posixpath.join(folder, posixpath.dirname(written)))
        yield from _walk(sources, inner)
