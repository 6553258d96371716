"""The networks and constants with which a browser reads by itself.

The browser repeats the passes of `vision.faces` (webui/static/eyes/reader.js). All its
constants come from here, so they equal those of Python.
"""

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from vision import assemble, unread
from vision.dominoes import bars, matching, occlusion, pair_classifier, scene, tiles
from vision.faces import (
    calibration,
    candidates,
    classified,
    classifier,
    cut_pieces,
    detector,
    kinds,
    multiscale,
    other_objects,
    view_prior,
)
from vision.faces.white_balance import FACE
from vision.models import model_path
from vision.photo import ENOUGH_PIXELS
from vision.reading import COLOURS

# Sides of faces, px, at which a viewfinder looks, and between which it goes on: as TRACKED and
# MOVING of vision.faces.multiscale, but on two thirds as many px. Of 130 photos to train with, 102
# are whole and sure at once, 105 at TRACKED px; the photo that is taken is read anew.
AIMED, AIMING = 22.0, (16.0, 60.0)
NETWORKS = ("detector", "face_classifier", "pair_classifier", "edge_classifier")


def networks() -> dict[str, Path]:
    """Return the files of the networks for browsers."""
    return {name: model_path(f"{name}.onnx") for name in NETWORKS}


def kind_head() -> bytes:
    """Return the weights of `KindHead`, in the order of its fields, as 32-bit numbers."""
    head = kinds.shipped_kinds()
    weights = (head.mean, head.spread, head.hidden, head.out, head.with_real)
    return np.concatenate([each.ravel() for each in weights]).astype("<f4").tobytes()


def _of(module: ModuleType, names: str) -> dict[str, Any]:
    """Return constants of a module by their names in the scripts: CLOSE_UP is closeUp there."""
    return {
        re.sub("_(.)", lambda at: at[1].upper(), name.lower()): getattr(module, name)
        for name in names.split()
    }


def constants() -> dict[str, Any]:
    """Return the constants of the first pass as JSON, by their names in the scripts."""
    return {
        "enough": ENOUGH_PIXELS,
        "colours": COLOURS,
        **_of(detector, "STRIDE MULTIPLE SAME MOSTLY FLATTEST BESIDE FEWEST REACHES SAME_PLACE"),
        **_of(detector, "ALIKE RIVAL KNOWN"),
        "most": detector.MOST_PEAKS,
        # which views, and a second look
        "first": multiscale.FIRST.longest,
        "aiming": AIMING,
        "aimed": AIMED,
        **_of(multiscale, "FITTING BEST PLAIN STEP NEAREST FARTHEST FURTHER NEARLY"),
        **_of(classified, "GLIMPSED SMALLEST AS_BEFORE PLAINLY"),
        "mostPlaces": classified.MOST,
        "afar": [view.longest for view in multiscale.AFAR],
        "anywhere": [(view.longest, view.mirrored) for view in multiscale.ANYWHERE],
        **_of(candidates, "AGAIN GUESS"),
        **_of(classifier, "TURNS CLASSES NOTHING ASIDE SIDE COARSEST MARGIN"),
        "calibration": json.loads(model_path("calibration.json").read_text("utf-8")),
        **_of(calibration, "FLOOR FULL_SIZE LEAST LIKELY USUAL_SIZE USUAL_LIE FOREIGN"),
        # trays
        **_of(other_objects, "FILLS SMALLEST_PIP"),
        "marks": _of(
            other_objects, "DISC MIDDLE CONTRAST STANDS_OUT SPECK OF_FACE EDGE OF_LARGEST"
        ),
        # the camera's view
        **_of(view_prior, "LENSES UPSIDE_DOWN LONG MOST_RESIDUAL LEVEL"),
        "tilts": view_prior.TILTS.tolist(),
        "rolls": view_prior.ROLLS.tolist(),
        "pairs": {
            "wide": pair_classifier.WIDTH,
            "high": pair_classifier.HEIGHT,
            "edge": pair_classifier.AROUND,
            **_of(pair_classifier, "REACH ASIDE ALIKE FARTHER SIDEWAYS"),
            "alongside": occlusion.ASIDE,
            "asideOf": occlusion.AWAY,
        },
        "tiles": {
            **_of(tiles, "FAINT MISSED AGAIN SPREAD PERHAPS"),
            "taken": tiles.COVERED,
            **_of(matching, "ONE_TILE LONE MOST_OPEN"),
            **_of(occlusion, "OWN PLAINLY SHARED COVERED"),
            "certain": scene.CERTAIN,
        },
        "kinds": _of_kinds(),
        "cut": _of(cut_pieces, "FACE DEEP CELL FAR FOUND READ PLAIN"),
        "bars": _of(bars, "WIDE HIGH SOFT BAR NEXT LEVELS TIMES"),
        "gaps": {"rim": FACE[1].start, "ofColour": assemble.OF_COLOUR},
        "choice": {
            **_of(assemble, "NEARLY PERHAPS PERHAPS_HALF LIKELY REPEATED SIDES"),
            **_of(other_objects, "CERTAIN ILLEGIBLE DOUBTFUL UNLIKE ON_ANOTHER"),
            "legible": [
                (other_objects.LARGE, other_objects.COUNTED),
                (calibration.FULL_SIZE, other_objects.READ),
            ],
        },
    }


def _of_kinds() -> dict[str, Any]:
    features, hidden = kinds.shipped_kinds().hidden[:-1].shape
    return {
        "names": kinds.KINDS,
        "features": features,
        "hidden": hidden,
        **_of(kinds, "WIDE MIDDLE SPREAD STEEPEST"),
        **_of(unread, "NONE CERTAIN CLOSE_UP LEGIBLE PERHAPS DOWN DOUBTED NUMERALS BARE"),
        **_of(unread, "BARE_AMONG_BARRED FEWEST COPIES BOARD LATTICE BESIDE"),
    }
