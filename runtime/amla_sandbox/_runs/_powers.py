"""What a session is given of its sandbox."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from amla_capabilities import Limits, Policy
    from amla_sandbox._calls._toolset import ToolSet
    from amla_sandbox._guest._instance import Instance
    from amla_sandbox._result import ExecutionResult
    from amla_sandbox._script import Script

    from ._scheduler import Drive

__all__ = ["Powers"]


class Powers(NamedTuple):
    """For the package itself."""

    instance: Instance
    tools: ToolSet
    limits: Limits
    policy: Callable[[], Policy]
    script: Callable[..., Script]
    """Code, language, input, arguments, environment and file name to a script ready to run."""
    drive: Callable[..., Drive]
    """Begins a script: `drive(script, on_output, meter=…)`. Raises SandboxBusyError while another runs."""
    over: Callable[[ExecutionResult], ExecutionResult]
    idle: Callable[[], AbstractContextManager[None]]
    """While no script runs, and none can start. Raises SandboxBusyError."""
