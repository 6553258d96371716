"""Assemble a reading: turn a scene and its calibration into dice, tiles and warnings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.boards.dice_lattice import PlacedDice
from vision.boards.report import free_for
from vision.dominoes.matching import halves_of
from vision.dominoes.occlusion import COVERED
from vision.dominoes.scene import Scene, half_probs
from vision.dominoes.set_prior import suits_nearest
from vision.dominoes.tiles import FAINT, tile_quad
from vision.faces.calibration import Calibration
from vision.faces.candidates import Candidates, ScoredCandidates, score_candidates
from vision.faces.classifier import NOTHING
from vision.faces.colour import colour_probs, condition_on_count, named, of_each_at_most
from vision.faces.cut_pieces import cut_at_edge
from vision.faces.detector import softmax
from vision.faces.larger_sets import beyond_six
from vision.faces.networks import Models
from vision.faces.white_balance import FACE, may_be_white
from vision.geometry import Floats
from vision.models import EdgeClassifier
from vision.photo import Photo
from vision.quad import Quad
from vision.quality import complaints
from vision.reading import SURE_COLOUR, Face, Look, TileReading
from vision.unread import PlaceKinds, kinds_on, with_kinds, without_unread
from vision.warnings import COLOURED, CUT, FOREIGN, LONE_HALF, hint, is_cut_off, where_all

# Probability of a face from which a person is asked about a loose one though nothing else is read.
# Of 186 strangers' dice, each cut out by itself, 2 that can be read are lost unasked by it; of 120
# strangers' photos on which nothing lies and nothing is read, 48 ask no more.
NEARLY = 0.3
# Without a piece as LIKELY, places to ask about are a pattern if there are so many, and more than a
# die shows sides beside each piece. So it is on 61 of 879 photos of other things in train/, on none
# of 480 of pieces.
LIKELY, REPEATED, SIDES = 0.9, 2, 2
# Probability of a face from which a person is asked about a loose one beside pieces. Of 208 places
# from 0.06 to 0.1 that were asked about, none was a face; from 0.1 to 0.2 nine of 254 were
# (models/CARD.md). On strangers' photos it saves three questions and leaves no error silent
# (`make risk PHOTOS=../shared/photos/train`). Fainter places still show a pattern.
PERHAPS = 0.1
# The same beside dominoes that are all sure. Of 32 drawn and rendered tables on which only places
# were asked about, twelve had fainter ones alone, and all twelve were right.
PERHAPS_HALF = 0.2
# Likelihood of a face that is cut off at the edge from which this is said, beside dice of its size
# and without any die: the detector's probability times the root of the classifier's. What
# is said by it or by `cut_at_edge` is printed by `python -m models.measure cut`.
PARTLY, ALONE, OF_SIZE, OF_COLOUR = 0.13, 0.26, 1.5, 130.0
MANY = 3  # times as many dice as may be halves of dominoes, from which these are dice too
HALF = "A die may be half a domino ({}). Show all of it, or correct it."
HALVES = "All of these may be halves of dominoes. Show the whole tiles, or correct the dice."


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A scene with the calibrated probabilities of its n candidates; px of the photo."""

    scene: Scene
    look: Look
    calibration: Calibration
    as_die: ScoredCandidates
    as_half: ScoredCandidates  # as halves of dominoes
    colours: Floats  # (n, 12) probabilities
    foreign: NDArray[np.bool_]  # (n,) clearly of a colour that is not the game's
    quads: tuple[Quad, ...]
    cut: tuple[bool, ...]  # cut off at the photo's edge
    many: Floats  # (n,) probability of half a domino with more than six pips
    kinds: PlaceKinds


@dataclass(frozen=True, slots=True)
class Selection:
    """Indices of single candidates (in no tile) that are reported or asked about."""

    shown: tuple[int, ...]  # reported, the likeliest first
    missed: tuple[int, ...]  # only asked about, the likeliest first
    lone: frozenset[int] = frozenset()  # of those shown, dice that may be half a domino
    none: int = 0  # how many others look like faces and are print or nothing
    cut: tuple[int, ...] = ()  # others, which are cut off at the photo's edge


