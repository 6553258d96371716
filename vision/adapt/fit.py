"""Learn a family's own pieces from one or two photos whose reading a person confirmed.

In: photos with confirmed faces. Out: an `Adapter`. It learns as little as necessary: logistic
regressions on the classifier's embeddings, with a prior of no correction. Each face is used several
times, changed as on another photo. The other places on the photos are learned as no faces.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dominoes.scene import find_scene
from vision.faces.adapter import Adapter, NotTaught, shipped_classifier, with_bias
from vision.faces.calibration import CLASSIFIER_FEATURES, classifier_features, logit
from vision.faces.candidates import ScoredCandidates, score_candidates
from vision.faces.classifier import NOTHING, classify_crops, crop_faces
from vision.faces.colour import colour_probs
from vision.faces.detector import softmax
from vision.faces.networks import Models, shipped_models
from vision.faces.white_balance import colours_in_light, in_neutral_light, log_gains
from vision.geometry import Floats, sides_of
from vision.photo import Photo, Pixels
from vision.quad import Point, Quad
from vision.reading import COLOURS, VALUES, Look, LookKind

AGAIN = 7  # augmented copies of each face
NEAR = 0.5  # of a face's side, largest distance of a confirmed middle from that of its place
OTHERS = 40  # places without a face that are learned per photo, the likeliest
PERHAPS = 0.03  # probability of a face from which a place is offered to a person
MOST_PERHAPS = 6  # such places per photo
PRIOR = 1.0  # strength of the prior for colours; a face counts 1
WARY = 3.0  # the same for faces and values, of which the networks are surer
BALANCE = 4.0  # largest total weight of the other places, relative to the faces
ROUNDS = 40  # of the regressions, which converge after about 20
SHAKE = 0.03  # of a face's side, standard deviation of augmented corners
NONE_FOUND = "None of the confirmed pieces was found on the photos. Go closer, and teach again."


@dataclass(frozen=True, slots=True)
class ConfirmedFace:
    """A face confirmed by a person, px of the photo."""

    center: Point
    value: int | None  # None: no face that points up
    colour: str | None = None  # of `COLOURS`; None: not stated

    def __post_init__(self) -> None:
        """Raise ValueError for values and colours that do not exist."""
        if self.value is not None and self.value not in VALUES:
            raise ValueError(f"a face shows 0 to 6 pips, not {self.value}")
        if self.colour is not None and self.colour not in COLOURS:
            raise ValueError(f"no such colour: {self.colour}")


@dataclass(frozen=True, slots=True)
class PlaceToConfirm:
    """A place of a possible face on a photo, px of it, for a person to confirm."""

    quad: Quad
    value: int
    colour: str
    shown: bool  # False: not read as a face


def places(
    photo: Photo, look: Look | None = None, models: Models | None = None
) -> list[PlaceToConfirm]:
    """Return the faces on a photo and the likeliest other places, line by line."""
    models = models or shipped_models()
    candidates = find_scene(photo.bgr, _kind(look), models).candidates
    scored = score_candidates(candidates, models.calibration, halves=_kind(look) == "dominoes")
    order = np.argsort(-scored.real, kind="stable")
    likely = [j for j in order if scored.real[j] >= models.calibration.shown]
    rest = [j for j in order if models.calibration.shown > scored.real[j] >= PERHAPS][:MOST_PERHAPS]
    probs, _ = colour_probs(scored.candidates.colour_logits, look.colours if look else ())
    found = [
        PlaceToConfirm(
            Quad.around(scored.candidates.detections.quads[j]).scaled(photo.scale),
            int(scored.values[j]),
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
    """Training data: n places, with the networks' output before learning."""

    embeddings: Floats  # (n, F)
    logits: Floats  # (n, 7) logits of the values, from both networks
    real: Floats  # (n,) log odds of a face that points up
    colours: Floats  # (n, 12) logits
    value: NDArray[np.intp]  # (n,) truth; NOTHING: no face
    colour: NDArray[np.intp]  # (n,) truth; -1: not stated
    weight: Floats  # (n,)


