"""What clients of the MCP Java SDK make of a server: 0.10.0, which Spring AI 1.0 came with, and 2.0.1."""
