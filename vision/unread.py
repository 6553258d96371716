"""Pieces without a value to read: what they are and where, and which others are doubtful for that.

In: the candidates of a scene, scored. Out: the scene without them, and `UnreadPiece`s.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.bars import shows_bar
from vision.dominoes.matching import Pair, halves_of
from vision.dominoes.scene import Scene
from vision.dominoes.tiles import tile_quad
from vision.faces.candidates import ScoredCandidates
from vision.faces.kinds import KINDS, kind_probs
from vision.faces.networks import Models
from vision.geometry import Floats
from vision.photo import Photo, Pixels
from vision.quad import Quad
from vision.reading import UnreadPiece

# What is plainly print or nothing is no piece: from a share NONE on, where the calibration of faces
# is not CERTAIN against it. Half of the other places on strangers' photos are, none of 683 dice is.
NONE, CERTAIN = 0.8, 0.8
# But what looks like nothing may be a piece close up: as large as CLOSE_UP of the shorter side, its
# value LEGIBLE, PERHAPS a face, and no other on the photo. Of 141 dice on drawn metal grids, tinted
# and shone through, 9 are silently missed with it, 12 without.
CLOSE_UP, LEGIBLE, PERHAPS = 0.12, 0.8, 0.3
DOWN, DOUBTED = 0.9, 0.3  # that a double blank is face down: from here on it is, or may be
HALF_TILE = 0.95  # that a die is half a domino, from which it is doubtful; none of 683 dice is
NUMERALS = 0.95  # that a doubtful die has numerals: none of 683 dice is
TWO_DICE = 0.5  # that both halves of a domino are dice
# That a double blank without a bar is a back: of any set, and where FEWEST others show their bars.
BARE, BARE_AMONG_BARRED, FEWEST = 0.5, 0.95, 2
BACK, PRINTED, NOTHING = map(KINDS.index, ("back", "printed", "nothing"))
# Dominoes of one value, from which they are print: no two sets have one as often. So many that are
# make a board. Double blanks are rather tiles that are face down, unless they lie in a lattice: the
# distances to the nearest ones, in their sides, vary by less than LATTICE of the mean.
COPIES, BOARD, LATTICE = 4, 12, 0.08
BESIDE = 1.3  # sides; places of one kind that are nearer are on one piece


@dataclass(frozen=True, slots=True, eq=False)
class PlaceKinds:
    """What n places show, where examined; both halves of a pair show the same."""

    probs: Floats  # (n, len(KINDS)); 0 where nobody looked
    gone: NDArray[np.bool_]  # (n,) which have no value
    doubted: NDArray[np.bool_]  # (n,) which may have none, or may be another piece
    valueless: tuple[Pair, ...] = ()  # pairs of places on one domino without a value

    @property
    def looked(self) -> NDArray[np.bool_]:
        """Return (n,) whether somebody looked."""
        return np.asarray(self.probs.sum(axis=1) > 0)

    @classmethod
    def unknown(cls, count: int) -> "PlaceKinds":
        """Return *count* places that have not been examined."""
        nowhere = np.zeros(count, np.bool_)
        return cls(np.zeros((count, len(KINDS))), nowhere, nowhere)


def share_of(probs: Floats, *names: str) -> Floats:
    """Return the probabilities of some of KINDS together, from (n, len(KINDS))."""
    return np.asarray(probs[:, [KINDS.index(name) for name in names]].sum(axis=1))


def with_kinds(as_die: ScoredCandidates, kinds: PlaceKinds, models: Models) -> ScoredCandidates:
    """Return dice of which those that would be asked about are believed by their surroundings.

    These only speak for a die: could they take one back, 15 of strangers' 93 doubtful dice would
    not be found.
    """
    asked = kinds.looked & as_die.shown(models.calibration)
    asked &= as_die.real < models.calibration.sure
    if models.kinds is None or not asked.any():
        return as_die
    real, die = as_die.real.copy(), share_of(kinds.probs, "die")
    real[asked] = np.maximum(real, models.kinds.face_probs(real, die))[asked]
    return replace(as_die, real=real)


def kinds_on(
    photo: Photo, scene: Scene, as_die: ScoredCandidates, as_half: ScoredCandidates, models: Models
) -> PlaceKinds:
    """Return what single places show that may be reported, and dominoes that may be none."""
    probs = _probs(photo, scene, as_die, as_half, models)
    for pair, share in _without_bar(photo.bgr, scene, as_half).items():
        ends = [pair.first, pair.second]
        probs[ends, BACK] = np.maximum(probs[ends, BACK], share)
    single = np.ones(len(probs), np.bool_)
    single[list(halves_of(scene.pairs))] = False
    down, faint = probs[:, BACK], as_die.real < CERTAIN
    none = share_of(probs, "printed", "nothing")
    gone = faint & (none >= NONE) & single & (scene.kind != "dominoes")
    gone &= (probs[:, PRINTED] > probs[:, NOTHING]) | ~_close_up(scene, as_die, gone)
    gone |= (share_of(probs, "numbered") >= NUMERALS) & single
    gone |= down >= DOWN
    open_pairs = [pair for pair in scene.pairs if not gone[pair.first]]
    for pair in printed_pairs(open_pairs, as_half):
        ends = [pair.first, pair.second]
        probs[ends], gone[ends] = np.arange(len(KINDS)) == PRINTED, True
    half, die = share_of(probs, "half"), share_of(probs, "die")
    among_tiles = bool(scene.pairs)  # lines of a board beside a die look like half a domino too
    alike = np.where(single, (half >= HALF_TILE) & among_tiles, die >= TWO_DICE)
    alike &= scene.kind == "auto"
    return PlaceKinds(probs, gone, alike | (down >= DOUBTED) & ~single)


def _close_up(
    scene: Scene, as_die: ScoredCandidates, nothing: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return (n,) which places are large and legible, without another on the photo.

    Of a die close up the head sees little but the die.
    """
    likely = (as_die.real >= PERHAPS) & (as_die.right >= LEGIBLE)
    found = scene.candidates.detections
    large = likely & (found.sizes >= CLOSE_UP * min(scene.candidates.size))
    others = (as_die.real >= PERHAPS) & ~nothing
    return np.asarray(large & (not others.any()))


