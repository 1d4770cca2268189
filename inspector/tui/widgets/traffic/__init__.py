"""The log of frames: the list, its columns and filter, a whole exchange."""
