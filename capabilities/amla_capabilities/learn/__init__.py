"""The least manifest that allows what happened, from records of calls."""

from ._calls import Call, Trace, read_calls
from ._entries import LearnError
from ._learn import Learned, learn
from ._spell import Style

__all__ = ["Call", "LearnError", "Learned", "Style", "Trace", "learn", "read_calls"]
