"""Join halves to dominoes.

In: a picture and the places that may be faces. Out: pairs of them, and which others may be halves.
All pairs are chosen together, so that in a block of touching tiles no half is paired with a
stranger. A single face may be half of a tile whose other half the detector missed, usually a blank
one: the places beside its four sides are classified too.

Each pair of faces is classified once and remembered: pairs are asked for again once dice and
dominoes are distinguished.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.dominoes.matching import ONE_TILE, Pair, halves_of, match_halves
from vision.dominoes.occlusion import OWN, PLAINLY, SHARED, perhaps_covered, with_rivals
from vision.dominoes.pair_classifier import (
    around_beside,
    beside,
    crop_pairs,
    neighbours,
    pair_probs,
)
from vision.faces.candidates import Candidates
from vision.faces.classified import SMALLEST, classify_candidates
from vision.faces.classifier import TURNS
from vision.faces.detector import Detections
from vision.faces.networks import Models
from vision.faces.view_prior import standing
from vision.geometry import Floats, Points, ios, sides_of
from vision.models import PairClassifier
from vision.photo import Pixels
from vision.quad import Quad

AGAIN = 0.8  # probability from which the best of many guesses is classified again
# The places around a side that are tried first, and the probability from which the others are tried
# too. On 237 drawn pictures this lost none of 157 sides with a likely half, at a third of the work.
SPREAD, PERHAPS = (0, 4, 8), 0.1
Guess = tuple[int, Floats, float]  # a face, (4, 2) px of a possible other half, its probability


@dataclass(frozen=True, slots=True, eq=False)
class PairLooks:
    """Classifies pairs of n faces, (n, 4, 2) px."""

    bgr: Pixels
    quads: Floats
    pair_classifier: PairClassifier
    probs_of: dict[tuple[int, int], float] = field(default_factory=dict)

    def near(self, places: Sequence[int]) -> tuple[list[tuple[int, int]], Floats]:
        """Return the neighbours among some faces, and the probability that each pair is a tile."""
        near = [(places[a], places[b]) for a, b in neighbours(self.quads[list(places)])]
        new = [pair for pair in near if pair not in self.probs_of]
        probs = self._probs([(self.quads[i], self.quads[j]) for i, j in new])
        self.probs_of.update(zip(new, probs.tolist(), strict=True))
        return near, np.array([self.probs_of[pair] for pair in near], np.float64)

    def guesses(self, alone: Sequence[int], *, among_tiles: bool) -> list[Guess]:
        """Return where the undetected other halves of faces may be, the likeliest first.

        With *among_tiles* several places are tried on each side, not only the straight one.
        """
        if among_tiles:
            tried, probs = self._around(alone)
        else:
            tried = [(i, place) for i in alone for place in beside(self.quads[i])]
            probs = self._probs(self._with_own(tried))
        return [(*tried[k], float(probs[k])) for k in np.argsort(-probs, kind="stable")]

    def _around(self, alone: Sequence[int]) -> tuple[list[tuple[int, Floats]], Floats]:
        """Return places around the sides of some faces, each with its face, and probabilities.

        The maximum of many probabilities is biased, so likely places are classified again, turned
        and mirrored.
        """
        sides = [(i, places) for i in alone for places in around_beside(self.quads[i])]
        tried = [(i, places[k]) for i, places in sides for k in SPREAD]
        probs = self._probs(self._with_own(tried))
        worth = probs.reshape(-1, len(SPREAD)).max(axis=1, initial=0) >= PERHAPS
        rest = [
            (i, place)
            for (i, places), is_worth in zip(sides, worth, strict=True)
            for place in (np.delete(places, SPREAD, axis=0) if is_worth else ())
        ]
        probs = np.concatenate([probs, self._probs(self._with_own(rest))])
        best = probs >= AGAIN
        best[: len(tried) : len(SPREAD)] = False  # the plain guess of each side
        tried += rest
        if best.any():
            again = self._with_own([tried[k] for k in np.flatnonzero(best)])
            probs[best] = np.minimum(probs[best], self._other_ways(crop_pairs(self.bgr, again)))
        return tried, probs

    def _with_own(self, places: list[tuple[int, Floats]]) -> list[tuple[Floats, Floats]]:
        """Return each place with the quad of the face that it belongs to."""
        return [(self.quads[i], place) for i, place in places]

    def _probs(self, pairs: list[tuple[Floats, Floats]]) -> Floats:
        return pair_probs(crop_pairs(self.bgr, pairs), self.pair_classifier)

    def _other_ways(self, crops: Pixels) -> Floats:
        """Return mean probabilities of crops turned by half, and mirrored both ways."""
        ways = [crops[:, ::-1, ::-1], crops[:, ::-1], crops[:, :, ::-1]]
        probs = [pair_probs(way, self.pair_classifier) for way in ways]
        return np.asarray(np.mean(probs, axis=0), np.float64)


# Probability of a face from which a place may be half of a domino whose other half is certain:
# among dominoes only, and where there may be dice, whose sides look like halves. On drawn tables of
# dominoes the pair classifier was right at all 12 such places with probability from 0.02 to 0.07,
# mostly blank ones.
FAINT, FAINT_AMONG_DICE = 0.02, 0.07
MISSED = 0.8  # probability from which a half that the detector missed is believed
# The same if nothing else indicates dominoes, and the largest number of faces then. None of 478
# dice on held-back photos has such a probability, and 4 of 586 on drawn tables; 77 % of 577 halves
# of drawn tiles with a blank other half have.
CONVINCING, FEW = 0.95, 3
# Probability of the pair classifier from which a single face may be half of a domino: with a face
# beside it, and with a place where none was detected, among few faces or many. Of 114 held-back
# photos of dice 37 then ask a question if anything is looked for, and 36 if only dice are.
TOUCHING, LIKE, LIKE_AMONG_MANY = 0.4, 0.8, 0.9
COVERED = 0.3  # shared area over the smaller one above which a place is taken


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The dominoes among some places, and what may be part of one."""

    candidates: Candidates  # the places, followed by halves that the detector missed
    pairs: list[Pair]  # the most probable first
    covered: set[int]  # halves of pairs that may be the open halves of two tiles under a third
    lone: set[int]  # places in no pair that may be halves


