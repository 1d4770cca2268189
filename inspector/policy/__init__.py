"""What may be done without asking: starting servers that were only found."""
