"""`Judge`: the verdict on a call site, as far as there can be one before the script runs (R4).

"Allowed" is said only of a call whose arguments are all constants, under a name that means the tool, where nothing is
counted, timed or asked. "Denied" is said where no value of what is open could change that. Everything else is decided
at run time, and the verdict says by what.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._decisions._policy import Policy, ToolLimits
from amla_capabilities._errors import ToolNameError
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._names import ToolNames, js_name
from amla_capabilities._paths import path_text

from ._chance import chance, culprits, undecided
from ._misfit import defaults_of, fills_below, is_plain, misfit
from ._partial import UNKNOWN, Partial, Text, partial_arguments
from ._site import CallSite

__all__ = ["Judge", "Prepare", "SiteVerdict", "Status"]

Status = Literal["allowed", "denied", "at run time", "unknown tool", "unknown call"]

Prepare = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""Makes of a tool's path and arguments those that a run would hand to the policy; raises `ValueError` where the
tool's schema refuses them."""

_SHOWN = 3
"""Open constraints that a sentence names."""


@dataclass(frozen=True, slots=True)
class SiteVerdict:
    """What will become of a call site.

    `code` is that of the finding it makes, "" for an allowed call; `tool` the declared path, if there is one; `reason`
    is a sentence without its full stop, `hint` what to do. `open` are the constraints that only a run can decide.
    """

    site: CallSite
    status: Status
    code: str
    tool: str | None
    reason: str = ""
    hint: str = ""
    open: tuple[str, ...] = ()
    capability: MethodCapability | None = None


class Judge:
    """Judges the call sites of scripts by one policy."""

    def __init__(
        self,
        policy: Policy,
        tools: Iterable[str],
        *,
        schemas: Mapping[str, Mapping[str, Any]] | None = None,
        servers: Collection[str] = (),
        prepare: Prepare | None = None,
    ) -> None:
        """`tools` are the declared paths, `schemas` those of their arguments that are known, `servers` the MCP servers
        whose tools are not. `policy` has charged nothing yet. Raises `ToolNameError` for tools that would merge."""
        self._policy = policy
        self._names = ToolNames(tools)
        self._schemas = schemas or {}
        self._servers = frozenset(servers)
        self._prepare = prepare

    def judge(self, site: CallSite) -> SiteVerdict:
        """The verdict on one site."""
        if site.tool is None:
            note = site.note or "which tool is called is not known"
            return SiteVerdict(site, "unknown call", "AM405", None, f"cannot be checked: {note}")
        path = self._resolve(site.tool)
        if path is None:
            return self._unknown(site, site.tool)
        if site.shadowed:
            reason = f"{site.note or f'{js_name(path)} is no longer the tool here'}"
            return SiteVerdict(
                site, "at run time", "AM406", path, reason, "give the script's own variable another name"
            )
        if site.fault:
            return SiteVerdict(site, "denied", "AM402", path, f"{path}: {site.fault}")
        if site.complete and site.arguments is not None and path in self._schemas:
            return self._complete(site, path, site.arguments)
        return _Open(site, path, self._policy, self._schemas.get(path)).verdict()

    def _resolve(self, name: str) -> str | None:
        try:
            path = self._names.resolve(name)
        except ToolNameError:
            return None
        server, slash, _ = name.partition("/")
        return name if path is None and slash and server in self._servers else path

    def _unknown(self, site: CallSite, name: str) -> SiteVerdict:
        near = self._names.nearest(name)
        hint = f"did you mean {js_name(near)}?" if near else "declare it in the manifest, or define the function"
        return SiteVerdict(site, "unknown tool", "AM403", None, f"there is no tool {name!r}", hint)

    def _complete(self, site: CallSite, path: str, arguments: Mapping[str, Any]) -> SiteVerdict:
        try:
            given = arguments if self._prepare is None else self._prepare(path, arguments)
        except ValueError as error:
            return SiteVerdict(site, "denied", "AM402", path, _named(path, str(error)))
        decision = self._policy.check(path, given)
        if decision.verdict == "denied":
            reason = f"{path} is denied: {decision.reason}"
            return SiteVerdict(site, "denied", "AM401", path, reason, decision.needed, (), decision.capability)
        counted = tuple(_conditions(self._policy.tools.get(path), decision.capability))
        if counted:
            reason = f"{path} is decided at run time: {', '.join(counted)}"
            return SiteVerdict(site, "at run time", "AM404", path, reason, "", counted, decision.capability)
        return SiteVerdict(site, "allowed", "", path, f"{path} is allowed", "", (), decision.capability)


