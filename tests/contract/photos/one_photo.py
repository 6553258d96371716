"""Tables as one photo shows them, and what the rules say they score."""

from scorer import Die, Table, Tile


def dice(*named):
    """Return dice said like "red 3"; white where no colour is said."""
    words = [("white " + name).split()[-2:] for name in named]
    return Table(tuple(Die(int(value), colour) for colour, value in words))


def tile(a, b, row, column, level=1, down=False):
    """Return a tile that lies from a cell to the right of it, or *down*."""
    other = (row + 1, column) if down else (row, column + 1)
    return Tile((a, b), ((row, column), other), level)


FOUNDATION = (
    tile(1, 1, 0, 0),
    tile(6, 6, 0, 2),
    tile(2, 2, 1, 0),
    tile(5, 5, 1, 2),
    tile(3, 3, 2, 0),
    tile(4, 4, 2, 2),
)
