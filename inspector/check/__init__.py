"""The rules of the protocol: what in a conversation, recorded or live, breaks them."""
