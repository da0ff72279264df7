"""What `amla run` does, from the words of the command line to an outcome."""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, NamedTuple

from ._exit import Exit
from ._limits import limits_of
from ._manifests import chosen_files, notes, read_manifests, refuse_servers, unloaded_hint
from ._mounts import NOT_WRITTEN, check_shared, give_back, mount_all, mounts_of, parse_env, parse_out
from ._outcome import CliError, Message, Outcome, Problem, Settings
from ._records import Records, Watch, watched
from ._report import Report, run_data
from ._scripts import Lang, Script, read_script
from ._streams import GuardedOutlet, Outlet, standard_input
from ._terminal import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from amla_capabilities import Limits, Manifest, Policy
    from amla_sandbox import ExecutionResult, Sandbox, ToolDefinition

    from ._mounts import MountSpec

__all__ = ["Order", "run_order"]

_LANGUAGES = {Lang.js: "javascript", Lang.ts: "typescript", Lang.shell: "shell"}


class Order(NamedTuple):
    """The command line of `amla run`, taken apart and not yet understood."""

    script: str | None
    args: Sequence[str]
    code: str | None
    lang: Lang | None
    tools: Sequence[str]
    mounts: Sequence[str]
    outs: Sequence[str]
    env: Sequence[str]
    limits: Mapping[str, str]
    records: Records = Records()


class _Plan(NamedTuple):
    """An order understood: everything that could be wrong with its words has been found."""

    script: Script
    args: Sequence[str]
    files: Sequence[str]
    manifests: Sequence[Manifest]
    limits: Limits
    mounts: Sequence[MountSpec]
    outs: Sequence[tuple[str, Path]]
    env: Mapping[str, str]
    records: Records


def run_order(order: Order, settings: Settings) -> Outcome:
    """Run the script to its end. Raises what `_errors` has sentences for."""
    with redirect_stdout(sys.stderr):  # stdout is the script's; what tools print, at import or when called, is not
        return _run_order(order, settings)


def _run_order(order: Order, settings: Settings) -> Outcome:
    plan = _plan(order)
    _refuse_unsupported(plan.script)
    with Progress(settings) as progress:
        tools = _load(plan, progress)
    policy = _policy(plan.manifests)
    with watched(plan.records, policy) as watch, _sandbox(plan, tools, policy, watch) as sandbox:
        messages = [*notes(plan.manifests), *mount_all(sandbox, plan.mounts)]
        result = _run(sandbox, plan, watch, settings)
        left, lost = _given_back(sandbox, plan, tools) if result.exit_code == Exit.OK else ([], [])
        trail = watch.audit and {"file": str(watch.audit.path), "head": watch.audit.head}
    outcome = _outcome(plan, result, [*messages, *left], lost, settings)
    return outcome._replace(data={**outcome.data, "audit": trail})


def _plan(order: Order) -> _Plan:
    files = chosen_files(order.tools)
    outs, env = [parse_out(text) for text in order.outs], parse_env(order.env)
    manifests = read_manifests(files)
    refuse_servers(manifests)
    limits, mounts = limits_of(manifests, order.limits), mounts_of(manifests, order.mounts)
    script = read_script(order.script, order.code, order.lang)
    if order.records.dry_run and order.records.audit is not None:
        raise CliError("usage", "--dry-run makes no calls, so there is nothing for --audit to record", "leave one out")
    return _Plan(script, order.args, files, manifests, limits, mounts, outs, env, order.records)


def _refuse_unsupported(script: Script) -> None:
    """Say what cannot run before anything takes time for it."""
    from amla_sandbox._runs._language import script_for

    script_for("", _LANGUAGES[script.lang], b"", (), {}, script.name)


def _load(plan: _Plan, progress: Progress) -> list[ToolDefinition]:
    """Everything that takes long: the engine, and the modules behind tools."""
    from amla_sandbox._guest._engine import engine

    tools = _tools(plan)
    check_shared(plan.mounts, _guarded(plan, tools))
    engine(progress)
    return tools


