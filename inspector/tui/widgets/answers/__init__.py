"""What came of a call, a reading or a prompt."""
