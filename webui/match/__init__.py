"""The current state of a match: replay, corrections, advice, taught pieces."""
