"""Config files of MCP clients: found, read with positions, expanded by their client's rules. Starts nothing."""
