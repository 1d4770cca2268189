"""Servers: the table of all, and of one its handshake, its abilities, its stderr, its entry to be edited."""
