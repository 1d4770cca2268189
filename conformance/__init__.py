"""Runs the official conformance suite of MCP against our client core."""
