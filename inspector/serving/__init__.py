"""One engine that plays a server from a definition, and its two front doors: stdio and Streamable HTTP."""