class _Open:
    """The verdict on a site whose arguments are not all known."""

    def __init__(self, site: CallSite, path: str, policy: Policy, schema: Mapping[str, Any] | None) -> None:
        self._site = site
        self._path = path
        self._schema = schema
        self._limits = policy.tools.get(path) or ToolLimits()
        self._grants = policy.grants(path)
        self._value = self._arguments()
        self._lenient = schema is None or fills_below(schema)

    def _arguments(self) -> Any:
        """With defaults; there may be any where they do not follow from the schema."""
        site, schema = self._site, self._schema
        if schema is None or not is_plain(schema):
            return partial_arguments(site.arguments, ("", *site.open), site.texts)
        value = partial_arguments(site.arguments, site.open, site.texts)
        return value.with_defaults(defaults_of(schema)) if isinstance(value, Partial) else value

    def verdict(self) -> SiteVerdict:
        if self._schema is not None and (problem := misfit(self._schema, self._value)) is not None:
            return self._say("denied", "AM402", f"{self._path}: {problem}")
        if (problem := self._refusal()) is not None:
            return self._say("denied", "AM401", f"{self._path} is denied: {problem}")
        conditions = tuple(dict.fromkeys(self._conditions()))
        return self._say(
            "at run time", "AM404", f"{self._path} is decided at run time: {self._why(conditions)}", conditions
        )

    def _say(self, status: Status, code: str, reason: str, conditions: tuple[str, ...] = ()) -> SiteVerdict:
        return SiteVerdict(self._site, status, code, self._path, reason, "", conditions)

    def _refusal(self) -> str | None:
        """Why no values could make the call pass, if so."""
        if not self._limits.allow:
            return "the owner forbids this tool"
        if (problem := self._broken(self._limits.constraints)) is not None:
            return problem
        if not self._grants:
            return "no capability grants this tool"
        problems = [self._broken(capability.constraints) for capability in self._grants]
        return None if None in problems else problems[0]

    def _broken(self, constraints: ConstraintSet) -> str | None:
        """What of a set cannot be true."""
        for constraint in constraints:
            if not chance(constraint, self._value, lenient=self._lenient).true:
                return self._told(next(culprits(constraint, self._value, lenient=self._lenient)))
        return None

    def _told(self, constraint: Constraint) -> str:
        failure = constraint.check(_known(self._value))
        if failure is None:
            return f"{constraint} cannot hold"
        return failure.redacted(self._limits.hides).message

    def _conditions(self) -> Iterator[str]:
        """What decides: constraints that may turn out either way, then what the grants in question count and ask."""
        grants = list(self._in_question())
        sets = [self._limits.constraints, *(capability.constraints for capability in grants)]
        for constraint in (one for each in sets for one in each):
            for leaf in undecided(constraint, self._value, lenient=self._lenient):
                yield f"a constraint on {path_text(leaf.path)}" if self._limits.hides(leaf.path) else str(leaf)
        for capability in grants:
            yield from _conditions(self._limits, capability)

    def _in_question(self) -> Iterator[MethodCapability]:
        """The grants that may decide: those that may fit, up to the first that fits whatever is passed."""
        for capability in self._grants:
            chances = [chance(one, self._value, lenient=self._lenient) for one in capability.constraints]
            if all(one.true for one in chances):
                yield capability
                if not any(one.untrue for one in chances):
                    return

    def _why(self, conditions: tuple[str, ...]) -> str:
        names = [f"'{path}'" if path else "what else is passed" for path in self._site.open]
        what = _listed(names) if self._site.arguments is not None else "what is passed"
        are = "are not constants" if len(names) > 1 else "is not a constant"
        unknown = f"{what} {are}" if names else "the tool's schema is not known"
        return unknown if not conditions else f"{_listed(list(conditions))} ({unknown})"


def _listed(words: list[str]) -> str:
    more = len(words) - _SHOWN
    return ", ".join(words[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _conditions(limits: ToolLimits | None, capability: MethodCapability | None) -> Iterator[str]:
    """What of a grant depends on more than the call: budgets, time and people."""
    holders = [*([limits] if limits else []), *(capability.lineage() if capability else ())]
    for holder in holders:
        if holder.max_calls is not None:
            yield f"max_calls = {holder.max_calls}"
        if holder.rate is not None:
            yield f"rate = {holder.rate}"
        yield from (str(total) for total in holder.total)
        if holder.expires is not None:
            yield f"expires = {holder.expires.isoformat()}"
        if holder.approval is not None:
            yield f"approval = {holder.approval}"


def _known(value: Any) -> Any:
    """The known parts alone, for a message."""
    if isinstance(value, Text):
        return value.example
    if not isinstance(value, Partial):
        return value
    parts = {key: _known(item) for key, item in value.items.items() if item is not UNKNOWN}
    return parts if value.kind == "object" else list(parts.values())


def _named(path: str, message: str) -> str:
    return message if message.startswith(f"{path}:") else f"{path}: {message}"
