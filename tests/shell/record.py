"""Record what real bash and GNU tools print for the rows of a case file: ``record.py [--check] AREA…`` (see cases/README.md)."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "js"))
from cases_file import Case, load, save

__all__ = ["CASES", "main", "run_in_bash"]

CASES = Path(__file__).with_name("cases")
_WORKSPACE = "/workspace"
_SECONDS = 30
_NOBODY = 65534


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
    user = _unprivileged(script.parent)
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


def _unprivileged(scratch: Path) -> int | None:
    """Whom to run as: root may write everywhere, which would record the wrong answers."""
    if os.geteuid() != 0:
        return None
    for path in [scratch, *scratch.rglob("*")]:
        os.chown(path, _NOBODY, _NOBODY)
    return _NOBODY


def _record(path: Path, check: bool) -> int:
    cases = load(path)
    changed = [case.name for case in cases if case.differs is None and _update(case)]
    if changed and not check:
        save(path, cases)
    verb = "differ from bash" if check else "recorded anew"
    print(f"{path.name}: {len(cases)} rows, {len(changed)} {verb}{': ' if changed else ''}{', '.join(changed)}")
    return len(changed) if check else 0


def _update(case: Case) -> bool:
    before = (case.stdout, case.exit)
    case.stdout, case.exit = run_in_bash(case)
    return before != (case.stdout, case.exit)


def main() -> int:
    """Returns 1 when ``--check`` found a row that bash answers otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("areas", nargs="*", help="names of case files; all if none is given")
    options = parser.parse_args()
    paths = [CASES / f"{area}.toml" for area in options.areas] or sorted(CASES.glob("*.toml"))
    return 1 if sum(_record(path, options.check) for path in paths) else 0


if __name__ == "__main__":
    sys.exit(main())
