"""The shop's tools; a check only reads their signatures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypedDict


class Channel(Enum):
    email = "email"
    slack = "slack"
    sms = "sms"


class Item(TypedDict):
    sku: str
    quantity: int


@dataclass
class Order:
    id: str
    customer: str
    items: list[Item]
    total: float


def list_orders(status: Literal["open", "packed", "shipped"] = "open", limit: int = 50) -> list[Order]:
    """Orders in a status."""
    raise NotImplementedError


def get_order(id: str) -> Order:  # noqa: A002
    """One order."""
    raise NotImplementedError


def update_order(id: str, status: str, note: str | None = None) -> Order:  # noqa: A002
    """Change the status of an order."""
    raise NotImplementedError


async def search_customers(query: str, *, limit: int = 10) -> list[dict[str, str]]:
    """Customers by name or address."""
    raise NotImplementedError


def notify(channel: Channel, text: str, to: list[str] | None = None) -> None:
    """Tell somebody."""
    raise NotImplementedError
