"""Policies: from a call to a decision, and how that came about."""
