"""C to one WebAssembly module: each file compiled on its own over all cores, objects kept by content, then linked.

An object's key is the hash of the compiler's version, the flags, the file, and every header of ours or of a third party
that the compiler reported when it last compiled that file.  The compiler's own headers are covered by its version.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .cache import Cache
from .errors import BuildError
from .progress import Progress
from .tools import ZIG, compiler_command

__all__ = ["COMMON_FLAGS", "LINK_FLAGS", "Unit", "compile_units", "link", "run_compiler", "warm_up"]

COMMON_FLAGS = [
    "-target", "wasm32-wasi", "-mcpu=generic+simd128-bulk_memory-bulk_memory_opt", "-mexec-model=reactor", "-O2", "-g0",
    "-D_WASI_EMULATED_SIGNAL", "-D_WASI_EMULATED_GETPID", "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_GNU_SOURCE", "-DNDEBUG",
]  # fmt: skip
LINK_FLAGS = [
    "-target", "wasm32-wasi", "-mcpu=generic+simd128-bulk_memory-bulk_memory_opt", "-mexec-model=reactor", "-O2",
    "-Wl,--export=__stack_pointer",
    "-Wl,-z,stack-size=1048576", "-lwasi-emulated-signal", "-lwasi-emulated-getpid", "-lwasi-emulated-process-clocks",
]  # fmt: skip


@dataclass(frozen=True)
class Unit:
    """A C file: ``name`` is relative to ``folder``, where the compiler runs; ``flags`` follow the common ones."""

    folder: Path
    name: str
    flags: tuple[str, ...]


class _Compiler:
    """Compiles units for one build; safe to call from several threads."""

    def __init__(self, cache: Cache, scratch: Path, progress: Progress) -> None:
        self._objects = cache.folder("objects")
        self._root = cache.root
        self._scratch = scratch
        self._progress = progress
        self.environment = _environment(cache, scratch)

    def object_of(self, unit: Unit) -> Path:
        recipe = self._recipe(unit)
        known = self._objects / f"{recipe}.json"
        cached = self._object_path(recipe, _read_list(known), unit)
        if cached and cached.is_file():
            os.utime(known)
            os.utime(cached)
            return cached
        return self._compile(unit, recipe, known)

    def _recipe(self, unit: Unit) -> str:
        parts = [ZIG, *COMMON_FLAGS, *unit.flags, unit.name, _content(unit.folder / unit.name)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _object_path(self, recipe: str, headers: list[str] | None, unit: Unit) -> Path | None:
        """Where the object for the current contents of ``headers`` is kept; None when they are unknown or gone."""
        if headers is None:
            return None
        try:
            contents = [f"{name}\0{_content(unit.folder / name)}\n" for name in headers]
        except OSError:
            return None
        return self._objects / (hashlib.sha256("".join([recipe, *contents]).encode()).hexdigest() + ".o")

    def _compile(self, unit: Unit, recipe: str, known: Path) -> Path:
        self._progress.detail(f"compiling {unit.name}")
        with tempfile.TemporaryDirectory(dir=self._scratch) as temporary:
            made, listed = Path(temporary) / "made.o", Path(temporary) / "made.d"
            maps = [f"-ffile-prefix-map={unit.folder}=.", f"-ffile-prefix-map={self._root}=."]
            command = [*compiler_command(), *COMMON_FLAGS, *unit.flags, *maps]
            command += ["-MD", "-MF", str(listed), "-c", unit.name, "-o", str(made)]
            run_compiler(command, self.environment, f"{unit.name} does not compile", cwd=unit.folder)
            headers = self._headers(listed.read_text("utf-8"), unit)
            target = self._object_path(recipe, headers, unit)
            if target is None:
                raise BuildError(f"a header of {unit.name} vanished during the build. Build again.")
            listing = Path(temporary) / "made.json"
            listing.write_text(json.dumps(headers), "utf-8")
            made.replace(target)
            listing.replace(known)
        return target

    def _headers(self, rule: str, unit: Unit) -> list[str]:
        """Names in a make rule that lie in the unit's folder or in the cache of sources."""
        names = [name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", rule.replace("\\\n", " "))[1:]]
        inside = [
            name for name in names if not Path(name).is_absolute() or Path(name).is_relative_to(self._root / "sources")
        ]
        return sorted(set(inside) - {unit.name})


def _environment(cache: Cache, scratch: Path) -> dict[str, str]:
    """The compiler's own caches go below ours; nothing else of the user's settings changes."""
    places = {"ZIG_GLOBAL_CACHE_DIR": str(cache.folder("zig")), "ZIG_LOCAL_CACHE_DIR": str(scratch / "zig")}
    return {**os.environ, **places}


def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read_list(path: Path) -> list[str] | None:
    try:
        return [str(name) for name in json.loads(path.read_text("utf-8"))]
    except (OSError, ValueError):
        return None


def run_compiler(command: list[str], environment: dict[str, str], failure: str, cwd: Path) -> None:
    """Run the compiler in ``cwd``; ``BuildError`` with its message when it fails."""
    answer = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=cwd)
    if answer.returncode:
        said = (answer.stderr or answer.stdout).strip()
        hint = "\nThe disk is full: free some space and try again." if "NoSpaceLeft" in said else ""
        raise BuildError(f"{failure}:\n{said[-6000:]}{hint}")


def compile_units(units: list[Unit], cache: Cache, scratch: Path, progress: Progress) -> list[Path]:
    """The object of each unit, in the order of ``units``."""
    compiler = _Compiler(cache, scratch, progress)
    progress.step(f"compiling {len(units)} C files")
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        futures = [pool.submit(compiler.object_of, unit) for unit in units]
        try:
            return [future.result() for future in futures]
        except BuildError:
            pool.shutdown(cancel_futures=True)
            raise


@contextlib.contextmanager
def warm_up(cache: Cache, scratch: Path) -> Generator[None]:
    """Let the compiler build its C library meanwhile: that takes a minute the first time and needs nothing of ours."""
    folder = scratch / "warm"
    folder.mkdir()
    (folder / "empty.c").write_text("", "utf-8")
    command = [*compiler_command(), "empty.c", "-o", "empty.wasm", *LINK_FLAGS]
    process = subprocess.Popen(
        command, cwd=folder, env=_environment(cache, folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def link(objects: list[Path], cache: Cache, scratch: Path, progress: Progress) -> bytes:
    """The module that ``objects`` make, names still in it."""
    progress.step("linking")
    linked = scratch / "linked.wasm"
    inputs: list[str] = []
    for index, path in enumerate(objects):  # short names of our own: a link must not depend on where the cache is
        copy = scratch / f"{index:03}.o"
        copy.write_bytes(path.read_bytes())
        inputs.append(copy.name)
    command = [*compiler_command(), *inputs, "-o", linked.name, *LINK_FLAGS]
    run_compiler(command, _environment(cache, scratch), "the guest does not link", cwd=scratch)
    return linked.read_bytes()
