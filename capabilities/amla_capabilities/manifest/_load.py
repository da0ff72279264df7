"""Reading a manifest: text to tables to tools, capabilities and the rest, with everything that is wrong reported."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from amla_capabilities._names import canonical_name

from ._faults import ManifestError, fault_in, raise_faults
from ._fields import TOP
from ._manifest import Manifest
from ._reading import Reading, file_text

__all__ = ["load_manifest", "manifest_schema", "parse_manifest"]


def load_manifest(path: str | FilePath, *, known_tools: Iterable[str] = ()) -> Manifest:
    """Read a manifest file and its includes. `known_tools` are paths of tools that the host declares itself.

    Raises `OSError` if a file cannot be read and `ManifestError` with all faults at once.
    """
    file = FilePath(path)
    return parse_manifest(file_text(file), file, known_tools=known_tools)


def parse_manifest(text: str, path: str | FilePath | None = None, *, known_tools: Iterable[str] = ()) -> Manifest:
    """The same from a text; `path` names it in messages and is where includes are found."""
    file = None if path is None else FilePath(path)
    try:
        return _parsed(text, file, known_tools)
    except RecursionError:
        raise ManifestError([fault_in(str(file or "<manifest>"), "AM102", "is nested too deeply")]) from None


def _parsed(text: str, file: FilePath | None, known_tools: Iterable[str]) -> Manifest:
    reading = Reading(frozenset(map(canonical_name, known_tools)))
    top = reading.file(text, file, file.parent.resolve() if file else None, ())
    manifest = reading.manifest(top, file) if top is not None else None
    raise_faults(reading.sources)
    if manifest is None:  # a text without faults gives a manifest
        raise AssertionError("the manifest was refused without a fault")
    return manifest


def manifest_schema() -> dict[str, Any]:
    """The JSON Schema of manifests, for editors; made from the tables that read them."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "amla manifest", **TOP.schema()}
