"""A match as it stands: replayed, corrected, advised; what was taught to it."""
