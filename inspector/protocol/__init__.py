"""Facts of the protocol: messages, methods, revisions. No I/O."""