def score(scene: Scene, photo: Photo, look: Look, models: Models) -> Scored:
    """Compute calibrated probabilities of what was detected and classified."""
    calibration = models.calibration
    candidates = scene.candidates
    as_die = score_candidates(candidates, calibration)
    if scene.kind == "dice":
        as_die = _counted(as_die, np.arange(len(candidates)), look)
    with_tiles = scene.kind == "dominoes" or bool(scene.pairs)
    as_half = score_candidates(candidates, calibration, halves=True) if with_tiles else as_die
    scene, kinds = without_unread(scene, kinds_on(photo, scene, as_die, as_half, models))
    as_die = with_kinds(as_die, kinds, models)
    colours, foreign = colour_probs(candidates.colour_logits, look.colours)
    if look.most and scene.kind != "dominoes":
        dice = np.flatnonzero(as_die.shown(calibration) & ~foreign)
        colours[dice] = of_each_at_most(colours[dice], look)
    quads = tuple(Quad.around(q).scaled(photo.scale) for q in candidates.detections.quads)
    halves = halves_of(scene.pairs)
    cut = tuple(
        is_cut_off(quad, photo.width, photo.height, half=i in halves)
        for i, quad in enumerate(quads)
    )
    is_half = as_half.shown(calibration) & (scene.kind == "dominoes")
    is_half[list(halves)] = True
    # Tiles in place are of a double-six set, and so are those added to them.
    may_be_larger = is_half & (not look.lying)
    many = beyond_six(candidates, may_be_larger, models.larger_sets, look.largest)
    return Scored(
        scene, look, calibration, as_die, as_half, colours, foreign, quads, cut, many, kinds
    )


def _counted(scored: ScoredCandidates, places: NDArray[np.intp], look: Look) -> ScoredCandidates:
    """Condition the probabilities of some places on the number of dice in the game."""
    if look.count is None:
        return scored
    real = scored.real.copy()
    real[places] = condition_on_count(real[places], look.count)
    return replace(scored, real=real)


def choose(scored: Scored) -> Selection:
    """Choose the single candidates that are reported or asked about."""
    halves = halves_of(scored.scene.pairs)
    single = (i for i in range(len(scored.quads)) if i not in halves)
    candidates = scored.as_half if scored.scene.kind == "dominoes" else scored.as_die
    order = sorted(single, key=lambda i: -candidates.real[i])
    shown, missed = candidates.shown(scored.calibration), candidates.missed(scored.calibration)
    if not candidates.halves:
        pips = ~candidates.numerals(scored.calibration)
        shown, missed = shown & pips, missed & pips
    gone = scored.kinds.gone
    count = int(((shown | missed) & gone).sum())
    shown, missed = shown & ~gone, missed & ~gone
    reported = tuple(i for i in order if shown[i])
    halves_like = {i for i in reported if scored.kinds.doubted[i]}
    lone = (_lone_halves(scored, reported) | halves_like) - scored.scene.ambiguous
    if not reported and not halves and scored.look.kind in ("auto", "dice"):
        missed = missed & (candidates.real >= NEARLY)
    asked = tuple(i for i in order if missed[i])
    return Selection(reported, asked, lone, count, _cut_off(scored, reported))


