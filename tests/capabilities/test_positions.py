"""The position scanner agrees with tomllib about what is where."""

from __future__ import annotations

import tomllib
from typing import Any

import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities.manifest._positions import Path, Place, scan, too_deep

TRICKY = (
    r'''
# a comment with [brackets] and = signs
top = 1 # another
"quoted \" key" = "a = [b] # c"
'literal.key' = 'x\'
a.b . "c.d" = { e = 1, f.g = [1, 2, {h = "]}"}], }
multi = """
[not.a.table]
"quotes" and ""two"" \""" end"""""
lit = \'\'\'
it''s [raw] \ # no comment
\'\'\'
array = [ # comment ]
  "x", # y
  [1, [2]],
  { k = "v" },
]
dates = [1979-05-27T07:32:00Z, 07:32:00]
[table]
  x = true
[table.sub."a/b"]
y = -1.5e3
[[list]]
n = 1
[list.inner]
m = 1
[[list.deep]]
q = 1
[[list.deep]]
q = 2
[[list]]
n = 2
[ spaced . "key" ]
z = [[], {}]
'''.replace("\\'\\'\\'", "'''")
    .replace("', }", "' }")
    .replace("], }", "] }")
    .replace("}], }", "}] }")
)


def paths(value: Any, path: Path = ()) -> set[Path]:
    """Every path that tomllib gives."""
    found = {path}
    if isinstance(value, dict):
        for key, item in value.items():
            found |= paths(item, (*path, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            found |= paths(item, (*path, index))
    return found


def places(place: Place, path: Path = ()) -> dict[Path, Place]:
    """Every path that the scanner found."""
    found = {path: place}
    for step, inner in (place.inner or {}).items():
        found |= places(inner, (*path, step))
    return found


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def check(text: str) -> None:
    """The same paths, and at each scalar's offset stands that scalar."""
    data = tomllib.loads(text)
    spots = places(scan(text))
    assert too_deep(text) is None
    assert set(spots) == paths(data)
    for path, spot in spots.items():
        value = at(data, path)
        if not isinstance(value, dict | list):
            rest = text[spot.value :]
            assert any(_reads(rest, end) == value for end in range(1, len(rest) + 1)), path


def _reads(text: str, end: int) -> Any:
    try:
        return tomllib.loads(f"v = {text[:end]}\n")["v"]
    except tomllib.TOMLDecodeError:
        return object()


def test_a_tricky_document() -> None:
    check(TRICKY)


def test_crlf_and_missing_final_newline() -> None:
    check('[a]\r\nb = "x"\r\n# c\r\n[[d]]\r\ne = [\r\n1,\r\n]')
    check("")
    check("# only a comment")


_KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=4)
_SCALARS = st.one_of(
    st.integers(-99, 99), st.booleans(), st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
    max_leaves=8,
)


@given(st.dictionaries(_KEYS, _VALUES, max_size=4), st.booleans())
def test_generated_documents(data: dict[str, Any], multiline: bool) -> None:
    check(tomli_w.dumps(data, multiline_strings=multiline))
