"""Manifests for tests, and what is wrong with one."""

from __future__ import annotations

from typing import Any

import pytest

from amla_capabilities import (
    FINDINGS,
    ManifestError,
    parse_manifest,
)

__all__ = ["EXAMPLE", "TOOL", "faults"]

EXAMPLE = """
include = []
[sandbox]
timeout = "5s"
memory = "64MB"
max_calls = 10

[tools.get_weather]
python = "weather:get_weather"
allow = true

[tools."git/log"]
command = ["git", "log", "-n", "{count}", "--format=%h {{x}}", "--", "{path}"]
params.count = { type = "integer", minimum = 1, default = 10 }
params.path = { type = "string", default = "." }
constraints = { count = "<=50" }
max_calls = 5
secret = ["path"]
env = { LANG = "C", TOKEN = "${GIT_TOKEN}" }

[tools."stripe/charges/create"]
http = { method = "POST", url = "https://x.example/{version}", body = "form", headers = { Auth = "Bearer ${KEY}" } }
params.version = { type = "string", enum = ["a"] }
params.amount = { type = "integer" }
params.currency = { type = "string", enum = ["USD", "EUR"] }
returns = { type = "object" }
mock = { id = "ch_test" }
effect = "write"

[mcp.github]
command = ["github-mcp-server", "stdio"]
env = { GITHUB_TOKEN = "${GITHUB_TOKEN}" }

[env]
MODE = "test {plain}"

[[mounts]]
host = "data"
guest = "/workspace/data"

[[capabilities]]
method = "github/**"
max_calls = 100
[[capabilities]]
method = "stripe/charges/*"
constraints = { amount = "<=10000", currency = ["USD", "EUR"] }
approval = "ask"

[[tests]]
call = "stripe.charges.create"
args = { amount = 50000, currency = "USD" }
expect = "deny"
"""

TOOL = '[tools.t]\ncommand = ["x", "{p}"]\nparams.p = { type = "string" }\n'


def faults(text: str, **more: Any) -> list[str]:
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text, "tools.toml", **more)
    assert all(fault.code in FINDINGS and fault.code.startswith("AM1") for fault in caught.value.faults)
    return [f"{fault.line}:{fault.column} {fault.path}: {fault.message}" for fault in caught.value.faults]
