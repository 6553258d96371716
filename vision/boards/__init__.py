"""Boards: known planes on the table and the cells in which pieces lie."""
