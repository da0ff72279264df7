"""The program on terminals of fixed sizes. Most tests share one, cleared between them: each start takes a while."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from repl_terminal import COMMAND, Start, Terminal, environment

TOOLS = '''\
import time
from pathlib import Path
from typing import Literal

def greet(name: str, times: int = 1, mood: Literal["happy", "sad"] = "happy") -> str:
    """Say hello to somebody.

    Args:
        name: who is greeted
    """
    return " ".join([f"hello {name}"] * times)

def nap(seconds: float) -> str:
    """Sleep for a while."""
    Path("napping").touch()
    time.sleep(seconds)
    return "slept"

def pay(to: str, amount: float) -> str:
    """Send money."""
    return f"paid {amount} to {to}"
'''

MANIFEST = """\
[tools.greet]
python = "toolbox:greet"
constraints = { times = "<=3" }
max_calls = 40

[tools.nap]
python = "toolbox:nap"
allow = true

[tools."bank/pay"]
python = "toolbox:pay"
approval = "ask"
constraints = { amount = "<= 100" }
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a manifest, `t.toml`."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "toolbox.py").write_text(TOOLS)
    (folder / "t.toml").write_text(MANIFEST)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """The first start ever compiles the guest, which may take longer than anything here waits."""
    subprocess.run([*COMMAND, "precompile", "-q"], check=True, env=environment(), stdout=subprocess.DEVNULL)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start sessions of a test's own."""
    with ExitStack() as stack:

        def begin(*args: str, cwd: Path = tmp_path, **options: object) -> Terminal:
            return stack.enter_context(closing(Terminal(*args, cwd=cwd, **options)))  # type: ignore[arg-type]

        yield begin


@pytest.fixture(scope="session")
def shared(shop: Path) -> Iterator[Terminal]:
    with closing(Terminal("--tools", "t.toml", cwd=shop, rows=30)) as terminal:
        yield terminal.wait_prompt()


@pytest.fixture
def js(shared: Terminal) -> Terminal:
    """A session with tools at an empty JavaScript prompt, at the top of an empty screen of 30 rows and 80 columns."""
    return shared.fresh("js")


@pytest.fixture
def sh(shared: Terminal) -> Terminal:
    """The same at an empty prompt of the shell."""
    return shared.fresh("shell")
