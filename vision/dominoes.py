"""Stage 4: join halves to dominoes.

In: a picture and the places that may be faces. Out: pairs of them. The surest pairs go first, so in
a block of touching tiles no half is left to a stranger. A face that stays alone may be half of a
tile whose other half the finder missed, a blank one mostly: its four sides are looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.eyes import Eyes, Raw, read_places
from vision.finder import Found
from vision.geometry import Floats, Points, Quad, share_of_smaller, sides_of
from vision.joiner import beside, crop_pairs, join_odds, neighbours
from vision.pairs import Pair, halves_of, surest, weighed
from vision.photo import Pixels
from vision.reader import TURNS

# Odds of a face from which a place may be half of a domino whose other half is plainly there, where
# only dominoes lie, and where dice may, whose sides look like halves. On drawn tables of dominoes
# the joiner was right of 12 in 12 such places with odds from 0.02 to 0.07, blank ones mostly.
FAINT, FAINT_AMONG_DICE = 0.02, 0.07
MISSED = 0.8  # odds from which a half that the finder did not see is believed
# The same where nothing else speaks for dominoes, and how many faces may lie there then. Of 478
# dice on photos held back none has such odds, of 586 on drawn tables 4; of 577 halves of drawn
# tiles whose other half is blank 77 % have.
CONVINCING, FEW = 0.95, 3
COVERED = 0.3  # shared area over the smaller one above which a place is taken


def join_halves(
    bgr: Pixels, raw: Raw, real: Floats, eyes: Eyes, *, only_dominoes: bool
) -> tuple[Raw, list[Pair]]:
    """Find the dominoes among n places.

    Args:
        bgr: the picture.
        raw: the places.
        real: (n,) odds that each is a face; one half of a tile at least is plainly there.
        eyes: the networks.
        only_dominoes: is every face half a domino, or may dice lie there too?

    Returns:
        the places with halves added that the finder missed, and the pairs, the surest first.
    """
    likely = np.flatnonzero(real >= (FAINT if only_dominoes else FAINT_AMONG_DICE))
    plain = np.flatnonzero(real >= eyes.doubt.shown)
    middles, sizes = raw.found.middles[likely], raw.found.sizes[likely]
    near = [(int(likely[a]), int(likely[b])) for a, b in neighbours(middles, sizes)]
    quads = raw.found.quads
    odds = join_odds(crop_pairs(bgr, [(quads[i], quads[j]) for i, j in near]), eyes.joiner)
    seen = set(plain.tolist())
    pairs = [pair for pair in surest(near, odds) if halves_of([pair]) & seen]
    if only_dominoes:
        pairs = weighed(pairs, dict(zip(near, odds.tolist(), strict=True)), real, seen)
    elif not pairs and len(plain) > FEW:
        return raw, []
    believed = MISSED if only_dominoes or pairs else CONVINCING
    return _with_missed(bgr, raw, plain, pairs, eyes, believed)


def _with_missed(
    bgr: Pixels,
    raw: Raw,
    plain: NDArray[np.intp],
    pairs: list[Pair],
    eyes: Eyes,
    believed: float,
) -> tuple[Raw, list[Pair]]:
    """Add halves that the finder did not see, each beside a face that has no other half yet."""
    taken = halves_of(pairs)
    alone = [int(i) for i in plain if int(i) not in taken]
    guesses = [(i, quad) for i in alone for quad in beside(raw.found.quads[i])]
    crops = crop_pairs(bgr, [(raw.found.quads[i], quad) for i, quad in guesses])
    odds = join_odds(crops, eyes.joiner)
    covered = [raw.found.quads[i] for i in taken]
    added: list[tuple[int, Floats, float]] = []
    for k in np.argsort(-odds, kind="stable"):
        (i, quad), sure = guesses[k], float(odds[k])
        if sure < believed:
            break
        own = raw.found.quads[i]
        if _is_inside(quad, bgr) and not _is_covered(quad, covered) | _is_covered(own, covered):
            added.append((i, quad, sure))
            covered += [quad, own]
    if not added:
        return raw, pairs
    chances = np.array([sure for _, _, sure in added])
    places = np.array([quad for _, quad, _ in added])
    found = Found(places, chances, np.full((len(added), 7), 1 / 7), chances)
    joined = [Pair(i, len(raw) + n, sure) for n, (i, _, sure) in enumerate(added)]
    return raw.also(read_places(bgr, found, raw.scale, eyes, turns=TURNS)), [*pairs, *joined]


def _is_covered(quad: Floats, others: list[Floats]) -> bool:
    reach = 2 * sides_of(quad[None])[0]
    near = (q for q in others if np.hypot(*(q.mean(axis=0) - quad.mean(axis=0))) < reach)
    return any(share_of_smaller(quad, other) > COVERED for other in near)


def _is_inside(quad: Floats, bgr: Pixels) -> bool:
    x, y = quad.mean(axis=0)
    return bool(0 <= x < bgr.shape[1] and 0 <= y < bgr.shape[0])


def tile_quad(first: Quad, second: Quad) -> Quad:
    """Return the outline of a domino: of each half the two corners away from the other."""
    return Quad.around(np.concatenate([_outer(first, second), _outer(second, first)]))


def _outer(half: Quad, other: Quad) -> Points:
    away = np.linalg.norm(half.array - np.array(other.center), axis=1)
    corners: Points = half.array[np.argsort(-away, kind="stable")[:2]]
    return corners
