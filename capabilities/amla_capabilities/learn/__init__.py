"""The least manifest that allows what happened, from records of calls."""

from ._calls import Call, Trace, read_calls
from ._learn import Learned, LearnError, learn
from ._spell import Style

__all__ = ["Call", "LearnError", "Learned", "Style", "Trace", "learn", "read_calls"]
