"""Servers in the tests of others: the plugin for pytest, and what it gives them."""
