"""The tools of this example: a small shop's data, read from the files beside this module."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, Literal

_DATA = Path(__file__).with_name("data")


def list_orders(month: str, status: Literal["paid", "open", "refunded"] | None = None) -> list[dict[str, Any]]:
    """The orders of a month.

    Args:
        month: As YYYY-MM.
        status: Only orders in this state.
    """
    with (_DATA / "orders.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["date"].startswith(f"{month}-")]
    return [
        {**row, "quantity": int(row["quantity"]), "unit_price": float(row["unit_price"])}
        for row in rows
        if status is None or row["status"] == status
    ]


def get_customer(id: str) -> dict[str, str]:
    """A customer's name, country and currency."""
    customers = json.loads((_DATA / "customers.json").read_text("utf-8"))
    for customer in customers:
        if customer["id"] == id:
            return customer
    raise LookupError(f"there is no customer {id}")


async def exchange_rate(currency: str) -> float:
    """What one unit of a currency is worth in US dollars."""
    return json.loads((_DATA / "rates.json").read_text("utf-8"))[currency]


def refund(order_id: str, amount: float) -> str:
    """Give money back. The manifest allows small amounts only."""
    return f"refunded {amount:.2f} for {order_id}"
