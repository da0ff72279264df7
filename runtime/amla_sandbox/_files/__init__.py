"""The sandbox's files, seen from the host."""
