"""What a server asks, and how it is answered."""
