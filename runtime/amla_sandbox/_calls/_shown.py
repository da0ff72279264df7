"""Arguments as people and records see them: what the owner marked as secret is masked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amla_capabilities._paths import Step
    from amla_sandbox.tools import Arguments

__all__ = ["MASK", "hidden", "known", "shown"]

MASK = "[secret]"


def shown(arguments: Arguments, secret: Iterable[str], values: tuple[str, ...] = ()) -> Arguments:
    """The arguments without what lies at the `secret` paths, and without the texts in `values` wherever they are."""
    from amla_capabilities._paths import parse_path

    for path in secret:
        arguments = _masked(arguments, parse_path(path))
    if not values:
        return arguments
    from amla_sandbox.tools._secrets import mask_value

    masked: Arguments = mask_value(arguments, values)
    return masked


def hidden(arguments: Arguments, secret: Iterable[str]) -> tuple[str, ...]:
    """What lies at the `secret` paths, as texts that a message might repeat."""
    from amla_capabilities._paths import parse_path

    found = (value for path in secret for value in _at(arguments, parse_path(path)))
    return tuple({text: None for value in found for text in _texts(value)})


def known(value: Any, schema: Any) -> Any:
    """A value without what stands under names that its schema does not know, where that takes no others."""
    from amla_sandbox.tools._json import is_array, is_object

    schema = schema if is_object(schema) else {}
    if is_array(value):
        return [known(item, schema.get("items")) for item in value]
    if not is_object(value):
        return value
    properties = schema.get("properties", {})
    open_ended = schema.get("additionalProperties") is not False
    return {
        name: known(item, properties.get(name)) if name in properties or open_ended else MASK
        for name, item in value.items()
    }


def _at(value: Any, steps: tuple[Step, ...]) -> Iterator[Any]:
    """What `steps` lead to."""
    from amla_sandbox.tools._json import is_array, is_object

    if not steps:
        yield value
    elif isinstance(steps[0], str):
        if is_object(value) and steps[0] in value:
            yield from _at(value[steps[0]], steps[1:])
    elif is_array(value):
        for item in value if steps[0] is None else value[steps[0] : steps[0] + 1]:
            yield from _at(item, steps[1:])


def _texts(value: Any) -> Iterator[str]:
    from amla_sandbox.tools._json import is_array, is_object

    if isinstance(value, str):
        yield value
    elif is_object(value):
        yield from _texts(tuple(value.values()))
    elif is_array(value):
        for item in value:
            yield from _texts(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _masked(value: Any, steps: tuple[Step, ...]) -> Any:
    """A copy of `value` with what `steps` lead to replaced; `value` itself if they lead nowhere."""
    if not steps:
        return MASK
    from amla_sandbox.tools._json import is_array, is_object

    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        if not is_object(value) or step not in value:
            return value
        return {**value, step: _masked(value[step], rest)}
    if not is_array(value):
        return value
    return [_masked(item, rest) if step in (None, index) else item for index, item in enumerate(value)]
