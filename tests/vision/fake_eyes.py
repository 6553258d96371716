"""Faces as they are read, and networks that say what a test has them say."""

import numpy as np

from vision import Face
from vision.faces.candidates import Candidates
from vision.faces.classifier import CLASSES, EMBEDDING, SIDE
from vision.quad import Quad


def face_read_as(value, corners, colour="white", cell=None, *, confidence=1.0, sure=True):
    """Return a face that looks like this value and colour alone."""
    quad = corners if isinstance(corners, Quad) else Quad.around(np.array(corners))
    probs = tuple(float(pips == value) for pips in range(7))
    return Face(quad, probs, ((colour, 1.0),), confidence, sure, cell)


def classifier_of(value=0, score=0.0):
    """Return a face classifier that gives this class such a score, and nothing else any."""

    def face_classifier(crops):
        kinds = np.zeros((len(crops), CLASSES + 12), np.float32)
        kinds[:, value] = score
        return kinds, np.zeros((len(crops), EMBEDDING), np.float32)

    return face_classifier


def candidates_of(found, score=0.0, size=(1, 1)):
    """Return what was detected, each class and colour of it with the same score."""
    crops = np.zeros((len(found.probs), SIDE, SIDE, 3), np.uint8)
    scores = (np.full((len(crops), width), score) for width in (CLASSES, 12, EMBEDDING))
    return Candidates(found, *scores, crops, 1.0, size)
