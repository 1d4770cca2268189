"""What breaks the rules of the protocol: the list of it, and each finding explained."""
