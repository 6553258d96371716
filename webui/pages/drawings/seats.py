"""The mark of a seat: a shape and a colour, repeated after twelve seats."""

# Paths in a box of 20 x 20 (templates/_sprite.svg); tokens.css has the colours, in this order.
SHAPES = {
    "disc": "M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
    "diamond": "M10 0 20 10 10 20 0 10z",
    "triangle": "M10 1 20 19H0z",
    "square": "M3.5 1.5h13a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2z",
    "star": "m10 0 2.9 6.6 7.1.7-5.4 4.7 1.6 7L10 15.3 3.8 19l1.6-7L0 7.3l7.1-.7z",
    "ring": "M10 .5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19m0 5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9",
    "cross": "M6.5 0h7v6.5H20v7h-6.5V20h-7v-6.5H0v-7h6.5z",
    "hourglass": "M1 1h18l-7 9 7 9H1l7-9z",
    "heart": "M10 19C3 13.5.5 10 .5 6.2A4.9 4.9 0 0 1 10 4.3a4.9 4.9 0 0 1 9.5 1.9C19.5 10 17 13.5 "
    "10 19z",
    "crescent": "M14.5 1.2A9.2 9.2 0 1 0 14.5 18.8 11.5 11.5 0 0 1 14.5 1.2z",
    "bars": "M2 1h6v18H2zM12 1h6v18h-6z",
    "half-moon": "M1 14.5a9 9 0 0 1 18 0z",
}


def shape(seat: int) -> int:
    """Return the number of a seat's shape and colour.

    >>> [shape(0), shape(11), shape(12)]
    [0, 11, 0]
    """
    return seat % len(SHAPES)
