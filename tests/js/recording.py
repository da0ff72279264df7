"""What recording is like whatever program answers: `tests/js/record.py` asks Node, `tests/shell/record.py` bash."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cases_file import Case, load, save

__all__ = ["Reference", "unprivileged"]

_NOBODY = 65534


@dataclass(frozen=True)
class Reference:
    """A program that is right by definition; ``run`` gives standard output and status of a case in it."""

    name: str
    cases: Path
    run: Callable[[Case], tuple[str, int]]

    def main(self, description: str | None) -> int:
        """Returns 1 when ``--check`` found a row that the program answers otherwise."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--check", action="store_true", help="compare only")
        parser.add_argument("areas", nargs="*", help="names of case files; all if none is given")
        options = parser.parse_args()
        paths = [self.cases / f"{area}.toml" for area in options.areas] or sorted(self.cases.glob("*.toml"))
        return 1 if sum(self._record(path, options.check) for path in paths) else 0

    def _record(self, path: Path, check: bool) -> int:
        cases = load(path)
        changed = [case.name for case in cases if case.differs is None and self._update(case)]
        if changed and not check:
            save(path, cases)
        verb = f"differ from {self.name}" if check else "recorded anew"
        print(f"{path.name}: {len(cases)} rows, {len(changed)} {verb}{': ' if changed else ''}{', '.join(changed)}")
        return len(changed) if check else 0

    def _update(self, case: Case) -> bool:
        before = (case.stdout, case.exit)
        case.stdout, case.exit = self.run(case)
        return before != (case.stdout, case.exit)


def unprivileged(scratch: Path) -> int | None:
    """Whom to run as: root may write everywhere, which would record the wrong answers."""
    if os.geteuid() != 0:
        return None
    for path in [scratch, *scratch.rglob("*")]:
        os.chown(path, _NOBODY, _NOBODY)
    return _NOBODY
