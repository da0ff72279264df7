"""Constraints on arguments: what they are, how they are written, what they say of a call."""
