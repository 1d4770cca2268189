"""Forms to fill in: over a schema, and over arguments that are all text."""
