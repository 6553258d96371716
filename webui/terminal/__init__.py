"""Playing a match in the terminal."""