def _tools(plan: _Plan) -> list[ToolDefinition]:
    if not plan.manifests:
        return []
    if plan.records.dry_run:
        from ._catalog import catalog

        return [entry.definition for entry in catalog(plan.manifests, load=False)]
    from amla_sandbox.tools import from_manifest

    return [tool for manifest in plan.manifests for tool in from_manifest(manifest)]


def _policy(manifests: Sequence[Manifest]) -> Policy | None:
    if not manifests:
        return None
    from amla_capabilities.manifest import combine

    return combine(manifests)


def _sandbox(plan: _Plan, tools: Sequence[ToolDefinition], policy: Policy | None, watch: Watch) -> Sandbox:
    from amla_sandbox import Sandbox

    if plan.records.dry_run:
        from amla_sandbox._mocks._dry_run import dry_sandbox

        return dry_sandbox(plan.manifests, tools=tools, limits=plan.limits, env=plan.env)
    env = {name: value for manifest in plan.manifests for name, value in manifest.env.items()}
    return Sandbox(
        tools=tools,
        policy=policy,
        limits=plan.limits,
        env={**env, **plan.env},
        approve=watch.approve,
        audit=watch.audit,
    )


def _given_back(sandbox: Sandbox, plan: _Plan, tools: Sequence[ToolDefinition]) -> tuple[list[Message], list[Problem]]:
    """What the script wrote, on the host; nothing of it when the run was on trial."""
    if not plan.records.dry_run:
        return give_back(sandbox, plan.outs, _guarded(plan, tools))
    kept = bool(plan.outs) or any(mount.writable for mount in plan.mounts)
    return ([Message("hint", "nothing was copied back: this was a dry run")] if kept else []), []


def _guarded(plan: _Plan, tools: Sequence[ToolDefinition]) -> list[str]:
    """The host's files that decide about scripts, which no script may change (R31)."""
    manifests = [*plan.files, *(file for manifest in plan.manifests for file in manifest.files)]
    return [*manifests, *plan.records.files, *(file for tool in tools for file in tool.host_files)]


def _run(sandbox: Sandbox, plan: _Plan, watch: Watch, settings: Settings) -> ExecutionResult:
    script = plan.script
    guard = GuardedOutlet() if watch.approve is not None and not settings.json else None
    gc.freeze()  # what has been loaded is here to stay
    gc.enable()
    result = sandbox.run(
        script.text,
        _LANGUAGES[script.lang],
        stdin=None if script.from_input else standard_input(),
        args=plan.args,
        filename=script.name,
        on_output=None if settings.json else guard or Outlet(),
    )
    if guard is not None:
        guard.end()
    return result


def _outcome(
    plan: _Plan, result: ExecutionResult, said: Sequence[Message], lost: Sequence[Problem], settings: Settings
) -> Outcome:
    report = Report(plan.script, result, settings)
    hint = unloaded_hint(plan.files) if result.exit_code in (Exit.SCRIPT_ERROR, Exit.DENIED) else None
    messages = (*said, *([hint] if hint else []), *report.details())
    status = _status(lost) if lost else result.exit_code & 0xFF
    if plan.records.dry_run:
        messages = (*report.trial(), *messages)
        status = Exit.DENIED if report.would_be_denied() and status not in _CUT_SHORT else status
    return Outcome(run_data(result), messages=messages, problems=(*report.problems(), *lost), exit_code=status)


_CUT_SHORT = (Exit.BROKEN, Exit.INTERRUPTED)


def _status(lost: Sequence[Problem]) -> Exit:
    """The status of a run that ended well but not all of which could be given back: is it the script's own doing?"""
    return Exit.SCRIPT_ERROR if all(problem.code == NOT_WRITTEN for problem in lost) else Exit.BROKEN
