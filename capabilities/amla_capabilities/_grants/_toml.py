"""Capabilities as TOML text: the `[[capabilities]]` of a manifest."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from amla_capabilities._errors import ConstraintError
from amla_capabilities._values import as_list, as_mapping

from ._capability import MethodCapability

__all__ = ["capabilities_from_toml", "capabilities_to_toml"]


def capabilities_to_toml(capabilities: Iterable[MethodCapability]) -> str:
    """The capabilities as `[[capabilities]]` (without scope and schema, which a manifest gives by where it is).

    Raises `ConstraintError` for an operand that TOML cannot hold: a null within a list or an object.
    """
    import tomli_w

    tables = [capability.to_table() for capability in capabilities]
    for table in tables:
        _check_nulls(table)
    return tomli_w.dumps({"capabilities": tables})


def capabilities_from_toml(text: str) -> list[MethodCapability]:
    """The capabilities that `capabilities_to_toml` wrote. Raises `ValueError`."""
    data: Mapping[str, Any] = tomllib.loads(text)
    if set(data) - {"capabilities"}:
        raise ValueError("only [[capabilities]] are read here; load_manifest reads whole manifests")
    return [MethodCapability.from_table(table) for table in data.get("capabilities", ())]


def _check_nulls(value: object) -> None:
    if value is None:
        raise ConstraintError('TOML has no null: compare with it by itself, as in "==null"')
    items, table = as_list(value), as_mapping(value)
    for part in items or (table.values() if table else ()):
        _check_nulls(part)