def find_tiles(
    candidates: Candidates, real: Floats, looks: PairLooks, models: Models, *, only_dominoes: bool
) -> Joined:
    """Find the dominoes among n places.

    Args:
        candidates: the places.
        real: (n,) probabilities that each is a face; one half of each tile must be a certain one.
        looks: the pair classifier on these places.
        models: the networks.
        only_dominoes: whether every face is half a domino; otherwise there may be dice too.
    """
    plain = np.flatnonzero(real >= models.calibration.shown)
    plain_faces: set[int] = set(plain.tolist())
    dice: set[int] = set()
    sides: set[int] = set()
    if not only_dominoes:
        dice, sides = standing(candidates.detections, candidates.logits, plain, candidates.size)
    likely = np.flatnonzero(real >= (FAINT if only_dominoes else FAINT_AMONG_DICE))
    near, probs = looks.near([i for i in likely.tolist() if i not in sides | dice])
    joined = match_halves(near, probs, real if only_dominoes else None)
    pairs = [pair for pair in joined if halves_of([pair]) & plain_faces]
    tile_prob = dict(zip(near, probs.tolist(), strict=True))
    # If a half has no other half, tiles may be stacked.
    flat = only_dominoes and plain_faces <= halves_of(pairs)
    plain_pairs = _plain_pairs(pairs, tile_prob, flat=flat)
    few = bool(pairs) or only_dominoes or len(plain) <= FEW
    alone = [int(i) for i in plain if i not in halves_of(pairs) | dice]
    guessed = looks.guesses(alone, among_tiles=only_dominoes)
    if few:
        believed = MISSED if only_dominoes or pairs else CONVINCING
        candidates, pairs = _with_missed(candidates, pairs, guessed, looks, models, believed)
    taken = halves_of(pairs)
    covered = perhaps_covered(
        pairs, plain_pairs, candidates.detections.quads, sorted(plain_faces | taken)
    )
    rivals = [set(pair) for pair, share in tile_prob.items() if share >= ONE_TILE]
    lone = _perhaps_halves(tile_prob, guessed, few=few) - taken
    return Joined(candidates, pairs, with_rivals(covered, pairs, rivals), lone)


