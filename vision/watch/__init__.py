"""A table that is watched: frames in, each roll once when it has settled."""
