"""What is printed or strewn on sketched tables: nothing there is a face."""

import cv2
import numpy as np
import pytest

from models.dataset.annotation import AnnotatedImage
from models.sketch.ground import DECOYS, PRINTED, USUAL, draw_surface
from models.textures import prints
from models.textures.surfaces import SKETCH_SIDE
from models.train.crops import FACES, draw_crops
from vision.faces.classifier import NOTHING


@pytest.mark.parametrize("kind", [one for one, _ in DECOYS], ids=lambda kind: kind.__name__)
def test_print_differs_from_seed_to_seed_and_a_seed_gives_it_again(kind):
    first, again, other = (kind(np.random.default_rng(seed)) for seed in (1, 1, 2))

    assert first.shape == (SKETCH_SIDE, SKETCH_SIDE, 3)
    assert first.dtype == np.float32
    assert 0 <= first.min() < first.max() <= 1
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


@pytest.mark.parametrize("kinds", [USUAL, PRINTED], ids=["usual", "printed"])
def test_a_table_top_is_of_one_of_the_kinds(kinds):
    top = draw_surface(np.random.default_rng(5), kinds)

    assert top.shape == (SKETCH_SIDE, SKETCH_SIDE, 3)
    assert 0 <= top.min() < top.max() <= 1


def test_a_logo_has_letters_on_its_patch():
    paper = np.full((300, 300, 3), 200, np.uint8)

    prints.logo(np.random.default_rng(3), paper, (60, 80), 120)

    patch = paper[100:180, 70:160].reshape(-1, 3)
    assert len(np.unique(patch, axis=0)) > 2  # its ground, its ink, and between them
    assert (paper[:40] == 200).all()


def test_of_a_table_without_faces_as_many_places_are_learned_to_refuse(tmp_path):
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((200, 400, 3), 90, np.uint8))
    letter = np.array([(300, 20), (340, 20), (340, 60), (300, 60)], float)

    crops, truth = draw_crops(np.random.default_rng(1), AnnotatedImage(path, (), decoys=(letter,)))

    assert len(crops) == FACES
    assert set(truth[:, 0]) == {NOTHING}
