"""The traffic book: everything that crossed the wire, append-only, with columns of facts beside it."""
