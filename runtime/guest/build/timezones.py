"""Writes the guest's time zone table from the ``tzdata`` package.

``generate(out_dir)`` writes ``out_dir/timezones.ts``, a module of strings that ``ts/intl/zones.ts`` decodes one zone at
a time. The build calls it before esbuild and keys its cache on ``tzdata.__version__``; equal versions give equal bytes.

The table holds every zone and link of the IANA database with all its transitions up to the point from which the zone's
POSIX rule (the footer of its TZif file) says the rest. Most steps between transitions are one of a few lengths ("30
weeks"), so steps are kept as indexes into one list and types of local time are predicted, which makes it about 55 KB.

Format (``DIGITS`` is the alphabet, a character's value is its index in it):

``NAMES``   one line a distinct zone: groups separated by ``;``, each a primary name followed by its ``,aliases``.
``STEPS``   the common steps in seconds, base 36, separated by spaces, most frequent first.
``TYPES``   types of local time that several zones have, ``seconds:isdst:abbreviation``, separated by spaces.
``ZONES``   one line a distinct zone, four fields separated by ``|``: types, first transition (seconds since 1970, base
            36), steps, footer. A type is an index into ``TYPES`` in base 36 or is spelt out as there; the first one is
            in force before the first transition.
            A step is ``DIGITS`` of an index below ``SHORT``, or two characters for the other indexes
            (``SHORT + i // n``, ``i % n``), or ``!`` and five digits of seconds for one that is not in the list.
            After the step comes nothing when the new type is the one that followed the old type last time,
            otherwise ``#`` and the type's digit. The first transition has no step.
"""

from __future__ import annotations

import itertools
import json
import struct
from collections import Counter
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["generate"]

DIGITS = "".join(c for c in map(chr, range(0x24, 0x7F)) if c not in '\\`|"')
SHORT = len(DIGITS) - 14
_HEADER = ">4s c 15x 6l"
_NOT_A_PLACE = "Factory"

_Item = TypeVar("_Item", int, "_Type")


class _Type(NamedTuple):
    seconds: int
    is_dst: int
    abbreviation: str


class _Zone(NamedTuple):
    """A TZif file: transitions as (seconds since 1970, new type), the type before them, the POSIX rule after them."""

    first: _Type
    transitions: tuple[tuple[int, _Type], ...]
    footer: str

    def types(self) -> list[_Type]:
        return list(dict.fromkeys([self.first, *(kind for _, kind in self.transitions)]))

    def steps(self) -> list[int]:
        return [b - a for (a, _), (b, _) in itertools.pairwise(self.transitions)]


def generate(out_dir: Path) -> None:
    """Write ``out_dir/timezones.ts``.

    Raises ``ValueError`` naming the zone if the database holds what the format cannot.
    """
    names = _zone_names()
    zones: dict[_Zone, list[str]] = {}
    for name in names:
        zones.setdefault(_read_zone(name), []).append(name)
    steps = _common(Counter(step for zone in zones for step in zone.steps()))
    steps = steps[: SHORT + (len(DIGITS) - SHORT) * len(DIGITS)]
    types = _common(Counter(kind for zone in zones for kind in zone.types()))
    text = {
        "DIGITS": DIGITS,
        "NAMES": "\n".join(_name_line(members, names) for members in zones.values()),
        "STEPS": " ".join(_base36(step) for step in steps),
        "TYPES": " ".join(_spell(kind) for kind in types),
        "ZONES": "\n".join(_zone_line(zone, steps, types, members[0]) for zone, members in zones.items()),
    }
    lines = ["// Written by build/timezones.py from the IANA time zone database; not to be edited."]
    lines += [f"export const {key} = {json.dumps(value)};" for key, value in text.items()]
    lines += [f"export const SHORT = {SHORT};", ""]
    out_dir.mkdir(parents=True, exist_ok=True)
    (out_dir / "timezones.ts").write_text("\n".join(lines), encoding="ascii", newline="\n")


def _data(path: str) -> bytes:
    return resources.files("tzdata").joinpath(path).read_bytes()


