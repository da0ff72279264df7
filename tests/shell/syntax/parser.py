"""The shell's parser in node, without the guest: what takes minutes there takes seconds here."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).parents[2] / "js"))
from cases_file import Case, load

__all__ = ["Question", "ask", "rows", "runnable"]

Question = Literal["faults", "functions", "round"]
_CASES = Path(__file__).parent.parent / "cases"
_ESBUILD = Path(__file__).parents[3] / "runtime/guest/ts/node_modules/esbuild"


def runnable() -> bool:
    """Whether node and the guest's build tools are there."""
    return shutil.which("node") is not None and _ESBUILD.exists()


def ask(question: Question, scripts: list[str]) -> list[str]:
    """One answer for each script, as ``parse.mjs`` says."""
    program = Path(__file__).with_name("parse.mjs")
    done = subprocess.run(["node", str(program), question], input=json.dumps(scripts).encode(), capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    answers: list[str] = json.loads(done.stdout)
    return answers


def rows(area: str | None = None) -> list[Case]:
    """The shell's cases, of one area or all."""
    return [case for path in sorted(_CASES.glob(f"{area or '*'}.toml")) for case in load(path)]
