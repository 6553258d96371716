"""How well boards and grids are found."""
