"""Sends what a client asked in a recording to a live server, and compares what comes back."""
