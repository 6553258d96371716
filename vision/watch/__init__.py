"""Watch a table: frames in, each roll once when it has settled."""
