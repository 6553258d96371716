"""The rules of a game to read, with pictures of what they mean."""
