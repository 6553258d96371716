"""The pages before a match: the start page, its form, and past matches."""
