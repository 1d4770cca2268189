"""Pipes that move bytes between us and a server and show every byte to an observer. They know no methods."""
