"""Learn a family's own pieces from one or two photos that a person confirmed.

What is learned is as little as will do: logistic regressions on the classifier's features, with a
prior of no correction. Each face is shown several times, as another photo might show it. The other
places on a taught photo are learned to hold no face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Photo, Pixels
from vision.dominoes.scene import find_scene
from vision.faces.adapter import Adapter, NotTaught, shipped_classifier, with_bias
from vision.faces.calibration import CLASSIFIER_FEATURES, classifier_features, logit
from vision.faces.candidates import ScoredCandidates, score_candidates
from vision.faces.classifier import NOTHING, classify_crops, crop_faces
from vision.faces.colour import colour_probs
from vision.faces.detector import softmax
from vision.faces.multiscale import Models, shipped_models
from vision.faces.white_balance import colours_in_light, in_neutral_light, log_gains
from vision.geometry import Floats, Point, Quad, sides_of
from vision.reading import COLOURS, VALUES, Look, LookKind

AGAIN = 7  # times that a face is shown besides as it was found
NEAR = 0.5  # of a face's side, from a confirmed middle to the middle of its place
OTHERS = 40  # places without a face that are learned a photo, the likeliest
PERHAPS = 0.03  # probability of a face from which a place is offered to a person
MOST_PERHAPS = 6  # such places a photo
PRIOR = 1.0  # how strongly a correction of colours is held back; a face counts 1
WARY = 3.0  # the same of what is a face, and of what value: the networks know these best
BALANCE = 4.0  # times as much as the faces that all other places may weigh
ROUNDS = 40  # of the regressions, which settle after about 20
SHAKE = 0.03  # of a face's side, how far corners are off
NONE_FOUND = "None of the confirmed pieces was found on the photos. Go closer, and teach again."


@dataclass(frozen=True, slots=True)
class ConfirmedFace:
    """What a person says lies at a place on a photo, px of it."""

    center: Point
    value: int | None  # None: no face that looks up
    colour: str | None = None  # of `COLOURS`, where it was said

    def __post_init__(self) -> None:
        """Refuse values and colours that there are not."""
        if self.value is not None and self.value not in VALUES:
            raise ValueError(f"a face shows 0 to 6 pips, not {self.value}")
        if self.colour is not None and self.colour not in COLOURS:
            raise ValueError(f"no such colour: {self.colour}")


@dataclass(frozen=True, slots=True)
class PlaceToConfirm:
    """Where a face may lie on a photo, px of it, for a person to confirm."""

    quad: Quad
    value: int
    colour: str
    shown: bool  # False: the eyes take it for nothing


def places(
    photo: Photo, look: Look | None = None, models: Models | None = None
) -> list[PlaceToConfirm]:
    """Return the faces on a photo and the likeliest other places, in lines from the top left."""
    models = models or shipped_models()
    candidates = find_scene(photo.bgr, _kind(look), models).candidates
    seen = score_candidates(candidates, models.calibration, halves=_kind(look) == "dominoes")
    order = np.argsort(-seen.real, kind="stable")
    likely = [j for j in order if seen.real[j] >= models.calibration.shown]
    rest = [j for j in order if models.calibration.shown > seen.real[j] >= PERHAPS][:MOST_PERHAPS]
    probs, _ = colour_probs(seen.candidates.colour_logits, look.colours if look else ())
    found = [
        PlaceToConfirm(
            Quad.around(seen.candidates.detections.quads[j]).scaled(photo.scale),
            int(seen.values[j]),
            COLOURS[probs[j].argmax()],
            j in likely,
        )
        for j in (*likely, *rest)
    ]
    line = float(np.median([place.quad.side for place in found] or [1.0]))
    return sorted(found, key=lambda p: (round(p.quad.center[1] / line), p.quad.center[0]))


def _kind(look: Look | None) -> LookKind:
    return look.kind if look else "dice"


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """Places as they are learned; n rows."""

    embeddings: Floats  # (n, F)
    logits: Floats  # (n, 7) logits of the values now, from both networks
    real: Floats  # (n,) log probability now that a face looks up
    colours: Floats  # (n, 12) logits now
    value: NDArray[np.intp]  # NOTHING: no face
    colour: NDArray[np.intp]  # -1: not said
    weight: Floats


def fit_adapter(
    photos: Sequence[tuple[Photo, Sequence[ConfirmedFace]]],
    look: Look | None = None,
    models: Models | None = None,
    face_classifier: str | None = None,
) -> Adapter:
    """Learn the pieces on one or two photos.

    Args:
        photos: each with everything that lies there as a person confirmed it. What the eyes show
            and the person does not mention is not learned.
        look: what was looked for, dice or dominoes.
        models: other networks than the shipped ones, and
        face_classifier: the SHA-256 of theirs.

    Raises:
        NotTaught: none of the confirmed faces is among the places that the networks found.
    """
    models = models or shipped_models()
    rows = _joined([_lessons(photo, said, _kind(look), models) for photo, said in photos])
    is_face = rows.value != NOTHING
    if not is_face.any():
        raise NotTaught(NONE_FOUND)
    return _learned(rows, models, face_classifier or shipped_classifier())


def _learned(rows: TrainingRows, models: Models, face_classifier: str) -> Adapter:
    told, weight = with_bias(rows.embeddings), rows.weight
    # The features of a place together weigh as much as its 1, whatever the network's scale.
    scale = np.ones(told.shape[1])
    scale[:-1] /= max(float(np.sqrt((rows.embeddings**2).sum(axis=1).mean())), 1e-9)
    told = told * scale
    is_face, has_colour = rows.value != NOTHING, rows.colour >= 0
    # Few faces among many other places must not make every face unlikely.
    faces, others = weight[is_face].sum(), weight[~is_face].sum()
    even = np.where(is_face, weight, weight * min(1.0, BALANCE * faces / max(others, 1e-9)))
    both = np.column_stack([np.zeros(len(told)), rows.real])
    real = regress(told, both, is_face.astype(np.intp), even, WARY)

    def learn(
        logits: Floats, truth: NDArray[np.intp], rows: NDArray[np.bool_], prior: float
    ) -> Floats:
        return scale[:, None] * regress(told[rows], logits[rows], truth[rows], weight[rows], prior)

    return Adapter(
        face_classifier,
        round(float(faces)),
        learn(rows.logits, rows.value, is_face, WARY),
        learn(rows.colours, rows.colour, has_colour, PRIOR),
        # The detector's log probabilities are one cue of several: what all want more is added to
        # it.
        scale * (real[:, 1] - real[:, 0]) / models.calibration.real[1],
    )


def regress(
    told: Floats,
    before: Floats,
    truth: NDArray[np.intp],
    weight: Floats,
    prior: float = PRIOR,
) -> Floats:
    """Return the smallest map that, added to the logits, tells the truth.

    Multinomial logistic regression with offsets. Each round is a Newton step with Böhning's bound
    of the curvature (Ann. Inst. Statist. Math. 44, 1992), which needs one inverse for all.

    Args:
        told: (n, d).
        before: (n, k) logits without the map.
        truth: (n,) which of the k it is.
        weight: (n,).
        prior: how strongly the map is held to nothing.

    Returns:
        (d, k).
    """
    d, k = told.shape[1], before.shape[1]
    found = np.zeros((d, k))
    if not len(told):
        return found
    curve = prior * np.eye(d) + 0.5 * (told * weight[:, None]).T @ told
    step = np.linalg.inv(curve)
    wanted = np.eye(k)[truth]
    for _ in range(ROUNDS):
        off = weight[:, None] * (wanted - softmax(before + told @ found))
        found += step @ (told.T @ off - prior * found)
    return found


def _lessons(
    photo: Photo, said: Sequence[ConfirmedFace], kind: LookKind, models: Models
) -> TrainingRows:
    """Return the places on one photo, each as found and AGAIN times a bit different."""
    halves = kind == "dominoes"
    candidates = find_scene(photo.bgr, kind, models).candidates
    seen = score_candidates(candidates, models.calibration, halves=halves)
    truth = _truths(photo, said, seen, models)
    places = np.array(sorted(truth), np.intp)
    candidates = in_neutral_light(photo.bgr, candidates, places, models)
    rng = np.random.default_rng(len(places))
    quads = [
        shaken(rng, quad) for quad in candidates.detections.quads[places] for _ in range(AGAIN)
    ]
    crops = crop_faces(photo.bgr, np.array(quads).reshape(-1, 4, 2))
    crops = relit(rng, crops)
    logits, colours, embeddings = classify_crops(crops, models.face_classifier)
    gains = log_gains(photo.bgr)
    colours = colours_in_light(crops, colours, gains, models.face_classifier)
    from_whole = np.repeat(np.arange(len(places)), AGAIN)
    again = places[from_whole]
    every = np.concatenate([places, again])
    logits = np.concatenate([candidates.logits[places], logits])
    values = logits[:, :NOTHING] + np.log(candidates.detections.values[every] + 0.02)
    values[:, : 0 if halves else 1] = -30
    told = [
        classifier_features(logits, halves=True) for logits in (logits, candidates.logits[every])
    ]
    likelier = (told[0] - told[1]) @ np.array(models.calibration.real[CLASSIFIER_FEATURES])
    return TrainingRows(
        np.concatenate([candidates.embeddings[places], embeddings]),
        values,
        logit(seen.real[every]) + likelier,
        np.concatenate([candidates.colour_logits[places], colours]),
        np.array([truth[j][0] for j in every], np.intp),
        np.array([truth[j][1] for j in every], np.intp),
        np.full(len(every), 1 / (1 + AGAIN)),
    )


def _truths(
    photo: Photo, said: Sequence[ConfirmedFace], seen: ScoredCandidates, models: Models
) -> dict[int, tuple[int, int]]:
    """Return {place: value or NOTHING, colour or -1} of the places that are learned."""
    found = seen.candidates.detections
    middles = (found.middles + 0.5) * photo.scale - 0.5
    sides = found.sizes * photo.scale
    near = []
    for i, one in enumerate(said):
        away = np.linalg.norm(middles - np.array(one.center), axis=1) / np.maximum(sides, 1e-9)
        near += [(float(away[j]), i, int(j)) for j in np.flatnonzero(away < NEAR)]
    truth: dict[int, tuple[int, int]] = {}
    used: set[int] = set()
    for _, i, j in sorted(near):
        if i not in used and j not in truth:
            used.add(i)
            truth[j] = _named(said[i])
    # What is shown and was not mentioned stays open: it may lie beside the board.
    unlikely = [j for j in np.argsort(-seen.real) if seen.real[j] < models.calibration.shown]
    others = [int(j) for j in unlikely if j not in truth][:OTHERS]
    return truth | dict.fromkeys(others, (NOTHING, -1))


def _named(one: ConfirmedFace) -> tuple[int, int]:
    if one.value is None:
        return NOTHING, -1
    return one.value, -1 if one.colour is None else COLOURS.index(one.colour)


def shaken(rng: np.random.Generator, quad: Floats) -> Floats:
    """Return the corners as a detector might give them, from any corner on, either way round."""
    middle = quad.mean(axis=0)
    side = max(float(sides_of(quad[None])[0]), 1.0)
    moved = middle + (quad - middle) * np.exp(rng.normal(0, SHAKE))
    moved = moved + rng.normal(0, SHAKE * side, 2) + rng.normal(0, SHAKE * side, (4, 2))
    turned = np.roll(moved, int(rng.integers(4)), axis=0)
    return np.asarray(turned[::-1] if rng.random() < 0.5 else turned, np.float64)


def relit(rng: np.random.Generator, crops: Pixels) -> Pixels:
    """Return the crops in a little more or less light of another tint, some of them softer."""
    lit = np.empty_like(crops)
    for out, crop in zip(lit, crops, strict=True):
        gain = np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.04, 3))
        bright = np.clip(crop * gain + rng.normal(0, 8), 0, 255).astype(np.uint8)
        soft = rng.random() < 0.4
        out[:] = cv2.GaussianBlur(bright, (0, 0), rng.uniform(0.4, 1.3)) if soft else bright
    return lit


def _joined(parts: Sequence[TrainingRows]) -> TrainingRows:
    names = TrainingRows.__slots__
    return TrainingRows(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )
