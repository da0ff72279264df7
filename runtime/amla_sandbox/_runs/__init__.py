"""A run of a script, from its source to its result."""
