"""Lists of what was sent again and compared: requests of a replay, saved calls, differences of two sides."""
