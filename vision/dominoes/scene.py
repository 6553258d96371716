"""Find out whether a picture shows dice, dominoes or both, and join the halves of dominoes.

In: a picture and the networks. Out: a `Scene`, from the first pass over the picture, or from the
refined passes if the first is not clear.

The halves of a doubtful tile are read again from the outline of the whole tile, cut in half: the
detector outlines each half by itself, and with an outline that is off, the bar or a neighbour's
pips get into the crop. Its own guess of the values is dropped: it saw a lower resolution.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from vision.dominoes.matching import ONE_TILE, Pair, halves_of, scene_probs
from vision.dominoes.pair_classifier import outline
from vision.dominoes.set_prior import contested, with_set_prior
from vision.dominoes.tiles import Joined, PairLooks, find_tiles, with_blanks
from vision.faces.adapter import Adapter
from vision.faces.calibration import Calibration
from vision.faces.candidates import Candidates, ScoredCandidates, score_candidates
from vision.faces.classified import OnStage
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.multiscale import (
    TRACKED,
    UNKNOWN,
    KnownGround,
    examine,
    first_pass,
    is_clear,
    passes,
)
from vision.faces.networks import Models
from vision.geometry import Floats, Homography, Points
from vision.photo import Pixels
from vision.reading import LookKind

TILE = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])  # in widths, clockwise
LEFT = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
RIGHT = np.array([(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0)])


def read_rectified(
    bgr: Pixels,
    candidates: Candidates,
    pairs: list[Pair],
    models: Models,
    adjust: Callable[[Candidates], Candidates],
) -> Candidates:
    """Return the candidates; the halves of *pairs* get the mean logits of both classifier runs.

    Args:
        bgr: the picture.
        candidates: as they were found and read.
        pairs: the tiles to read again.
        models: the networks.
        adjust: applied to the new reading as to the first, such as an adapter to a family's dice.
    """
    if not pairs:
        return candidates
    halves = np.array([i for pair in pairs for i in (pair.first, pair.second)], np.intp)
    own = candidates.take(halves)
    quads = np.concatenate(
        [exact_halves(*ends) for ends in own.detections.quads.reshape(-1, 2, 4, 2)]
    )
    crops = crop_faces(bgr, quads)
    logits, colours, embeddings = classify_crops(crops, models.face_classifier, TURNS)
    again = adjust(
        replace(own, logits=logits, colour_logits=colours, embeddings=embeddings, crops=crops)
    )
    both, values = candidates.logits.copy(), candidates.detections.values.copy()
    both[halves] = (own.logits + again.logits) / 2
    values[halves] = 1 / values.shape[1]
    return replace(
        candidates, detections=replace(candidates.detections, values=values), logits=both
    )


def exact_halves(first: Points, second: Points) -> Floats:
    """Return (2, 4, 2) px, the common outline of two (4, 2) halves, cut across its middle.

    The cut allows for perspective. Halves without a proper outline are returned unchanged.
    """
    to_px = Homography.fit(TILE, outline(first, second))
    if to_px is None:
        return np.array([first, second])
    return np.array([to_px.apply(LEFT), to_px.apply(RIGHT)])


CERTAIN = 0.9  # probability from which nobody need be asked whether two halves are one tile


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Candidate faces, and the tiles among them, by the faces' indices."""

    candidates: Candidates
    kind: LookKind  # assumed content of the picture; "auto": dice, and perhaps tiles
    pairs: tuple[Pair, ...] = ()  # the most probable first
    ambiguous: frozenset[int] = frozenset()  # dice that touch and may be the halves of a tile
    lone: frozenset[int] = frozenset()  # places in no pair that may be half of a tile each
    covered: frozenset[int] = frozenset()  # halves of pairs that may belong to two other tiles


@dataclass(frozen=True, slots=True)
class MovingFrame:
    """Marks a picture as a camera's frame: one pass is enough, the next frame is another look."""

    side: float | None  # side of the faces on the previous frame, px; None if unknown