def _probs(
    photo: Photo, scene: Scene, as_die: ScoredCandidates, as_half: ScoredCandidates, models: Models
) -> Floats:
    """Return (n, len(KINDS)) probabilities by the head; 0 where it was not asked."""
    probs = PlaceKinds.unknown(len(scene.candidates)).probs
    if models.kinds is None:
        return probs
    pairs = [pair for pair in scene.pairs if scene.kind == "auto" or _is_blank(pair, as_half)]
    likely = np.maximum(as_die.real, as_half.real) >= models.calibration.missed
    may_be_halves = scene.kind == "auto" and bool(scene.pairs)
    likely &= (as_die.real < models.calibration.sure) | may_be_halves
    likely[list(halves_of(scene.pairs))] = False
    likely[list(halves_of(pairs))] = True
    at = np.flatnonzero(likely)
    look_at = scene.candidates.take(at), models.face_classifier, models.kinds
    probs[at] = kind_probs(photo.bgr, *look_at)
    for pair in pairs:
        ends = [pair.first, pair.second]
        probs[ends] = probs[ends].mean(axis=0)
    return probs


def _is_blank(pair: Pair, as_half: ScoredCandidates) -> bool:
    return not as_half.values[[pair.first, pair.second]].any()


def _without_bar(bgr: Pixels, scene: Scene, as_half: ScoredCandidates) -> dict[Pair, float]:
    """Return the double blanks on which no bar is seen, with probabilities of a back."""
    quads = scene.candidates.detections.quads

    def barred(pair: Pair) -> bool:
        return shows_bar(bgr, quads[pair.first], quads[pair.second])

    blank = [pair for pair in scene.pairs if _is_blank(pair, as_half)]
    bare = [pair for pair in blank if not barred(pair)]
    others = [pair for pair in scene.pairs if pair not in blank] if bare else []
    share = BARE_AMONG_BARRED if len(others) >= FEWEST and all(map(barred, others)) else BARE
    return dict.fromkeys(bare, share)


def printed_pairs(pairs: Sequence[Pair], as_half: ScoredCandidates) -> list[Pair]:
    """Return the dominoes that are the print of a board: more equal ones than any sets have."""
    values = {
        pair: tuple(sorted(as_half.values[[pair.first, pair.second]].tolist())) for pair in pairs
    }
    times = Counter(values.values())
    equal = [pair for pair in pairs if times[values[pair]] >= COPIES]
    if not _is_lattice([pair for pair in equal if not any(values[pair])], as_half):
        equal = [pair for pair in equal if any(values[pair])]
    return equal if len(equal) >= BOARD else []


def _is_lattice(pairs: Sequence[Pair], as_half: ScoredCandidates) -> bool:
    """Return True if a board's worth of dominoes all have their nearest one equally far away."""
    if len(pairs) < BOARD:
        return False
    ends = as_half.candidates.detections.middles[[(pair.first, pair.second) for pair in pairs]]
    middles, lengths = ends.mean(axis=1), np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    away = np.linalg.norm(middles[:, None] - middles, axis=2)
    np.fill_diagonal(away, np.inf)
    nearest = away.min(axis=1) / lengths
    return bool(nearest.std() < LATTICE * nearest.mean())


def without_unread(scene: Scene, kinds: PlaceKinds) -> tuple[Scene, PlaceKinds]:
    """Leave out the pairs of halves without a value, and keep them apart."""
    gone = tuple(pair for pair in scene.pairs if kinds.gone[pair.first])
    pairs = tuple(pair for pair in scene.pairs if pair not in gone)
    return replace(scene, pairs=pairs), replace(kinds, valueless=gone)


def unread_pieces(kinds: PlaceKinds, quads: tuple[Quad, ...]) -> tuple[UnreadPiece, ...]:
    """Return the pieces without a value, the likeliest first; *quads* are px of the photo."""
    apart = list(_whole(kinds, quads))
    for piece in sorted(_single(kinds, quads), key=lambda piece: -piece.probability):
        reach, (x, y) = BESIDE * piece.quad.side, piece.quad.center
        middles = (other.quad.center for other in apart)
        if all(np.hypot(x - left, y - top) > reach for left, top in middles):
            apart.append(piece)
    return tuple(sorted(apart, key=lambda piece: -piece.probability))


def _whole(kinds: PlaceKinds, quads: tuple[Quad, ...]) -> Iterator[UnreadPiece]:
    for pair in kinds.valueless:
        whole = tile_quad(quads[pair.first], quads[pair.second])
        yield from _piece(kinds, pair.first, whole, ("back", "printed"))


def _single(kinds: PlaceKinds, quads: tuple[Quad, ...]) -> Iterator[UnreadPiece]:
    paired = halves_of(kinds.valueless)
    for i in np.flatnonzero(kinds.gone).tolist():
        if i not in paired:
            yield from _piece(kinds, i, quads[i], ("back", "numbered"))


def _piece(kinds: PlaceKinds, i: int, quad: Quad, names: Sequence[str]) -> Iterator[UnreadPiece]:
    for kind in names:
        share = float(kinds.probs[i, KINDS.index(kind)])
        if share >= DOWN:
            yield UnreadPiece(kind, quad, share)
