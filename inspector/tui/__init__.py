"""The app: the only importer of textual and rich."""
