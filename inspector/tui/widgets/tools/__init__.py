"""One tool: what it says of itself, its definition, what a model sees of it, its calls."""
