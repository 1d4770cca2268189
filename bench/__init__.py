"""Measures the speed bars side by side with the least that does the same; run it with `make bench`."""
