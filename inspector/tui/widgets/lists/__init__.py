"""Lists to choose from, and the base of everything that is painted line by line."""
