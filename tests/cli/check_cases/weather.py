"""What `shop.toml` names; only ever read."""

from typing import Literal


def get_weather(city: str, unit: Literal["C", "F"] = "C") -> str:
    """The weather in a city."""
    return f"fine in {city}, 20 {unit}"
