"""A sandbox as manifests describe it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from amla_capabilities import Limits
from amla_capabilities.manifest import Manifest, combine, load_manifest

from ._errors import SandboxError
from ._sandbox import Sandbox
from .tools import from_manifest

__all__ = ["merged_limits", "sandbox_of"]


def sandbox_of(
    paths: Sequence[str | os.PathLike[str]],
    *,
    limits: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
) -> Sandbox:
    """The sandbox of one manifest or several, its mounts copied in.

    `limits` (numbers by name) and `env` take precedence over the manifests'. Secrets come from `variables`, by default
    the process's environment. Raises ManifestError, ToolDefinitionError, and OSError for a mount that cannot be read.
    """
    manifests = [load_manifest(path) for path in paths]
    _refuse_servers(manifests)
    tools = [tool for manifest in manifests for tool in from_manifest(manifest, variables=variables)]
    environment = {name: value for manifest in manifests for name, value in manifest.env.items()}
    sandbox = Sandbox(
        tools=tools,
        policy=combine(manifests),
        limits=merged_limits(manifests, limits or {}),
        env={**environment, **(env or {})},
    )
    try:
        _mount(sandbox, manifests)
    except BaseException:
        sandbox.close()
        raise
    return sandbox


def merged_limits(manifests: Iterable[Manifest], given: Mapping[str, Any]) -> Limits:
    """Of each limit what is given, else the strictest that a manifest sets, else the default."""
    chosen: dict[str, float] = {}
    for manifest in manifests:
        for name in manifest.limits_set:
            value = getattr(manifest.limits, name)
            known = chosen.get(name)
            chosen[name] = value if not known else min(value or known, known)
    return Limits(**{**chosen, **given})


def _refuse_servers(manifests: Iterable[Manifest]) -> None:
    for manifest in manifests:
        for name in manifest.mcp:
            raise SandboxError(
                f"{manifest.path}: [mcp.{name}] declares an MCP server, which this version cannot start yet; "
                "declare its tools as 'command', 'http' or 'python' tools, or remove the table"
            )


def _mount(sandbox: Sandbox, manifests: Iterable[Manifest]) -> None:
    for manifest in manifests:
        folder = Path(manifest.path).parent if manifest.path is not None else Path()
        for mount in manifest.mounts:
            sandbox.fs.mount(folder / mount.host, mount.guest, writable=mount.mode == "rw")
