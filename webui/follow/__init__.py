"""Play a match from its photos."""
