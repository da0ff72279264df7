"""Capabilities as JSON, and as entries of a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._suggest import did_you_mean

from ._capability import MethodCapability, Scope

__all__ = ["from_dict", "from_table", "to_dict", "to_table"]

_LIMIT_KEYS = ("max_calls", "rate", "total", "expires", "approval", "note")
_JSON_KEYS = ("method_pattern", "constraints", *_LIMIT_KEYS, "input_schema", "scope")
_TABLE_KEYS = ("method", "constraints", *_LIMIT_KEYS)


def to_dict(capability: MethodCapability) -> dict[str, Any]:
    """What it says, as JSON."""
    data: dict[str, Any] = {"method_pattern": capability.method_pattern}
    if capability.constraints:
        data["constraints"] = capability.constraints.to_list()
    data |= _limits(capability)
    if capability.expires is not None:
        data["expires"] = capability.expires.isoformat()
    if capability.input_schema is not None:
        data["input_schema"] = capability.input_schema
    if capability.scope is not None:
        data["scope"] = {"tools": sorted(capability.scope.tools), "servers": sorted(capability.scope.servers)}
    return data


def to_table(capability: MethodCapability) -> dict[str, Any]:
    """The entry of `[[capabilities]]` that says the same."""
    data: dict[str, Any] = {"method": capability.method_pattern}
    if capability.constraints:
        data["constraints"] = capability.constraints.to_mapping()
    return data | _limits(capability)


def _limits(capability: MethodCapability) -> dict[str, Any]:
    limits: dict[str, Any] = {
        "max_calls": capability.max_calls,
        "rate": None if capability.rate is None else str(capability.rate),
        "total": {total.param: total.spelling() for total in capability.total} or None,
        "expires": capability.expires,
        "approval": capability.approval,
        "note": capability.note or None,
    }
    return {key: value for key, value in limits.items() if value is not None}


def from_dict(data: Mapping[str, Any]) -> MethodCapability:
    """The capability that `to_dict` described."""
    _check_keys(data, _JSON_KEYS)
    fields: dict[str, Any] = {**data, "constraints": ConstraintSet.from_list(data.get("constraints", ()))}
    if "scope" in data:
        fields["scope"] = Scope(frozenset(data["scope"]["tools"]), frozenset(data["scope"]["servers"]))
    return MethodCapability(**fields)


def from_table(table: Mapping[str, Any]) -> MethodCapability:
    """The capability of an entry of `[[capabilities]]`."""
    _check_keys(table, _TABLE_KEYS)
    return MethodCapability(table["method"], **{key: value for key, value in table.items() if key != "method"})


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in data:
        if key not in known:
            raise ValueError(f"unknown key {key!r} in a capability{did_you_mean(key, known)}")
    if known[0] not in data:
        raise ValueError(f"a capability needs a {known[0]!r}")
