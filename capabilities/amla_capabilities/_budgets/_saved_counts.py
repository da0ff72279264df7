"""Reading the counts that a ledger exported. They may come from a file, so nothing about them is taken on trust."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from amla_capabilities._values import as_list, as_mapping

from ._ledger import Account

__all__ = ["read_accounts"]

_KEYS = {"calls", "times", "window", "sums"}
_SUM = re.compile(r"[0-9]{1,450}(\.[0-9]{1,450})?")


def read_accounts(saved: Mapping[str, Any]) -> dict[str, Account]:
    """The accounts in what `Ledger.export` gave. Raises `ValueError` for anything else."""
    table = as_mapping(saved.get("accounts"))
    if saved.get("version") != 1 or table is None:
        raise ValueError("these are no saved counts of this version")
    return {key: _account(key, as_mapping(data)) for key, data in table.items()}


def _account(key: str, data: Mapping[str, Any] | None) -> Account:
    if data is None or set(data) != _KEYS:
        raise ValueError(f"the saved counts of {key!r} are not complete")
    calls, times, sums = data["calls"], as_list(data["times"]), as_mapping(data["sums"])
    if type(calls) is not int or calls < 0 or times is None or sums is None or not _is_time(data["window"]):
        raise ValueError(f"the saved counts of {key!r} are malformed")
    if not all(map(_is_time, times)) or not all(isinstance(s, str) and _SUM.fullmatch(s) for s in sums.values()):
        raise ValueError(f"the saved counts of {key!r} are malformed")
    account = Account()
    account.calls, account.times, account.window = calls, sorted(times), data["window"]
    account.sums = {param: Decimal(total) for param, total in sums.items()}
    return account


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
