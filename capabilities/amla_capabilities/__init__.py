"""What a script may do: names, patterns, constraints, decisions, budgets and the manifest.

Pure: nothing here touches a network, a process or WebAssembly, and only `load_manifest` reads a file. Each name is
imported when it is first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._budgets._bounds import Rate, Total
    from ._budgets._ledger import Ledger, RunMeter
    from ._budgets._spelling import read_totals
    from ._budgets._state import BudgetState, TotalState
    from ._constraints._comparisons import Misspelt
    from ._constraints._constraint import Constraint
    from ._constraints._constraint_set import ConstraintSet
    from ._constraints._failure import Failure
    from ._constraints._param import Param
    from ._constraints._spelling import constraints_from_dict
    from ._decisions._arguments import ArgumentsError, check_size, parse_arguments
    from ._decisions._decision import CODES, Decision
    from ._decisions._derivation import Derivation, GrantResult, LimitsResult, RuleResult
    from ._decisions._policy import Policy, ToolLimits
    from ._errors import (
        CallLimitExceededError,
        CapabilityError,
        ConstraintError,
        MissingParamError,
        PatternError,
        ToolNameError,
        TypeMismatchError,
        UndecidableError,
        ViolationError,
    )
    from ._grants._capability import METHOD_CAPABILITY_TYPE, MethodCapability, Scope, ToolCallCap
    from ._grants._toml import capabilities_from_toml, capabilities_to_toml
    from ._limits import Limits, LimitSpec
    from ._names import ToolNames, canonical_name, identifier, js_name, mcp_segment
    from ._patterns import canonical_pattern, method_matches_pattern, pattern_is_subset, patterns_overlap
    from ._suggest import did_you_mean, nearest
    from ._units import format_duration, format_size, parse_duration, parse_size
    from .findings import FINDINGS, Finding, FindingKind
    from .manifest import (
        CommandTool,
        EnvRef,
        HttpTool,
        Manifest,
        ManifestError,
        McpServer,
        Mount,
        PolicyTest,
        PythonTool,
        Slot,
        Template,
        Tool,
        combine,
        load_manifest,
        manifest_schema,
        parse_manifest,
    )

__all__ = [
    "CODES",
    "FINDINGS",
    "METHOD_CAPABILITY_TYPE",
    "ArgumentsError",
    "BudgetState",
    "CallLimitExceededError",
    "CapabilityError",
    "CommandTool",
    "Constraint",
    "ConstraintError",
    "ConstraintSet",
    "Decision",
    "Derivation",
    "EnvRef",
    "Failure",
    "Finding",
    "FindingKind",
    "GrantResult",
    "HttpTool",
    "Ledger",
    "LimitSpec",
    "Limits",
    "LimitsResult",
    "Manifest",
    "ManifestError",
    "McpServer",
    "MethodCapability",
    "MissingParamError",
    "Misspelt",
    "Mount",
    "Param",
    "PatternError",
    "Policy",
    "PolicyTest",
    "PythonTool",
    "Rate",
    "RuleResult",
    "RunMeter",
    "Scope",
    "Slot",
    "Template",
    "Tool",
    "ToolCallCap",
    "ToolLimits",
    "ToolNameError",
    "ToolNames",
    "Total",
    "TotalState",
    "TypeMismatchError",
    "UndecidableError",
    "ViolationError",
    "canonical_name",
    "canonical_pattern",
    "capabilities_from_toml",
    "capabilities_to_toml",
    "check_size",
    "combine",
    "constraints_from_dict",
    "did_you_mean",
    "format_duration",
    "format_size",
    "identifier",
    "js_name",
    "load_manifest",
    "manifest_schema",
    "mcp_segment",
    "method_matches_pattern",
    "nearest",
    "parse_arguments",
    "parse_duration",
    "parse_manifest",
    "parse_size",
    "pattern_is_subset",
    "patterns_overlap",
    "read_totals",
]

_HOMES = {
    "_decisions._arguments": ("ArgumentsError", "check_size", "parse_arguments"),
    "_budgets._spelling": ("read_totals",),
    "_budgets._bounds": ("Rate", "Total"),
    "_grants._capability": ("METHOD_CAPABILITY_TYPE", "MethodCapability", "Scope", "ToolCallCap"),
    "_grants._toml": ("capabilities_from_toml", "capabilities_to_toml"),
    "_constraints._comparisons": ("Misspelt",),
    "_constraints._constraint": ("Constraint",),
    "_constraints._constraint_set": ("ConstraintSet",),
    "_budgets._state": ("BudgetState", "TotalState"),
    "_decisions._derivation": ("Derivation", "GrantResult", "LimitsResult", "RuleResult"),
    "_decisions._decision": ("CODES", "Decision"),
    "_errors": (
        "CallLimitExceededError",
        "CapabilityError",
        "ConstraintError",
        "MissingParamError",
        "PatternError",
        "ToolNameError",
        "TypeMismatchError",
        "UndecidableError",
        "ViolationError",
    ),
    "_constraints._failure": ("Failure",),
    "findings": ("FINDINGS", "Finding", "FindingKind"),
    "_budgets._ledger": ("Ledger", "RunMeter"),
    "_limits": ("LimitSpec", "Limits"),
    "_names": ("ToolNames", "canonical_name", "identifier", "js_name", "mcp_segment"),
    "_constraints._param": ("Param",),
    "_patterns": ("canonical_pattern", "method_matches_pattern", "pattern_is_subset", "patterns_overlap"),
    "_decisions._policy": ("Policy", "ToolLimits"),
    "_constraints._spelling": ("constraints_from_dict",),
    "_suggest": ("did_you_mean", "nearest"),
    "manifest": (
        "CommandTool",
        "EnvRef",
        "HttpTool",
        "Manifest",
        "ManifestError",
        "McpServer",
        "Mount",
        "PolicyTest",
        "PythonTool",
        "Slot",
        "Template",
        "Tool",
        "combine",
        "load_manifest",
        "manifest_schema",
        "parse_manifest",
    ),
    "_units": ("format_duration", "format_size", "parse_duration", "parse_size"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
