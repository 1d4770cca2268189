"""The requests of a replay, and what came of each."""