def _cut_off(scored: Scored, shown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dice that are cut off at the edge too far to be reported beside those *shown*."""
    cut = np.array(scored.cut, np.bool_)
    if scored.look.kind not in ("auto", "dice") or scored.scene.kind == "dominoes" or not cut.any():
        return ()
    found, sizes = scored.scene.candidates, scored.scene.candidates.detections.sizes
    other = softmax(found.logits)[:, [0, NOTHING]].sum(axis=1)  # a die has no blank face
    likely = found.detections.probs * np.sqrt(1 - other)
    whole = [i for i in shown if not cut[i]]
    if whole:
        unlike = np.abs(np.log(sizes / np.median(sizes[whole])))
        cut &= (likely >= PARTLY) & (unlike < np.log(OF_SIZE)) & _coloured_as(found, whole)
    else:
        cut &= likely >= ALONE
    cut[list(shown)] = False
    return tuple(np.flatnonzero(cut).tolist())


def _coloured_as(found: Candidates, pieces: Sequence[int]) -> NDArray[np.bool_]:
    """Return (n,) which places have the colour of one of some *pieces*, at least one."""
    bodies = np.median(found.crops[FACE].reshape(len(found.crops), -1, 3), axis=1)
    away = np.linalg.norm(bodies[:, None] - bodies[pieces], axis=2)
    alike = away.min(axis=1) < max(OF_COLOUR, away[pieces].max())  # they may be of many colours
    return np.asarray(alike, np.bool_)


def without_gaps(scored: Scored, choice: Selection) -> Selection:
    """Leave out blank places between dominoes that have the colour of none: what they lie on."""
    halves = sorted(halves_of(scored.scene.pairs))
    if scored.scene.kind != "dominoes" or not halves:
        return choice
    gaps = np.flatnonzero(~_coloured_as(scored.scene.candidates, halves)).tolist()
    blank = (i for i in gaps if scored.as_half.value_probs(i).argmax() == 0)
    return without(choice, frozenset(blank))


def without_pattern(scored: Scored, choice: Selection) -> tuple[Scored, Selection]:
    """Report nothing if the candidates are rather a pattern, such as a cloth's, than pieces.

    What repeats itself without being a piece does so in many places, none of them likely.
    """
    if scored.look.kind not in ("auto", "dice"):
        return scored, choice
    places, real = len(choice.missed) + choice.none, scored.as_die.real
    least = 0.0 if scored.scene.kind == "dominoes" else PERHAPS
    likelier = replace(choice, missed=tuple(i for i in choice.missed if real[i] >= least))
    if places < REPEATED:
        return scored, likelier
    pieces: list[Face | TileReading] = [*dice_of(scored, choice), *tiles_of(scored)]
    if places <= SIDES * len(pieces) or any(piece.confidence >= LIKELY for piece in pieces):
        return scored, likelier
    return replace(scored, scene=Scene(scored.scene.candidates, "dice")), Selection((), ())


def without_faint(scored: Scored, choice: Selection, tiles: Sequence[TileReading]) -> Selection:
    """Ask about no faint place beside dominoes that are all read surely."""
    are_sure = bool(tiles) and all(tile.sure for tile in tiles)
    if scored.scene.kind != "dominoes" or choice.shown or not are_sure:
        return choice
    real = scored.as_half.real
    return replace(choice, missed=tuple(i for i in choice.missed if real[i] >= PERHAPS_HALF))


def _lone_halves(scored: Scored, shown: tuple[int, ...]) -> frozenset[int]:
    """Return the dice that may be half a domino.

    If several may be, so may all others of their colour and size. A few among many dice are dice
    that touch: of dominoes nearly all have their other half beside them.
    """
    scene = scored.scene
    lone = scene.lone & set(shown)
    halves = sorted(halves_of(scene.pairs) | lone)
    few = not scene.pairs and len(lone) * MANY < len(shown)
    if scene.kind != "auto" or not halves or few:
        return frozenset()
    palette = {named(scored.colours[i])[0][0] for i in halves}
    _, strange = colour_probs(scene.candidates.colour_logits, tuple(palette))
    fits = suits_nearest(scene.candidates.detections, np.array(halves, np.intp))
    return frozenset(i for i in shown if i in lone or (fits[i] and not strange[i]))


def on_board(scored: Scored, choice: Selection, placed: PlacedDice) -> tuple[Scored, Selection]:
    """Ask only about places in free cells of the board, and count the dice on it."""
    free = free_for([scored.quads[i] for i in choice.missed], placed)
    missed = [i for i, cell in zip(choice.missed, free, strict=True) if cell is not None]
    inside = [i for i, cell in zip(choice.shown, placed.cells, strict=True) if cell]
    as_die = _counted(scored.as_die, np.array(inside + missed, np.intp), scored.look)
    likely = tuple(i for i in missed if as_die.real[i] >= scored.calibration.missed)
    return replace(scored, as_die=as_die), replace(choice, missed=likely)


def dice_of(scored: Scored, choice: Selection) -> list[Face]:
    """Return the dice, the likeliest first; none among dominoes only."""
    if scored.scene.kind == "dominoes":
        return []
    as_die, confidence = scored.as_die, scored.as_die.confidence
    open_to_doubt = scored.scene.ambiguous | choice.lone
    return [
        _face(scored, i, as_die.value_probs(i), float(confidence[i]), asked=i in open_to_doubt)
        for i in choice.shown
    ]


def tiles_of(scored: Scored) -> list[TileReading]:
    """Return the dominoes, the most confident first."""
    tiles = []
    probs = half_probs(scored.scene.pairs, scored.as_half)
    for pair in scored.scene.pairs:
        first, second = (
            _face(scored, i, probs[i], float(probs[i].max())) for i in (pair.first, pair.second)
        )
        joined = min(pair.prob, COVERED if pair.first in scored.scene.covered else 1.0)
        confidence = joined * first.confidence * second.confidence
        tiles.append(TileReading(
            tile_quad(first.quad, second.quad), (first, second), confidence,
            first.sure and second.sure and confidence >= scored.calibration.sure,
        ))  # fmt: skip
    return sorted(tiles, key=lambda tile: (-tile.confidence, tile.quad.center))


def lone_halves(scored: Scored) -> dict[int, Face]:
    """Return single halves, by candidate, whose other half was not found.

    Includes faint ones that nobody is asked about. Empty unless there are only dominoes: otherwise
    a single face is a die.
    """
    if scored.scene.kind != "dominoes":
        return {}
    as_half, confidence = scored.as_half, scored.as_half.confidence
    taken = halves_of(scored.scene.pairs)
    return {
        i: _face(scored, i, as_half.value_probs(i), float(confidence[i]))
        for i in np.flatnonzero(as_half.real >= FAINT).tolist()
        if i not in taken
    }


def without(choice: Selection, explained: frozenset[int]) -> Selection:
    """Leave out places that are explained by something else: a tile in place, or print."""
    shown = tuple(i for i in choice.shown if i not in explained)
    return replace(
        choice, shown=shown, missed=tuple(i for i in choice.missed if i not in explained)
    )


def _face(scored: Scored, i: int, probs: Floats, confidence: float, *, asked: bool = False) -> Face:
    colours = named(scored.colours[i])
    asked = asked or scored.cut[i] or bool(scored.kinds.doubted[i])
    confidence *= 1 - float(scored.many[i])
    sure = confidence >= scored.calibration.sure and not asked
    if scored.look.colours:  # the game distinguishes pieces by colour
        sure = sure and colours[0][1] >= SURE_COLOUR
    return Face(scored.quads[i], tuple(probs.tolist()), colours, confidence, sure)


def apart(choice: Selection, placed: PlacedDice | None) -> frozenset[int]:
    """Return the dice beside the board if there are others on it: they do not count."""
    if placed is None or not placed.believed or not any(placed.cells):
        return frozenset()
    cells = zip(choice.shown, placed.cells, strict=True)
    return frozenset(i for i, cell in cells if cell is None)


def warnings_of(
    photo: Photo,
    scored: Scored,
    choice: Selection,
    off_board: frozenset[int] = frozenset(),
    edge_classifier: EdgeClassifier | None = None,
) -> list[str]:
    """Return sentences that say what to change or where to look, except about dice *off_board*.

    With an *edge_classifier* pieces are looked for of which only a part is on the photo, unless all
    dice of the game are read.
    """
    scene = scored.scene
    shown = [i for i in choice.shown if i not in off_board]
    faces = [*(i for pair in scene.pairs for i in (pair.first, pair.second)), *shown]
    quads = np.array([scored.quads[i].array for i in faces])
    said = complaints(photo.bgr, scene.candidates.crops[faces], quads)
    is_cut = bool(choice.cut) or any(scored.cut[i] for i in faces)
    if not (is_cut or len(shown) == scored.look.count) and edge_classifier:
        is_cut = cut_at_edge(photo.bgr, quads / photo.scale, edge_classifier)
    said += [CUT] if is_cut else []
    said += _said_of_tiles(photo, scored, choice, faces)
    colours = scored.colours[shown].argmax(axis=1)
    if scene.kind != "dominoes" and may_be_white(photo.bgr, colours).any():
        said.append(COLOURED)
    said += [FOREIGN.format(named(scored.colours[i])[0][0]) for i in shown if scored.foreign[i]]
    return said


def _said_of_tiles(
    photo: Photo, scored: Scored, choice: Selection, faces: Sequence[int]
) -> Iterator[str]:
    """Yield sentences about dominoes, about missed pieces and about dice that may be dominoes."""
    scene = scored.scene
    if scene.kind == "dominoes" and choice.shown:
        places = _where(photo, scored, choice.shown)
        yield LONE_HALF.format(places)
    if many := [i for i in faces if scored.many[i] > 1 - scored.calibration.sure]:
        places = _where(photo, scored, many)
        yield f"Dominoes may have more than six pips on a half ({places}). Correct these."
    if said := hint_of(photo, scored, choice):
        yield said
    if ambiguous := [i for i in choice.shown if i in scene.ambiguous]:
        places = _where(photo, scored, ambiguous)
        yield f"Dice that touch may be a domino ({places}). Move them apart."
    if lone := [i for i in choice.shown if i in choice.lone]:
        every = len(lone) == len(choice.shown) > 1
        yield HALVES if every else HALF.format(_where(photo, scored, lone))


def hint_of(photo: Photo, scored: Scored, choice: Selection) -> str | None:
    """Return a sentence about places of pieces that may have been missed; None without any."""
    missed = [scored.quads[i] for i in choice.missed]
    more = bool(choice.shown or scored.scene.pairs)
    return hint(missed, photo.width, photo.height, more=more)


def _where(photo: Photo, scored: Scored, places: Iterable[int]) -> str:
    return where_all((scored.quads[i] for i in places), photo.width, photo.height)
