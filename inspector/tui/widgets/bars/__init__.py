"""Lines across the screen: what is open, which keys work, tabs."""
