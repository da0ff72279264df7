"""Builds the guest twice from scratch, in two folders of different names and depths, and compares the bytes.

Run: ``python tests/build/reproducible.py``. Nothing is taken from a cache, so it needs the network and some minutes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
FILES = ["amla.wasm", "provenance.json"]
LEFT_OUT = shutil.ignore_patterns("node_modules", "generated", "__pycache__")


def build(folder: Path) -> dict[str, str]:
    """Build a copy of the sources that lies in ``folder``, with its temporary files there too; the outputs' hashes."""
    guest, output, temporary = folder / "runtime" / "guest", folder / "out", folder / "tmp"
    temporary.mkdir(parents=True)
    shutil.copytree(RUNTIME / "guest", guest, ignore=LEFT_OUT)
    command = [sys.executable, str(guest / "build.py"), "--no-cache", "--output", str(output)]
    subprocess.run(command, check=True, env={**os.environ, "TMPDIR": str(temporary), "PYTHONHASHSEED": "random"})
    return {name: hashlib.sha256((output / name).read_bytes()).hexdigest() for name in FILES}


def main() -> int:
    with tempfile.TemporaryDirectory() as root:
        one = build(Path(root) / "one")
        two = build(Path(root) / "another" / "much deeper" / "folder")
    for name in FILES:
        print(f"{name}: {one[name]} {'==' if one[name] == two[name] else '!='} {two[name]}")
    return 0 if one == two else 1


if __name__ == "__main__":
    sys.exit(main())
