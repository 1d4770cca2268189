"""Conversations with servers: requests and their answers, the handshake, lists, calls."""