def fit_adapter(
    photos: Sequence[tuple[Photo, Sequence[ConfirmedFace]]],
    look: Look | None = None,
    models: Models | None = None,
    face_classifier: str | None = None,
) -> Adapter:
    """Learn the pieces on one or two photos.

    Args:
        photos: each with everything on it as a person confirmed it. Faces that were read and that
            the person does not mention are not learned.
        look: what was looked for, dice or dominoes.
        models: other networks than the shipped ones.
        face_classifier: the SHA-256 of their classifier.

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
    inputs, weight = with_bias(rows.embeddings), rows.weight
    # All features of a place together weigh as much as its bias, whatever the network's scale.
    scale = np.ones(inputs.shape[1])
    scale[:-1] /= max(float(np.sqrt((rows.embeddings**2).sum(axis=1).mean())), 1e-9)
    inputs = inputs * scale
    is_face, has_colour = rows.value != NOTHING, rows.colour >= 0
    # Few faces among many other places must not make every face unlikely.
    faces, others = weight[is_face].sum(), weight[~is_face].sum()
    even = np.where(is_face, weight, weight * min(1.0, BALANCE * faces / max(others, 1e-9)))
    both = np.column_stack([np.zeros(len(inputs)), rows.real])
    real = regress(inputs, both, is_face.astype(np.intp), even, WARY)

    def learn(
        logits: Floats, truth: NDArray[np.intp], rows: NDArray[np.bool_], prior: float
    ) -> Floats:
        return scale[:, None] * regress(
            inputs[rows], logits[rows], truth[rows], weight[rows], prior
        )

    return Adapter(
        face_classifier,
        round(float(faces)),
        learn(rows.logits, rows.value, is_face, WARY),
        learn(rows.colours, rows.colour, has_colour, PRIOR),
        # The whole correction is applied to one feature, the detector's log odds.
        scale * (real[:, 1] - real[:, 0]) / models.calibration.real[1],
    )


def regress(
    inputs: Floats, before: Floats, truth: NDArray[np.intp], weight: Floats, prior: float = PRIOR
) -> Floats:
    """Fit a linear map whose output, added to given logits, predicts the truth.

    Multinomial logistic regression with offsets and an L2 prior. Each round is a Newton step with
    Böhning's bound of the curvature (Ann. Inst. Statist. Math. 44, 1992), so that one inverse is
    enough for all rounds.

    Args:
        inputs: (n, d).
        before: (n, k) logits without the map.
        truth: (n,) true classes, 0 to k - 1.
        weight: (n,) weights of the rows.
        prior: strength of the prior of a zero map.

    Returns:
        (d, k).
    """
    d, k = inputs.shape[1], before.shape[1]
    found = np.zeros((d, k))
    if not len(inputs):
        return found
    curve = prior * np.eye(d) + 0.5 * (inputs * weight[:, None]).T @ inputs
    step = np.linalg.inv(curve)
    wanted = np.eye(k)[truth]
    for _ in range(ROUNDS):
        off = weight[:, None] * (wanted - softmax(before + inputs @ found))
        found += step @ (inputs.T @ off - prior * found)
    return found


def _lessons(
    photo: Photo, said: Sequence[ConfirmedFace], kind: LookKind, models: Models
) -> TrainingRows:
    """Return the places on one photo as training data, each as found and AGAIN times augmented."""
    halves = kind == "dominoes"
    candidates = find_scene(photo.bgr, kind, models).candidates
    scored = score_candidates(candidates, models.calibration, halves=halves)
    truth = _truths(photo, said, scored, models)
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
    up = [classifier_features(logits, halves=True) for logits in (logits, candidates.logits[every])]
    likelier = (up[0] - up[1]) @ np.array(models.calibration.real[CLASSIFIER_FEATURES])
    return TrainingRows(
        np.concatenate([candidates.embeddings[places], embeddings]),
        values,
        logit(scored.real[every]) + likelier,
        np.concatenate([candidates.colour_logits[places], colours]),
        np.array([truth[j][0] for j in every], np.intp),
        np.array([truth[j][1] for j in every], np.intp),
        np.full(len(every), 1 / (1 + AGAIN)),
    )


def _truths(
    photo: Photo, said: Sequence[ConfirmedFace], scored: ScoredCandidates, models: Models
) -> dict[int, tuple[int, int]]:
    """Return {place: (value or NOTHING, colour or -1)} of the places that are learned."""
    found = scored.candidates.detections
    middles = (found.middles + 0.5) * photo.scale - 0.5
    sides = found.sizes * photo.scale
    near = []
    for i, face in enumerate(said):
        away = np.linalg.norm(middles - np.array(face.center), axis=1) / np.maximum(sides, 1e-9)
        near += [(float(away[j]), i, int(j)) for j in np.flatnonzero(away < NEAR)]
    truth: dict[int, tuple[int, int]] = {}
    used: set[int] = set()
    for _, i, j in sorted(near):
        if i not in used and j not in truth:
            used.add(i)
            truth[j] = _named(said[i])
    # Faces that were read but not confirmed are left out: they may be beside the board.
    unlikely = [j for j in np.argsort(-scored.real) if scored.real[j] < models.calibration.shown]
    others = [int(j) for j in unlikely if j not in truth][:OTHERS]
    return truth | dict.fromkeys(others, (NOTHING, -1))


def _named(face: ConfirmedFace) -> tuple[int, int]:
    if face.value is None:
        return NOTHING, -1
    return face.value, -1 if face.colour is None else COLOURS.index(face.colour)


def shaken(rng: np.random.Generator, quad: Floats) -> Floats:
    """Augment corners, (4, 2) px: noise, a random first corner and direction."""
    middle = quad.mean(axis=0)
    side = max(float(sides_of(quad[None])[0]), 1.0)
    moved = middle + (quad - middle) * np.exp(rng.normal(0, SHAKE))
    moved = moved + rng.normal(0, SHAKE * side, 2) + rng.normal(0, SHAKE * side, (4, 2))
    turned = np.roll(moved, int(rng.integers(4)), axis=0)
    return np.asarray(turned[::-1] if rng.random() < 0.5 else turned, np.float64)


def relit(rng: np.random.Generator, crops: Pixels) -> Pixels:
    """Augment crops, (n, h, w, 3): brightness, tint and, for some, blur."""
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
