"""Boards: planes on the table with cells for pieces or marks."""
