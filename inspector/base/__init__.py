"""Foundations: text, secrets, errors, JSON text, paths, tasks. Imports the standard library only at start."""
