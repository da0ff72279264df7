"""Docstrings in the three styles in use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_sandbox.tools._docstring import parse_docstring

GOOGLE = """Search.

    Long text: with a colon.

    Args:
        query: What to find,
            on two lines.
        n (int, optional): How many.
        **options: More.

    Returns:
        list: not a parameter.

    Raises:
        ValueError: neither.
    """

NUMPY = """Search.

    Long text: with a colon.

    Parameters
    ----------
    query : str
        What to find,
        on two lines.
    n : int, optional
        How many.
    **options
        More.

    Returns
    -------
    list
        not a parameter.
    """

SPHINX = """Search.

    Long text: with a colon.

    :param query: What to find,
        on two lines.
    :type query: str
    :param int n: How many.
    :param options: More.
    :returns: not a parameter
    :rtype: list
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_all_styles_say_the_same(text: str) -> None:
    doc = parse_docstring(text)
    assert doc.description == "Search.\n\nLong text: with a colon."
    assert doc.parameters == {"query": "What to find, on two lines.", "n": "How many.", "options": "More."}


def test_numpy_names_may_share_a_text() -> None:
    text = "S.\n\nParameters\n----------\na, b : int\n    Both.\n"
    assert parse_docstring(text).parameters == {"a": "Both.", "b": "Both."}


@pytest.mark.parametrize("text", [None, "", "Just a line.", "Note: this is prose.\n\nAnd more."])
def test_what_has_no_sections_is_description(text: str | None) -> None:
    assert parse_docstring(text) == ((text or "").strip(), {})


@given(st.text(alphabet="ab:\n -=Args()*.", max_size=80))
def test_no_layout_is_too_odd(text: str) -> None:
    parse_docstring(text)
