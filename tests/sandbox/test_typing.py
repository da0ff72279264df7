"""Code written against the public API passes a type checker, and misuse of it does not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RIGHT = """
from amla_sandbox import (
    ConstraintSet, ExecutionResult, Limits, MethodCapability, Param, Request, Sandbox, SandboxTool, ToolDefinition,
    create_sandbox_tool, tool_from_function,
)

def weather(city: str) -> dict[str, int]:
    return {city: 1}

async def handle(method: str, params: dict[str, object]) -> object:
    return [method, params]

tool: SandboxTool = create_sandbox_tool(
    tools=[weather], constraints={"weather": {"city": ["SF"]}}, max_calls={"weather": 10}
)
text: str = tool.run("1", language="javascript")
result: ExecutionResult = tool.execute("1")
success: bool = result.success
only = [MethodCapability("a/*", ConstraintSet([Param("amount") <= 10]), max_calls=5)]
with Sandbox(capabilities=only, tool_handler=handle, limits=Limits(timeout=1.5)) as sandbox:
    output: str = sandbox.execute("1")
    data: bytes = sandbox.fs.read("/workspace/x")
    sandbox.start("1")
    while sandbox.has_work():
        request: Request = sandbox.step()
        sandbox.resume(1, request)
        sandbox.resume(error=ValueError())
    left: int | None = sandbox.get_remaining_calls("cap:tool-call:a/*")
Sandbox(tools=[weather, tool_from_function(weather), ToolDefinition("b")])
"""

WRONG = """
create_sandbox_tool(max_calls="10")
Sandbox(tools=5)
Sandbox(timeout=1)
told: str = sandbox.run("1")
"""


def complaints(code: str, folder: Path) -> set[int]:
    """The lines that mypy finds fault with."""
    pytest.importorskip("mypy")
    file = folder / "user.py"
    file.write_text(code)
    root = Path(__file__).parents[2]
    paths = os.pathsep.join(str(root / each) for each in ("runtime", "capabilities"))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        folder / "cache",
        file,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "MYPYPATH": paths})
    return {int(line) for line in re.findall(r"user\.py:(\d+): error", done.stdout)}


def test_right_use_passes_and_wrong_use_does_not(tmp_path: Path) -> None:
    right, wrong = RIGHT.count("\n"), WRONG.strip().count("\n") + 1
    assert complaints(RIGHT + WRONG.lstrip(), tmp_path) == set(range(right + 1, right + 1 + wrong))
