"""What a decision costs: `python -m benchmarks.policy`.

A policy of 50 capabilities as a larger agent has them: literal paths and patterns with stars, each with two or three
constraints, some with rates and totals, limits in the tools' own tables. Every call is decided anew; nothing about
arguments is remembered. Times are medians of batches.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from statistics import median
from types import MappingProxyType
from typing import Any

from amla_capabilities import MethodCapability, Param, Policy, ToolLimits

CAPABILITIES = 50
BAR = 20.0  # microseconds
BATCHES = 60
CALLS = 500

_SERVICES = ("stripe", "github", "mail", "calendar", "files", "crm", "search", "db", "chat", "tickets")
_GOOD: Mapping[str, Any] = MappingProxyType(
    {"amount": 500, "currency": "EUR", "path": "/workspace/reports/a.txt", "to": "ann@example.com", "tags": ("a",)}
)  # frozen, as a sandbox hands them over


def build() -> Policy:
    """The policy that is measured."""
    capabilities: list[MethodCapability] = []
    for n, service in enumerate(_SERVICES):
        capabilities += [
            MethodCapability(
                f"{service}/read", [Param("path").starts_with("/workspace/"), Param("path").length <= 200]
            ),
            MethodCapability(
                f"{service}/create",
                [Param("amount") <= 10000, Param("amount") > 0, Param("currency").is_in(["USD", "EUR"])],
                rate="100000/second",
                total={"amount": "<=100000000000"},
            ),
            MethodCapability(f"{service}/list*", [Param("tags").each(Param().length <= 20)], max_calls=10**9),
            MethodCapability(f"{service}/send", [Param("to").ends_with("@example.com"), Param("amount") < 1000]),
            MethodCapability(
                f"*/{service}/**" if n % 2 else f"{service}/admin/**", [Param("path").under("/workspace")]
            ),
        ]
    limits = {f"{service}/create": ToolLimits([Param("amount") <= 10**6], max_calls=10**9) for service in _SERVICES}
    return Policy(capabilities, limits)


def cases(policy: Policy) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    large = MappingProxyType({**_GOOD, "amount": 5000})
    return {
        "allowed, literal path": lambda: policy.authorize("db/read", _GOOD),
        "allowed, with rate, total and own limits": lambda: policy.check("db/create", _GOOD),
        "the same, charged": lambda: policy.authorize("search/create", _GOOD),
        "allowed, by a pattern with a star": lambda: policy.authorize("crm/list_all", _GOOD),
        "denied by a constraint": lambda: policy.authorize("chat/send", large),
        "denied, not granted": lambda: policy.authorize("db/drop", _GOOD),
    }


def measure(call: Callable[[], Any]) -> float:
    """Microseconds of one call."""
    times: list[float] = []
    for _ in range(BATCHES):
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        times.append((time.perf_counter() - start) / CALLS * 1e6)
    return median(times)


def main() -> int:
    policy = build()
    if len(policy.capabilities) != CAPABILITIES:
        raise SystemExit(f"the set has {len(policy.capabilities)} capabilities")
    worst = 0.0
    for name, call in cases(policy).items():
        taken = measure(call)
        worst = max(worst, taken)
        print(f"{name:<42} {taken:6.1f} µs")
    print(f"{'slowest; the bar is 20 µs':<42} {worst:6.1f} µs")
    return int(worst > BAR)


if __name__ == "__main__":
    sys.exit(main())
