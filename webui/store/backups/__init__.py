"""All matches in one file, and back: also while others play."""
