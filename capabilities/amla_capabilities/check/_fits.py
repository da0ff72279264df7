"""Whether a call that was made may be one of a site, by what the site says of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amla_capabilities._values import as_list, as_mapping, same

from ._partial import UNKNOWN, Partial, Text, partial_arguments
from ._site import CallSite
from ._texts import may_be

__all__ = ["fits"]


def fits(site: CallSite, arguments: Mapping[str, Any], *, mask: str = "") -> bool:
    """Whether the site may have passed these arguments: nothing that it says of them is otherwise.

    `arguments` may have defaults filled in. With `mask`, texts that hold it stand for any value.
    """
    return _Agreement(mask).of(partial_arguments(site.arguments, site.open, site.texts), arguments)


class _Agreement:
    def __init__(self, mask: str) -> None:
        self._mask = mask

    def of(self, known: Any, actual: Any) -> bool:
        if known is UNKNOWN or (self._mask and isinstance(actual, str) and self._mask in actual):
            return True
        if isinstance(known, Text):
            return may_be(known, actual)
        if isinstance(known, Partial):
            return self._part(known, actual)
        table, items = as_mapping(known), as_list(known)
        if table is not None:
            return self._part(Partial("object", {str(key): item for key, item in table.items()}, False), actual)
        if items is not None:
            return self._part(Partial("array", dict(enumerate(items)), False), actual)
        return same(known, actual)

    def _part(self, known: Partial, actual: Any) -> bool:
        """Keys that are not known may be defaults; elements are none."""
        table, items = as_mapping(actual), as_list(actual)
        parts: Mapping[Any, Any] | None = table if known.kind == "object" else dict(enumerate(items or ()))
        if parts is None or (known.kind == "array" and (items is None or not self._counts(known, items))):
            return False
        return all(
            self.of(item, parts[step]) if step in parts else item is UNKNOWN for step, item in known.items.items()
        )

    def _counts(self, known: Partial, items: list[Any]) -> bool:
        return known.open or len(items) <= len(known.items)