def _zone_names() -> dict[str, str]:
    """Every name, in order, with its primary name: itself, or for a mere alias the name it links to.

    A link that ``zone.tab`` lists is the primary name of its country's zone (``Europe/Oslo``), not an alias.
    """
    listed = {line.split("\t")[2] for line in _data("zoneinfo/zone.tab").decode().splitlines() if line[0] != "#"}
    links: dict[str, str] = {}
    for line in _data("zoneinfo/tzdata.zi").decode().splitlines():
        if line.startswith("L "):
            _, target, name = line.split(" ")
            links[name] = target
    names = sorted(set(_data("zones").decode().split()) - {_NOT_A_PLACE})
    return {name: name if name in listed else links.get(name, name) for name in names}


def _read_zone(name: str) -> _Zone:
    """The 64-bit part of a TZif file (RFC 9636)."""
    data = _data(f"zoneinfo/{name}")
    _, version, *counts = struct.unpack_from(_HEADER, data)
    if version < b"2":
        raise ValueError(f"time zone {name}: TZif version {version!r} has no 64-bit data")
    isut, isstd, leaps, times, types, chars = counts
    start = 44 + times * 5 + types * 6 + chars + leaps * 8 + isstd + isut
    _, _, isut, isstd, leaps, times, types, chars = struct.unpack_from(_HEADER, data, start)
    at = start + 44
    moments = struct.unpack_from(f">{times}q", data, at)
    indexes = data[at + 8 * times : at + 9 * times]
    at += 9 * times
    raw_types = [struct.unpack_from(">lBB", data, at + 6 * i) for i in range(types)]
    at += 6 * types
    designations = data[at : at + chars]
    footer = data[at + chars + 12 * leaps + isstd + isut :].strip().decode()
    local = [_Type(u, d, designations[a : designations.index(0, a)].decode()) for u, d, a in raw_types]
    if any(not day.startswith("M") for day in footer.split(",")[1:]):
        raise ValueError(f"time zone {name}: the rule {footer!r} is of a form the guest does not read")
    return _Zone(local[0], tuple((t, local[i]) for t, i in zip(moments, indexes, strict=True)), footer)


def _common(counts: Counter[_Item]) -> list[_Item]:
    """What occurs more than once, most frequent first."""
    return [item for _, item in sorted((-count, item) for item, count in counts.items() if count > 1)]


def _name_line(members: list[str], primary: dict[str, str]) -> str:
    groups: dict[str, list[str]] = {}
    for name in sorted(members, key=lambda name: (primary[name] != name, name)):
        groups.setdefault(primary[name] if primary[name] in members else name, []).append(name)
    return ";".join(",".join(group) for group in groups.values())


def _zone_line(zone: _Zone, steps: list[int], common: list[_Type], name: str) -> str:
    types = zone.types()
    if len(types) > len(DIGITS):
        raise ValueError(f"time zone {name}: {len(types)} types of local time, the format holds {len(DIGITS)}")
    index = {kind: _base36(i) for i, kind in enumerate(common)}
    described = " ".join(index.get(kind) or _spell(kind) for kind in types)
    first = _base36(zone.transitions[0][0]) if zone.transitions else ""
    return "|".join([described, first, _encode_transitions(zone, types, steps), zone.footer])


def _encode_transitions(zone: _Zone, types: list[_Type], steps: list[int]) -> str:
    index = {step: i for i, step in enumerate(steps)}
    moves = ["", *(_encode_step(step, index) for step in zone.steps())]
    follows: dict[_Type, _Type] = {}
    old = zone.first
    out: list[str] = []
    for move, (_, new) in zip(moves, zone.transitions, strict=False):
        out += [move, "" if follows.get(old) == new else "#" + DIGITS[types.index(new)]]
        follows[old] = new
        old = new
    return "".join(out)


def _spell(kind: _Type) -> str:
    return f"{kind.seconds}:{kind.is_dst}:{kind.abbreviation}"


def _encode_step(step: int, index: dict[int, int]) -> str:
    n = len(DIGITS)
    if step not in index:
        return "!" + "".join(DIGITS[step // n**power % n] for power in (4, 3, 2, 1, 0))
    i = index[step]
    return DIGITS[i] if i < SHORT else DIGITS[SHORT + (i - SHORT) // n] + DIGITS[(i - SHORT) % n]


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    value, out = abs(number), ""
    while value or not out:
        value, digit = divmod(value, 36)
        out = digits[digit] + out
    return "-" + out if number < 0 else out
