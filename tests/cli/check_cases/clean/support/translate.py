"""Translation of short texts."""

from typing import Annotated, Optional


def translate(text: str, to: Annotated[str, "a language such as 'de'"], source: Optional[str] = None) -> str:  # noqa: UP045
    """Translate a text.

    Args:
        text: what to translate
        to: the language to translate to
        source: the language that it is in, if that is known
    """
    return text
