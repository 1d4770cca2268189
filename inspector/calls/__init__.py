"""Calls that are kept in a file, with what is expected of their answers."""
