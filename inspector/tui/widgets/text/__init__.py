"""Text to be read: set type, JSON that folds, Markdown, bytes, two texts compared."""
