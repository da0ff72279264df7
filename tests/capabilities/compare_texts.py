"""Manifests to compare, and what widened from one to the other."""

from __future__ import annotations

from amla_capabilities import Limits, MethodCapability, ToolLimits, parse_manifest
from amla_capabilities.compare import widened
from amla_capabilities.manifest import (
    CommandTool,
    HttpTool,
    Manifest,
    McpServer,
    Mount,
    PolicyTest,
    PythonTool,
    Tool,
)

COMPARED = (
    Manifest,
    Tool,
    PythonTool,
    CommandTool,
    HttpTool,
    McpServer,
    Mount,
    PolicyTest,
    ToolLimits,
    MethodCapability,
    Limits,
)


PAY = """
[tools."pay/card"]
command = ["pay", "{amount}", "{to}"]
params.amount = { type = "integer", minimum = 1, maximum = 100 }
params.to = { type = "string", default = "bank" }
[tools."pay/cash"]
command = ["cash", "{amount}"]
params.amount = { type = "integer" }
"""


def codes(old: str, new: str) -> list[str]:
    return [finding.code for finding in widened(parse_manifest(old), parse_manifest(new))]


def texts(old: str, new: str) -> list[str]:
    return [f"{finding.path}: {finding.message}" for finding in widened(parse_manifest(old), parse_manifest(new))]


def grants(*lines: str) -> str:
    """The two tools, and a capability for each text."""
    return PAY + "".join(f"\n[[capabilities]]\n{line}\n" for line in lines)


TOOL = '[tools.x]\npython = "m:f"\n'


RUN = '[tools.x]\ncommand = ["x", "--", "{a}"]\nparams.a = { type = "string" }\n'
