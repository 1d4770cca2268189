"""OAuth as MCP uses it: where a server sends us to log in, how that goes, and the tokens that come of it."""