def _perhaps_halves(
    tile_prob: dict[tuple[int, int], float], guessed: list[Guess], *, few: bool
) -> set[int]:
    """Return the places that may be half of a tile, with a place beside them or a missed one."""
    touching = {i for pair, share in tile_prob.items() if share >= TOUCHING for i in pair}
    return touching | {i for i, _, share in guessed if share >= (LIKE if few else LIKE_AMONG_MANY)}


def _plain_pairs(
    pairs: list[Pair], tile_prob: dict[tuple[int, int], float], *, flat: bool
) -> set[tuple[int, int]]:
    """Return the halves of the pairs that are certainly tiles; *flat* if no tile is stacked."""
    ends = {(pair.first, pair.second): pair.prob for pair in pairs}
    return {
        pair
        for pair, prob in ends.items()
        if tile_prob[pair] >= (OWN if flat else PLAINLY) and (prob >= SHARED or not flat)
    }


def with_blanks(joined: Joined, real: Floats, looks: PairLooks, models: Models) -> Joined:
    """Join pairs of blank places too: beside tiles they are probably not part of the background.

    The probability of such a tile is the pair classifier's times that of both halves being faces.

    Args:
        joined: the dominoes with pips on one half at least.
        real: (n,) probabilities that each place is a face, given that it is half of a domino.
        looks: the pair classifier on the places among which they were found.
        models: the networks.
    """
    quads, taken = joined.candidates.detections.quads, halves_of(joined.pairs)
    covered = quads[sorted(taken)]
    likely = np.flatnonzero(real[: len(looks.quads)] >= FAINT_AMONG_DICE).tolist()
    free = [i for i in likely if i not in taken and not _is_covered(quads[i], covered)]
    pairs = list(joined.pairs)
    for pair in match_halves(*looks.near(free)):
        prob = float(pair.prob * real[pair.first] * real[pair.second])
        if prob >= ONE_TILE:
            pairs.append(replace(pair, prob=prob))
    candidates = joined.candidates
    if pairs:
        alone = [i for i in free if real[i] >= models.calibration.shown]
        # There may still be dice: one of many tries around a die would find it another half.
        guessed = looks.guesses(sorted(set(alone) - halves_of(pairs)), among_tiles=False)
        candidates, pairs = _with_missed(candidates, pairs, guessed, looks, models, MISSED)
    pairs.sort(key=lambda pair: -pair.prob)
    return replace(joined, candidates=candidates, pairs=pairs, lone=joined.lone - halves_of(pairs))


def _with_missed(
    candidates: Candidates,
    pairs: list[Pair],
    guessed: list[Guess],
    looks: PairLooks,
    models: Models,
    believed: float,
) -> tuple[Candidates, list[Pair]]:
    """Add halves that the detector missed, each beside a face without another half."""
    covered = candidates.detections.quads[sorted(halves_of(pairs))]
    added: list[Guess] = []
    for i, quad, sure in guessed:
        if sure < believed:
            break
        own = candidates.detections.quads[i]
        if sides_of(quad[None])[0] < SMALLEST or not _is_inside(quad, looks.bgr):
            continue
        if not _is_covered(quad, covered) | _is_covered(own, covered):
            added.append((i, quad, sure))
            covered = np.concatenate([covered, [quad, own]])
    if not added:
        return candidates, pairs
    chances = np.array([sure for _, _, sure in added])
    places = np.array([quad for _, quad, _ in added])
    found = Detections(places, chances, np.full((len(added), 7), 1 / 7), chances, chances)
    joined = [Pair(i, len(candidates) + n, sure) for n, (i, _, sure) in enumerate(added)]
    return candidates.also(
        classify_candidates(looks.bgr, found, candidates.scale, models, turns=TURNS)
    ), [*pairs, *joined]


def _is_covered(quad: Floats, others: Floats) -> bool:
    """Return True if one of (n, 4, 2) *others* has much of a quad's area."""
    reach = 2 * sides_of(quad[None])[0]
    away = np.linalg.norm(others.mean(axis=1) - quad.mean(axis=0), axis=1)
    return any(ios(quad, other) > COVERED for other in others[away < reach])


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
