"""What changed between two states of a server: what it lists, and how it answered."""
