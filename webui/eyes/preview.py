"""The networks and constants with which a browser reads by itself.

The browser repeats the passes of `vision.faces` (webui/static/eyes/reader.js). All its
constants come from here, so they equal those of Python.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from vision import assemble, unread
from vision.dominoes import bars, matching, occlusion, pair_classifier, scene, tiles
from vision.faces import (
    calibration,
    candidates,
    classified,
    classifier,
    detector,
    kinds,
    multiscale,
    other_objects,
    view_prior,
)
from vision.models import model_path
from vision.photo import ENOUGH_PIXELS
from vision.reading import COLOURS

# Sides of faces, px, at which a viewfinder looks, and between which it goes on: as TRACKED and
# MOVING of vision.faces.multiscale, but on two thirds as many px. Of 130 photos to train with, 102
# are whole and sure at once, 105 at TRACKED px; the photo that is taken is read anew.
AIMED, AIMING = 22.0, (16.0, 60.0)
NETWORKS = ("detector", "face_classifier", "pair_classifier")


def networks() -> dict[str, Path]:
    """Return the files of the networks for browsers."""
    return {name: model_path(f"{name}.onnx") for name in NETWORKS}


def kind_head() -> bytes:
    """Return the weights of `KindHead`, in the order of its fields, as 32-bit numbers."""
    head = kinds.shipped_kinds()
    weights = (head.mean, head.spread, head.hidden, head.out, head.with_real)
    return np.concatenate([each.ravel() for each in weights]).astype("<f4").tobytes()


def constants() -> dict[str, Any]:
    """Return the constants of the first pass as JSON, by their names in the scripts."""
    stored = json.loads(model_path("calibration.json").read_text("utf-8"))
    return {
        "enough": ENOUGH_PIXELS,
        "colours": COLOURS,
        # detector
        "stride": detector.STRIDE,
        "multiple": detector.MULTIPLE,
        "same": detector.SAME,
        "mostly": detector.MOSTLY,
        "flattest": detector.FLATTEST,
        "beside": detector.BESIDE,
        "fewest": detector.FEWEST,
        "reaches": detector.REACHES,
        "most": detector.MOST_PEAKS,
        # which views
        "first": multiscale.FIRST.longest,
        "fitting": multiscale.FITTING,
        "best": multiscale.BEST,
        "aiming": AIMING,
        "aimed": AIMED,
        "plain": multiscale.PLAIN,
        "glimpsed": classified.GLIMPSED,
        "step": multiscale.STEP,
        "nearest": multiscale.NEAREST,
        "farthest": multiscale.FARTHEST,
        "smallest": classified.SMALLEST,
        "mostPlaces": classified.MOST,
        "asBefore": classified.AS_BEFORE,
        # a second look
        "further": multiscale.FURTHER,
        "nearly": multiscale.NEARLY,
        "afar": [view.longest for view in multiscale.AFAR],
        "anywhere": [(view.longest, view.mirrored) for view in multiscale.ANYWHERE],
        "samePlace": detector.SAME_PLACE,
        "alike": detector.ALIKE,
        "rival": detector.RIVAL,
        "known": detector.KNOWN,
        "again": candidates.AGAIN,
        "plainly": classified.PLAINLY,
        "turns": classifier.TURNS,
        # classifier
        "classes": classifier.CLASSES,
        "nothing": classifier.NOTHING,
        "aside": classifier.ASIDE,
        "side": classifier.SIDE,
        "coarsest": classifier.COARSEST,
        "margin": classifier.MARGIN,
        # calibration
        "calibration": stored,
        "floor": calibration.FLOOR,
        "fullSize": calibration.FULL_SIZE,
        "least": calibration.LEAST,
        "likely": calibration.LIKELY,
        "usualSize": calibration.USUAL_SIZE,
        "usualLie": calibration.USUAL_LIE,
        "foreign": calibration.FOREIGN,
        "guess": candidates.GUESS,
        # trays
        "fills": other_objects.FILLS,
        "smallestPip": other_objects.SMALLEST_PIP,
        "marks": _of_marks(),
        # the camera's view
        "lenses": view_prior.LENSES,
        "tilts": view_prior.TILTS.tolist(),
        "rolls": view_prior.ROLLS.tolist(),
        "upsideDown": view_prior.UPSIDE_DOWN,
        "long": view_prior.LONG,
        "mostResidual": view_prior.MOST_RESIDUAL,
        "level": view_prior.LEVEL,
        "pairs": _of_pairs(),
        "tiles": _of_tiles(),
        "kinds": _of_kinds(),
        "bars": _of_bars(),
        "choice": _of_choice(),
    }


def _of_pairs() -> dict[str, Any]:
    return {
        "wide": pair_classifier.WIDTH,
        "high": pair_classifier.HEIGHT,
        "edge": pair_classifier.AROUND,
        "reach": pair_classifier.REACH,
        "aside": pair_classifier.ASIDE,
        "alike": pair_classifier.ALIKE,
        "farther": pair_classifier.FARTHER,
        "sideways": pair_classifier.SIDEWAYS,
        "alongside": occlusion.ASIDE,
        "asideOf": occlusion.AWAY,
    }


def _of_tiles() -> dict[str, Any]:
    return {
        "faint": tiles.FAINT,
        "missed": tiles.MISSED,
        "again": tiles.AGAIN,
        "spread": tiles.SPREAD,
        "perhaps": tiles.PERHAPS,
        "taken": tiles.COVERED,
        "oneTile": matching.ONE_TILE,
        "lone": matching.LONE,
        "mostOpen": matching.MOST_OPEN,
        "own": occlusion.OWN,
        "plainly": occlusion.PLAINLY,
        "shared": occlusion.SHARED,
        "covered": occlusion.COVERED,
        "certain": scene.CERTAIN,
    }


def _of_kinds() -> dict[str, Any]:
    features, hidden = kinds.shipped_kinds().hidden[:-1].shape
    return {
        "names": kinds.KINDS,
        "features": features,
        "hidden": hidden,
        "wide": kinds.WIDE,
        "middle": kinds.MIDDLE,
        "spread": kinds.SPREAD,
        "steepest": kinds.STEEPEST,
        "none": unread.NONE,
        "certain": unread.CERTAIN,
        "closeUp": unread.CLOSE_UP,
        "legible": unread.LEGIBLE,
        "perhaps": unread.PERHAPS,
        "down": unread.DOWN,
        "doubted": unread.DOUBTED,
        "numerals": unread.NUMERALS,
        "bare": unread.BARE,
        "bareAmongBarred": unread.BARE_AMONG_BARRED,
        "fewest": unread.FEWEST,
        "copies": unread.COPIES,
        "board": unread.BOARD,
        "lattice": unread.LATTICE,
        "beside": unread.BESIDE,
    }


def _of_bars() -> dict[str, Any]:
    return {
        "wide": bars.WIDE,
        "high": bars.HIGH,
        "soft": bars.SOFT,
        "bar": bars.BAR,
        "next": bars.NEXT,
        "levels": bars.LEVELS,
        "times": bars.TIMES,
    }


def _of_marks() -> dict[str, Any]:
    return {
        "disc": other_objects.DISC,
        "middle": other_objects.MIDDLE,
        "contrast": other_objects.CONTRAST,
        "standsOut": other_objects.STANDS_OUT,
        "speck": other_objects.SPECK,
        "ofFace": other_objects.OF_FACE,
        "edge": other_objects.EDGE,
        "ofLargest": other_objects.OF_LARGEST,
    }


def _of_choice() -> dict[str, Any]:
    return {
        "nearly": assemble.NEARLY,
        "perhaps": assemble.PERHAPS,
        "likely": assemble.LIKELY,
        "repeated": assemble.REPEATED,
        "sides": assemble.SIDES,
        "certain": other_objects.CERTAIN,
        "illegible": other_objects.ILLEGIBLE,
        "legible": [
            (other_objects.LARGE, other_objects.COUNTED),
            (calibration.FULL_SIZE, other_objects.READ),
        ],
        "doubtful": other_objects.DOUBTFUL,
        "unlike": other_objects.UNLIKE,
        "onAnother": other_objects.ON_ANOTHER,
    }
