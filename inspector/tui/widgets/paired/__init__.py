"""Two servers side by side: their lists in one, their answers."""
