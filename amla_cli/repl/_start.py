"""From the words of the command line to a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from amla_cli._limits import limits_of
from amla_cli._manifests import chosen_files, notes, read_manifests, refuse_servers, unloaded_hint
from amla_cli._mounts import check_shared, mounts_of, parse_env
from amla_cli._outcome import CliError, Message
from amla_cli._records import Records, Watch
from amla_cli._scripts import Lang

if TYPE_CHECKING:
    from amla_capabilities import Limits, Manifest, Policy
    from amla_cli._mounts import MountSpec
    from amla_sandbox import Sandbox, Session, ToolDefinition

__all__ = ["Order", "Plan", "make_session"]


class Order(NamedTuple):
    """The command line of `amla repl`, taken apart and not yet understood."""

    language: Lang
    tools: Sequence[str]
    mounts: Sequence[str]
    env: Sequence[str]
    saved: str | None
    keeps_history: bool
    limits: Mapping[str, str]
    records: Records


class Plan(NamedTuple):
    """An order understood: what is wrong with its words, its manifests and its tools has been found."""

    language: Lang
    files: Sequence[str]
    manifests: Sequence[Manifest]
    tools: Sequence[ToolDefinition]
    limits: Limits
    mounts: Sequence[MountSpec]
    env: Mapping[str, str]
    saved: bytes | None
    records: Records
    messages: Sequence[Message]

    @staticmethod
    def of(order: Order) -> Plan:
        """Read everything, and load the modules behind tools. Raises what `_errors` has sentences for."""
        files = chosen_files(order.tools)
        manifests = read_manifests(files)
        refuse_servers(manifests)
        env = {name: value for manifest in manifests for name, value in manifest.env.items()}
        hint = unloaded_hint(files)
        plan = Plan(
            order.language, files, manifests, _load(manifests), limits_of(manifests, order.limits),
            mounts_of(manifests, order.mounts), {**env, **parse_env(order.env)}, _saved(order.saved), order.records,
            [*notes(manifests), *([hint] if hint else [])],
        )  # fmt: skip
        check_shared(plan.mounts, plan.guarded)
        return plan

    def policy(self) -> Policy | None:
        """What decides about calls; None if nothing is granted."""
        if not self.manifests:
            return None
        from amla_capabilities.manifest import combine

        return combine(self.manifests)

    @property
    def guarded(self) -> list[str]:
        """The host's files that decide about scripts, which no script may change (R31)."""
        manifests = [*self.files, *(file for manifest in self.manifests for file in manifest.files)]
        return [*manifests, *self.records.files, *(file for tool in self.tools for file in tool.host_files)]


def _load(manifests: Sequence[Manifest]) -> list[ToolDefinition]:
    if not manifests:
        return []
    from amla_sandbox.tools import from_manifest

    return [tool for manifest in manifests for tool in from_manifest(manifest)]


def _saved(file: str | None) -> bytes | None:
    if file is None:
        return None
    try:
        return Path(file).read_bytes()
    except OSError as error:
        hint = "'.save FILE' in a session writes one"
        raise CliError("session", f"cannot read {file}: {error.strerror}", hint) from error


def make_session(
    plan: Plan, policy: Policy | None, watch: Watch, say: Callable[[str], None]
) -> tuple[Sandbox, Session]:
    """The sandbox and its session; `say` tells what takes long."""
    from amla_sandbox import Sandbox, Session
    from amla_sandbox._guest._engine import engine

    engine(say)
    sandbox = Sandbox(
        tools=plan.tools, policy=policy, limits=plan.limits, env=plan.env, approve=watch.approve, audit=watch.audit
    )
    return sandbox, Session(sandbox) if plan.saved is None else Session.load(sandbox, plan.saved)
