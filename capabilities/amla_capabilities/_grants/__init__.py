"""Capabilities: what grants a call, and when one grants less than another."""
