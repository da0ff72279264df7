"""What a compiled module depends on, and so what its entry is called."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["Identity", "content_hash", "guest_hash", "identify"]

PROVENANCE = "provenance.json"
CPU_FEATURES = Path("/sys/devices/system/cpu/modalias")


class Identity(NamedTuple):
    """``guest`` is the module's SHA-256 in hex; ``fingerprint`` (32 bytes) covers it, the engine and the target."""

    guest: str
    fingerprint: bytes

    @property
    def name(self) -> str:
        """The entry's file name; it also says which processor, since a home may be shared by several kinds."""
        return f"{self.fingerprint.hex()[:32]}-{_cpu()}.compiled"


def identify(wasm: Path, configuration: str) -> Identity:
    """The identity of the guest ``wasm`` compiled by an engine with the settings that ``configuration`` describes."""
    import wasmtime

    guest = guest_hash(wasm)
    facts = [guest, engine_version(Path(wasmtime.__file__)), sys.platform, platform.machine(), configuration]
    return Identity(guest, hashlib.sha256(json.dumps(facts).encode()).digest())


def guest_hash(wasm: Path) -> str:
    """The SHA-256 of the guest ``wasm``, from the file beside it where that can be believed."""
    return _recorded_hash(wasm) or content_hash(wasm.read_bytes())


def engine_version(package: Path) -> str:
    """The version of the engine whose ``__init__.py`` this is.

    From the name of the folder that the installer left beside it, because asking ``importlib.metadata`` takes 20 ms.
    """
    found = [folder.name for folder in package.parent.parent.glob("wasmtime-*.dist-info")]
    if len(found) == 1:
        return found[0]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("wasmtime")
    except PackageNotFoundError:
        return "unknown"  # the engine refuses another version's code by itself


def content_hash(wasm: bytes) -> str:
    """The SHA-256 of a guest, as its provenance file records it."""
    return hashlib.sha256(wasm).hexdigest()


def _recorded_hash(wasm: Path) -> str | None:
    """The hash from the provenance file beside ``wasm`` (hashing the guest costs 5 ms of each start).

    Believed when the size agrees and the guest has not been touched since; a wrong one shows before anything is stored.
    """
    try:
        record = wasm.with_name(PROVENANCE)
        module, written = wasm.stat(), record.stat()
        guest = json.loads(record.read_bytes())["guest"]
        digest, size = guest["sha256"], guest["size"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    changed = max(module.st_mtime_ns, module.st_ctime_ns)
    fresh = size == module.st_size and changed <= max(written.st_mtime_ns, written.st_ctime_ns)
    return digest if fresh and isinstance(digest, str) else None


def _cpu() -> str:
    """A short name for the processor's set of features, where the system tells it cheaply.

    Only a hint that keeps machines with one home from replacing each other's entries: the engine itself refuses code
    for features that are not there.
    """
    try:
        features = CPU_FEATURES.read_bytes()
    except OSError:
        return "any"
    return hashlib.sha256(features).hexdigest()[:8]