def find_scene(
    bgr: Pixels,
    kind: LookKind,
    models: Models,
    adapter: Adapter | None = None,
    on_stage: OnStage = lambda _: None,
    frame: MovingFrame | None = None,
    ground: KnownGround = UNKNOWN,
) -> Scene:
    """Return the faces and tiles on a picture.

    Args:
        bgr: the picture.
        kind: what to look for.
        models: the networks.
        adapter: corrects the classifier for a family's own pieces.
        on_stage: called with the name of each stage when it ends.
        frame: given if the picture is a frame of a camera.
        ground: a known board or sheet under the pieces.
    """
    calibration = models.calibration

    only_halves = {"dominoes": True, "auto": None}.get(kind, False)
    as_halves = {"dominoes": (True,), "auto": (False, True)}.get(kind, (False,))

    def is_plain(candidates: Candidates) -> bool:
        return any(is_clear(candidates, calibration, ground, halves=one) for one in as_halves)

    def interpreted(candidates: Candidates) -> Scene:
        return interpret(bgr, candidates, kind, models, adapter, on_stage)

    def is_enough(scene: Scene) -> bool:
        halves = scene.kind == "dominoes"
        return is_settled(scene, calibration) and (
            kind != "auto" or is_clear(scene.candidates, calibration, ground, halves=halves)
        )

    if frame:
        scene = interpreted(
            first_pass(bgr, models, on_stage, best=TRACKED, likely_side=frame.side, ground=ground)
        )
    else:
        scene = examine(
            passes(bgr, models, on_stage, halves=only_halves, ground=ground),
            is_plain,
            interpreted,
            is_enough,
        )
    return _with_doubted_again(bgr, scene, models, adapter, on_stage, moving=frame is not None)


def interpret(
    bgr: Pixels,
    candidates: Candidates,
    kind: LookKind,
    models: Models,
    adapter: Adapter | None,
    on_stage: OnStage,
) -> Scene:
    """Join halves to tiles if dominoes are looked for, or if there seem to be any."""
    adapted = adapter.adjust(candidates) if adapter else candidates
    looks = PairLooks(bgr, adapted.detections.quads, models.pair_classifier)
    match kind:
        case "auto":
            scene = _of_either_kind(adapted, looks, models)
        case "dominoes":
            scene = _of_dominoes(adapted, looks, models)
        case _:
            scene = Scene(adapted, kind)
    on_stage("pair")
    return scene


def _of_either_kind(candidates: Candidates, looks: PairLooks, models: Models) -> Scene:
    joined = _tiles_among(candidates, looks, models, only_dominoes=False)
    dominoes, both = _tile_odds(joined, models.calibration)
    if dominoes < CERTAIN:
        real = score_candidates(joined.candidates, models.calibration, halves=True).real
        blanks = with_blanks(joined, real, looks, models)
        if joined.pairs or _tile_odds(blanks, models.calibration)[0] > ONE_TILE:
            joined = blanks
            dominoes, both = _tile_odds(joined, models.calibration)
    if dominoes > ONE_TILE:
        return _of_dominoes(candidates, looks, models, dominoes, joined.pairs)
    pairs = [replace(pair, prob=dominoes + both * pair.prob) for pair in joined.pairs]
    return Scene(
        joined.candidates,
        "auto",
        tuple(pair for pair in pairs if pair.prob >= ONE_TILE),
        frozenset(halves_of(p for p in pairs if 1 - CERTAIN < p.prob < ONE_TILE)),
        frozenset(joined.lone),
        frozenset(joined.covered),
    )


def _tile_odds(joined: Joined, calibration: Calibration) -> tuple[float, float]:
    """Return the probabilities of dominoes only, and of dominoes and dice."""
    scored = score_candidates(joined.candidates, calibration)
    alone = set(np.flatnonzero(scored.shown(calibration)).tolist()) - halves_of(joined.pairs)
    _, dominoes, both = scene_probs(joined.pairs, len(alone))
    return dominoes, both


