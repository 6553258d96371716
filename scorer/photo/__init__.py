"""What a table that was read means for a game: moves, doubts, differences."""
