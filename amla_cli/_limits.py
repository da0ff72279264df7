"""The limits as options, made from their table, so that nothing is written twice."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from amla_capabilities import Limits, LimitSpec

from ._outcome import CliError

if TYPE_CHECKING:
    from amla_capabilities import Manifest

__all__ = ["limit_flag", "limit_options", "limits_of"]

_METAVARS = {"duration": "DURATION", "size": "SIZE", "count": "N"}


def limit_flag(name: str) -> str:
    """The option of a limit: `--max-output` of `max_output`."""
    return "--" + name.replace("_", "-")


def limit_options() -> tuple[inspect.Parameter, ...]:
    """An option for each limit. Values are read later, when their unit can be explained."""
    return tuple(_option(spec) for spec in Limits.specs())


def _option(spec: LimitSpec) -> inspect.Parameter:
    info = typer.Option(
        limit_flag(spec.name),
        metavar=_METAVARS[spec.kind],
        help=f"{spec.about} ({spec.format(spec.default)})",
        rich_help_panel="Limits (30s, 500ms; 64MB, 1GiB; 0 for none)",
    )
    kind = str | None
    return inspect.Parameter(spec.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, info])


def limits_of(manifests: Iterable[Manifest], written: Mapping[str, str]) -> Limits:
    """The limits of a run: the strictest of what the manifests set, replaced by what the command line says."""
    values: dict[str, float] = {}
    for manifest in manifests:
        for name in manifest.limits_set:
            value: float = getattr(manifest.limits, name)
            values[name] = _stricter(values.get(name, value), value)
    values |= {name: _parsed(name, text) for name, text in written.items()}
    return Limits(**values)  # type: ignore[arg-type]  # sizes and counts are whole, the table saw to that


def _stricter(first: float, second: float) -> float:
    """The smaller of two limits, of which 0 is no limit at all."""
    return min(first, second) or max(first, second)


def _parsed(name: str, text: str) -> float:
    try:
        return Limits.spec(name).parse(text)
    except ValueError as error:
        raise CliError("usage", f"{limit_flag(name)}: {error}") from None
