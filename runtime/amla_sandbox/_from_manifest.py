"""A sandbox as manifests describe it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amla_capabilities import Limits
from amla_capabilities.manifest import Manifest, Mount, combine, load_manifest

from ._errors import SandboxError
from ._sandbox import Sandbox
from .tools import ToolDefinition, from_manifest

if TYPE_CHECKING:
    from ._calls._approval import Approve
    from .audit._log import AuditSink

__all__ = ["merged_limits", "sandbox_of"]


def sandbox_of(
    paths: Sequence[str | os.PathLike[str]],
    *,
    limits: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
    approve: Approve | None = None,
    audit: AuditSink | str | os.PathLike[str] | None = None,
) -> Sandbox:
    """The sandbox of one manifest or several, its mounts copied in.

    `approve` and `audit` are `Sandbox`'s. `limits` (numbers by name) and `env` take precedence over the manifests'.
    Secrets come from `variables`, by default the process's environment. Raises ManifestError, ToolDefinitionError,
    SandboxError for a mount through which scripts could change what decides about them, or the audit log, and OSError
    for one that cannot be read.
    """
    manifests = [load_manifest(Path(path)) for path in paths]
    _refuse_servers(manifests)
    tools = [tool for manifest in manifests for tool in from_manifest(manifest, variables=variables)]
    mounts = list(_mounts(manifests))
    _refuse_shared(mounts, [*_deciding(manifests, tools), *_audited(audit)])
    environment = {name: value for manifest in manifests for name, value in manifest.env.items()}
    sandbox = Sandbox(
        tools=tools,
        policy=combine(manifests),
        limits=merged_limits(manifests, limits or {}),
        env={**environment, **(env or {})},
        approve=approve,
        audit=audit,
    )
    try:
        for host, mount in mounts:
            sandbox.fs.mount(host, mount.guest, writable=mount.mode == "rw", delete=mount.delete)
    except BaseException:
        sandbox.close()
        raise
    return sandbox


def merged_limits(manifests: Iterable[Manifest], given: Mapping[str, Any]) -> Limits:
    """Of each limit what is given, else the strictest that a manifest sets, else the default."""
    chosen: dict[str, Any] = {}
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


def _mounts(manifests: Iterable[Manifest]) -> Iterator[tuple[Path, Mount]]:
    """Each mount with its place on the host."""
    for manifest in manifests:
        folder = Path(manifest.path).parent if manifest.path is not None else Path()
        for mount in manifest.mounts:
            yield folder / mount.host, mount


def _deciding(manifests: Iterable[Manifest], tools: Iterable[ToolDefinition]) -> Iterator[Path]:
    """The files of the host that decide about scripts: the manifests, and what is behind the tools."""
    for manifest in manifests:
        yield from (Path(file).resolve() for file in manifest.files)
    for tool in tools:
        yield from (Path(file).resolve() for file in tool.host_files)


def _audited(audit: AuditSink | str | os.PathLike[str] | None) -> Iterator[Path]:
    """The file that calls are recorded in."""
    place = audit if isinstance(audit, str | os.PathLike) else getattr(audit, "path", None)
    if place is not None:
        yield Path(place).resolve()


def _refuse_shared(mounts: Iterable[tuple[Path, Mount]], deciding: Iterable[Path]) -> None:
    """R31: what is copied back must not reach what decides about scripts."""
    files = tuple(deciding)
    for host, mount in mounts:
        if mount.mode != "rw" or mount.unsafe_shared:
            continue
        inside = next((file for file in files if file.is_relative_to(host.resolve())), None)
        if inside is not None:
            raise SandboxError(
                f"{host} is mounted for writing and holds {inside}, which a script must not change: mount a folder "
                'beside it, use mode = "ro", or set unsafe_shared = true in [[mounts]]'
            )
