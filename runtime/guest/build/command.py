"""The build as a command: ``python runtime/guest/build.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .bundle import generate
from .ensure import ensure_guest
from .errors import BuildError
from .tools import requirements
from .tree import SourceTree

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="build.py", description="Build the guest, amla.wasm, and its provenance.")
    parser.add_argument(
        "--output", metavar="DIR", type=Path, help="where to put the two files (default: into amla_sandbox)"
    )
    parser.add_argument("--no-cache", action="store_true", help="build everything from scratch, in a temporary folder")
    parser.add_argument(
        "--generate", action="store_true", help="only write the generated TypeScript, for editors and tsc"
    )
    parser.add_argument("--requirements", action="store_true", help="only print what to pip install before a build")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every file as it is compiled")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, or 1 with the reason on stderr."""
    options = _parser().parse_args(arguments)
    if options.requirements:
        print("\n".join(requirements()))
        return 0
    try:
        if options.generate:
            generate(SourceTree.around(__file__).ts)
        else:
            ensure_guest(options.output, fresh=options.no_cache, verbose=options.verbose)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0