def _of_dominoes(
    candidates: Candidates,
    looks: PairLooks,
    models: Models,
    dominoes: float = 1.0,
    sure_pairs: Iterable[Pair] = (),
) -> Scene:
    """Take all faces as halves; *dominoes* is the probability that there are only dominoes.

    It limits the probability of each tile, except of the pairs *sure_pairs*, which are tiles either
    way.
    """
    sure_ends = [halves_of([pair]) for pair in sure_pairs]
    joined = _tiles_among(candidates, looks, models, only_dominoes=True)
    pairs = tuple(
        pair if halves_of([pair]) in sure_ends else replace(pair, prob=pair.prob * dominoes)
        for pair in joined.pairs
    )
    return Scene(joined.candidates, "dominoes", pairs, covered=frozenset(joined.covered))


def _tiles_among(
    candidates: Candidates, looks: PairLooks, models: Models, *, only_dominoes: bool
) -> Joined:
    """Join halves; unless there are only dominoes, one half of each must clearly show pips."""
    real = score_candidates(candidates, models.calibration, halves=only_dominoes).real
    return find_tiles(candidates, real, looks, models, only_dominoes=only_dominoes)


def is_settled(scene: Scene, calibration: Calibration) -> bool:
    """Return True if every domino is sure and, among dominoes only, no half is left unpaired."""
    halves = score_candidates(scene.candidates, calibration, halves=True)
    sure = all(pair.prob >= CERTAIN for pair in scene.pairs) and all(
        probs.max() >= calibration.sure for probs in half_probs(scene.pairs, halves).values()
    )
    if scene.kind != "dominoes":
        return sure
    likely = np.flatnonzero(halves.real >= calibration.missed)
    return sure and set(likely.tolist()) <= halves_of(scene.pairs)


def _with_doubted_again(
    bgr: Pixels,
    scene: Scene,
    models: Models,
    adapter: Adapter | None,
    on_stage: OnStage,
    *,
    moving: bool,
) -> Scene:
    """Read tiles again that contradict the others, as a set has each tile once.

    Unless the picture is a frame of a *moving* camera, tiles with doubtful values are read again
    too.
    """
    if not scene.pairs:
        return scene
    halves = score_candidates(scene.candidates, models.calibration, halves=True)
    ends = _end_probs(scene.pairs, halves)
    again = contested(*ends)
    if not moving:
        again |= np.any([probs.max(axis=1) < models.calibration.sure for probs in ends], axis=0)
    doubted = [scene.pairs[k] for k in np.flatnonzero(again)]
    if not doubted:
        return scene
    adjust = adapter.adjust if adapter else lambda own: own
    candidates = read_rectified(bgr, scene.candidates, doubted, models, adjust)
    on_stage("classify again")
    return replace(scene, candidates=candidates)


def half_probs(pairs: tuple[Pair, ...], halves: ScoredCandidates) -> dict[int, Floats]:
    """Return (7,) probabilities of the values of each half, given that both are faces.

    They allow for the set prior: two dominoes with the same values are unlikely.
    """
    rows = with_set_prior(*_end_probs(pairs, halves))
    return {
        i: own
        for pair, *both in zip(pairs, *rows, strict=True)
        for i, own in zip((pair.first, pair.second), both, strict=True)
    }


def _end_probs(pairs: tuple[Pair, ...], halves: ScoredCandidates) -> tuple[Floats, Floats]:
    """Return (n, 7) probabilities of the values on the first half of each pair, and the second."""
    first, second = (
        np.array([halves.value_probs(i) for i in ends]).reshape(-1, 7)
        for ends in ([pair.first for pair in pairs], [pair.second for pair in pairs])
    )
    return first, second
