"""Third-party C sources: pinned source distributions, fetched by pip with the user's own settings, checked, unpacked.

Each is kept by the hash of its archive.  Only regular files with plain relative names are unpacked.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from .cache import Cache
from .errors import BuildError
from .progress import Progress

__all__ = ["PINS", "Pin", "fetch", "files_of", "unpack"]


@dataclass(frozen=True)
class Pin:
    """One source distribution: its project, its version and the SHA-256 of its archive."""

    project: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        return f"{self.project}=={self.version} --hash=sha256:{self.sha256}"


PINS = {
    "quickjs": Pin("quickjs-ng", "0.17.0.2", "43d2e48272208721a7aaea8e3f02d4b9318f12ef20cc4f5421b59d9a470706ef"),
    "jq": Pin("jq", "1.13.0", "e62bdddeab3b8a0a404581a7bb6f1e8c4cc6082280870031f746074f4cac52c0"),
}


def fetch(cache: Cache, progress: Progress) -> dict[str, Path]:
    """The archive of each pin, downloaded unless the cache has it."""
    archives = {name: cache.folder("sources") / f"{pin.sha256}.tar.gz" for name, pin in PINS.items()}
    absent = [PINS[name] for name, path in archives.items() if not path.is_file() or _sha256(path) != PINS[name].sha256]
    if absent:
        progress.step("fetching " + ", ".join(f"{pin.project} {pin.version}" for pin in absent))
        _download(absent, cache.folder("sources"))
    return archives


def _download(pins: list[Pin], folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        listed = Path(temporary) / "requirements.txt"
        listed.write_text("".join(pin.requirement + "\n" for pin in pins), "utf-8")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes"]
        # Named, not ":all:": pip would compile what it needs to read their metadata from source, too.
        command += [f"--no-binary={pin.project}" for pin in pins]
        command += ["--disable-pip-version-check", "--dest", temporary, "--requirement", str(listed)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode:
            raise BuildError(_explain(answer.stderr or answer.stdout))
        downloads = {_sha256(path): path for path in Path(temporary).iterdir()}
        for pin in pins:
            if pin.sha256 not in downloads:
                raise BuildError(f"pip fetched no archive of {pin.project} {pin.version} with hash {pin.sha256}.")
            downloads[pin.sha256].replace(folder / f"{pin.sha256}.tar.gz")


_REASONS = {
    "do not match the hashes": "a downloaded source archive is not the one that is pinned: its hash differs. "
    "The package index, or something on the way to it, is broken or tampered with.",
    "no space left": "the disk is full. Free some space (a fresh build needs about 1 GB) and try again.",
    "no module named pip": "this Python has no pip. Install it: python -m ensurepip",
}
"""What pip says, in lower case, to what it means."""

_UNREACHABLE = "the guest's C sources could not be fetched. Check the network and pip's index settings, and try again."


def _explain(output: str) -> str:
    """pip's failure in a sentence, with its own words below."""
    said = output.lower()
    reason = next((text for symptom, text in _REASONS.items() if symptom in said), _UNREACHABLE)
    return f"{reason}\npip said:\n{output.strip()[-2000:]}"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files_of(archive: bytes, wanted: Callable[[PurePosixPath], bool]) -> Iterable[tuple[PurePosixPath, bytes]]:
    """Name (without the archive's top folder) and content of each wanted regular file of a ``.tar.gz``."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            if not member.isreg() or path.is_absolute() or ".." in path.parts or len(path.parts) < 2:
                continue
            name = PurePosixPath(*path.parts[1:])
            content = tar.extractfile(member) if wanted(name) else None
            if content is not None:
                yield name, content.read()


def unpack(cache: Cache, label: str, files: Iterable[tuple[PurePosixPath, bytes]]) -> Path:
    """Write ``files`` below the cache's ``sources``, whole or not at all, in a folder named by label and content."""
    contents = sorted(files)
    digest = hashlib.sha256()
    for name, content in contents:
        digest.update(f"{name}\0{len(content)}\n".encode() + content)
    target = cache.folder("sources") / f"{label}-{digest.hexdigest()[:16]}"
    if target.is_dir():
        return target
    fresh = Path(tempfile.mkdtemp(dir=target.parent))
    for name, content in contents:
        path = fresh / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    try:
        fresh.rename(target)
    except OSError:  # another build was first
        shutil.rmtree(fresh, ignore_errors=True)
    return target
