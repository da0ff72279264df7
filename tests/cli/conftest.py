"""The command line as people meet it: a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from cli_process import COMMAND, Amla, Ended, environment


@pytest.fixture
def amla(tmp_path: Path) -> Amla:
    """Run the command line in an empty folder (`tmp_path`) to its end."""

    def run(
        *args: str,
        stdin: bytes | int = b"",
        env: Mapping[str, str] = {},
        cwd: Path | None = None,
    ) -> Ended:
        given: dict[str, Any] = {"stdin": stdin} if isinstance(stdin, int) else {"input": stdin}
        done = subprocess.run(
            [*COMMAND, *args], capture_output=True, cwd=cwd or tmp_path, env=environment(**env), timeout=60, **given
        )
        return Ended(done.returncode, done.stdout, done.stderr.decode())

    return run


GREETER = '''\
def greet(name: str, times: int = 1) -> str:
    """Say hello.

    Args:
        name: who is greeted
    """
    return " ".join([f"hello {name}"] * times)
'''

MANIFEST = """\
[tools.greet]
python = "greeter:greet"
constraints = { times = "<=3" }

[tools."hidden/one"]
command = ["true"]
"""


@pytest.fixture
def manifest(tmp_path: Path) -> str:
    """A manifest with a granted Python tool and one that nothing grants; its name, for `--tools`."""
    (tmp_path / "greeter.py").write_text(GREETER)
    (tmp_path / "my-tools.toml").write_text(MANIFEST)
    return "my-tools.toml"
