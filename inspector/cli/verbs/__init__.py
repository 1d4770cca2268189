"""One module a verb, each with `run(arguments) -> int`."""
