"""Record what real bash and GNU tools print for the rows of a case file: ``record.py [--check] AREA…`` (see cases/README.md)."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "js"))
from cases_file import Case
from recording import Reference, unprivileged

__all__ = ["CASES", "main", "run_in_bash"]

CASES = Path(__file__).with_name("cases")
_WORKSPACE = "/workspace"
_SECONDS = 30


def run_in_bash(case: Case) -> tuple[str, int]:
    """Standard output and status of a case in bash, in a folder that stands for /workspace."""
    with tempfile.TemporaryDirectory(prefix="ws") as scratch:
        workspace = Path(scratch) / "workspace"
        workspace.mkdir()
        for name, text in case.files.items():
            file = workspace / name.removeprefix(f"{_WORKSPACE}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8", "surrogateescape"))
        script = Path(scratch) / "script.sh"
        script.write_text(case.script.replace(_WORKSPACE, str(workspace)), "utf-8")
        stdout, status = _run(script, workspace, (case.stdin or "").encode())
    return stdout.decode("utf-8", "replace").replace(str(workspace), _WORKSPACE), status


def _run(script: Path, workspace: Path, stdin: bytes) -> tuple[bytes, int]:
    user = unprivileged(script.parent)
    environment = {
        "PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": str(workspace), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "USER": "user",
    }  # fmt: skip
    bash = subprocess.Popen(
        ["bash", str(script)],
        cwd=workspace,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        umask=0o022,
        user=user,
        group=user,
    )
    try:
        stdout, _ = bash.communicate(stdin, timeout=_SECONDS)
    finally:
        _end_all(bash)
    return stdout, bash.returncode


def _end_all(bash: subprocess.Popen[bytes]) -> None:
    """Background jobs of the script go with it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(bash.pid, signal.SIGKILL)
    bash.wait()


def main() -> int:
    return Reference("bash", CASES, run_in_bash).main(__doc__)


if __name__ == "__main__":
    sys.exit(main())
