"""Between a real client and a server: what crosses is passed on first and recorded beside it."""
