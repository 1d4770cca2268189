"""Faults on purpose, so that the author of a client can see what it makes of them: `docs/reference/faults.md`."""
