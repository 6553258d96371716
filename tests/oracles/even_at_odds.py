"""Even at Odds once more, written as dominoes standing in piles: slow, and sharing no code.

`moves` holds every tile over every pair of cells in and around the board, each way round, and asks
the rule text whether it may stay there. Written from RULES.md EO-4 to EO-7 and EO-10.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

Cell = tuple[int, int]
Half = tuple[Cell, int]
Tile = tuple[int, int]
Laid = frozenset[Half]  # the two halves of a tile, in no order


def piles(board: Iterable[Laid]) -> dict[Cell, list[tuple[int, Laid]]]:
    """Return the halves on each cell from the table upwards, each with the tile it belongs to."""
    heap: dict[Cell, list[tuple[int, Laid]]] = {}
    for tile in board:
        for cell, number in tile:
            heap.setdefault(cell, []).append((number, tile))
    return heap


def around(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]


def may_stay(
    heap: dict[Cell, list[tuple[int, Laid]]],
    halves: Sequence[Half],
    *,
    any_face: bool = False,
    blanks: bool = True,
    solo: bool = False,
) -> bool:
    (p, a), (q, b) = halves
    if q not in around(p):
        return False
    heights = [len(heap.get(cell, [])) for cell in (p, q)]
    if heights[0] != heights[1]:
        return False

    def match(mine: int, other: int) -> bool:
        return mine == other and (mine > 0 or blanks)

    if heights[0] == 0:
        if solo and a == b:
            return False
        return any(
            match(number, heap[beside][-1][0])
            for cell, number in halves
            for beside in around(cell)
            if beside in heap
        )
    (below_p, tile_p), (below_q, tile_q) = heap[p][-1], heap[q][-1]
    if tile_p == tile_q:
        return False
    on_own = match(a, below_p) or match(b, below_q)
    return on_own or (any_face and (match(a, below_q) or match(b, below_p)))


def moves(board: Sequence[Laid], hand: Iterable[Tile], **house: bool) -> set[Laid]:
    heap = piles(board)
    rows = range(min(r for r, _ in heap) - 3, max(r for r, _ in heap) + 4)
    columns = range(min(c for _, c in heap) - 3, max(c for _, c in heap) + 4)
    return {
        frozenset(halves)
        for a, b in hand
        for p in product(rows, columns)
        for q in around(p)
        if may_stay(heap, halves := [(p, a), (q, b)], **house)
    }


def biggest(view: Mapping[Cell, int]) -> dict[int, int]:
    """Return the largest group of evens (0) and odds (1), by spreading the lowest label."""
    label = {cell: cell for cell, number in view.items() if number}
    changed = True
    while changed:
        changed = False
        for cell, beside in [(one, other) for one in label for other in around(one)]:
            linked = beside in label and (view[cell] - view[beside]) % 2 == 0
            if linked and label[beside] < label[cell]:
                label[cell] = label[beside]
                changed = True
    sizes = {0: [0], 1: [0]}
    for root in set(label.values()):
        sizes[view[root] % 2].append(list(label.values()).count(root))
    return {parity: max(found) for parity, found in sizes.items()}
