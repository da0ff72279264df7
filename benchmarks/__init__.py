"""Measurements against the project's bars; README.md lists the commands. No part of a package or of the tests."""
