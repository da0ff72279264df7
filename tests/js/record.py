"""Record what real Node prints for the rows of a case file: ``record.py [--check] AREA…`` (see cases/README.md)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cases_file import CASES, Case
from recording import Reference, unprivileged

__all__ = ["main", "run_in_node"]

_WORKSPACE = "/workspace"
_SECONDS = 30
_IMPORT = re.compile(r"^import\s+(?:(.+?)\s+from\s+)?(['\"][^'\"]+['\"]);?[ \t]*$", re.MULTILINE)

# On one line, so that the script's lines keep their numbers.
_BEFORE = (
    "Object.defineProperty(globalThis, 'fs', { value: require('node:fs/promises'), writable: true });"
    "(async () => { const value = await (async () => { "
)
_AFTER = """
})();
if (value !== undefined) console.log(typeof value === "string" ? value : JSON.stringify(value));
})();
"""


def run_in_node(case: Case) -> tuple[str, int]:
    """Standard output and status of a case in Node, in a folder that stands for /workspace."""
    with tempfile.TemporaryDirectory(prefix="ws") as scratch:
        workspace = Path(scratch) / "workspace"
        workspace.mkdir()
        for name, text in case.files.items():
            file = workspace / name.removeprefix(f"{_WORKSPACE}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        user = unprivileged(Path(scratch))
        node = subprocess.Popen(
            ["node", "-e", _BEFORE + _scripted(case.script, workspace) + _AFTER],
            cwd=workspace,
            env={"PATH": os.environ["PATH"], "TZ": "UTC", "HOME": str(workspace), "LANG": "C.UTF-8", "NO_COLOR": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            umask=0o022,
            user=user,
            group=user,
        )
        _give_pipes(node, user)
        try:
            stdout, _ = node.communicate((case.stdin or "").encode(), timeout=_SECONDS)
        finally:
            node.kill()
    return stdout.decode().replace(str(workspace), _WORKSPACE), node.returncode


def _scripted(script: str, workspace: Path) -> str:
    """Static imports as dynamic ones, since a function body can't hold them."""
    return _IMPORT.sub(_dynamic, script.replace(_WORKSPACE, str(workspace)))


def _dynamic(match: re.Match[str]) -> str:
    names, module = match.groups()
    loaded = f"await import({module})"
    if names is None:
        return f"{loaded};"
    default, _, named = names.partition("{")
    parts = [f"{{ {_renamed(named)}" if named else ""]
    first = default.strip().rstrip(",").strip()
    if first.startswith("*"):
        return f"const {first.split()[-1]} = {loaded};"
    if first:
        parts.insert(0, f"{{ default: {first} }}")
    return " ".join(f"const {part} = {loaded};" for part in parts if part)


def _renamed(named: str) -> str:
    return re.sub(r"(\w+)\s+as\s+(\w+)", r"\1: \2", named)


def _give_pipes(node: subprocess.Popen[bytes], user: int | None) -> None:
    """/dev/stdin and /dev/stdout are opened anew by name, which asks who owns the pipe."""
    if user is None:
        return
    for stream in (node.stdin, node.stdout):
        if stream:
            os.fchown(stream.fileno(), user, user)


def main() -> int:
    return Reference("Node", CASES, run_in_node).main(__doc__)


if __name__ == "__main__":
    sys.exit(main())
