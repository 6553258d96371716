"""What the networks' logits become: peaks to quads, quads to crops. No network is run here."""

import numpy as np
import pytest

from tests.vision.fake_eyes import classifier_of
from vision.faces.classifier import (
    CLASSES,
    EMBEDDING,
    MARGIN,
    SIDE,
    TURNS,
    classify_crops,
    crop_faces,
)
from vision.faces.detector import (
    CHANNELS,
    STRIDE,
    Detections,
    View,
    corners_of,
    decode,
    describe_quads,
    detect_faces,
    find_peaks,
    fit_picture,
    fuse_views,
    mostly_on,
    nms,
    nms_indices,
    softmax,
)

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


def turned(degrees, size=20.0, stretch=1.0, at=(0.0, 0.0)):
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return SQUARE * (size, size * stretch) @ np.array([[c, s], [-s, c]]) + at


def same_ring(a, b, tolerance=1e-6):
    """Return True if two rings of corners are one, whichever corner comes first."""
    return any(np.abs(np.roll(a, k, axis=0) - b).max() < tolerance for k in range(4))


def rebuilt(quad):
    reach, s, p = describe_quads(quad)
    return corners_of(np.array([reach]), np.array([s]), np.array([p]))[0]


@pytest.mark.parametrize("degrees", [0, 17, 44.9, 45.1, 89, 130, 271])
@pytest.mark.parametrize("stretch", [1.0, 0.7, 0.35])
def test_a_face_comes_back_from_its_description(degrees, stretch):
    quad = turned(degrees, stretch=stretch)

    assert same_ring(rebuilt(quad), quad)


@pytest.mark.parametrize("stretch", [1.0, 0.6])
@pytest.mark.parametrize("share", [0.1, 0.6, 1.3])
def test_a_network_that_wavers_between_two_turns_does_not_shrink_the_face(share, stretch):
    """A four was once cut out without its edges, and so no face, at one turn of the board."""
    quad = turned(23, stretch=stretch)
    reach, s, p = describe_quads(quad)

    corners = corners_of(np.array([reach]), np.array([s]), np.array([p * share]))[0]

    assert same_ring(corners, quad)


def test_no_scores_give_a_face_without_area():
    edge_on = np.array([2.0 + 0j, 3.0 + 4j])

    corners = corners_of(np.ones(2), edge_on, edge_on**2 / 4)

    assert np.isfinite(corners).all()
    wide = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    assert (wide > 0.05).all()


def test_the_description_does_not_depend_on_the_first_corner():
    quad = turned(23, stretch=0.6)

    descriptions = [describe_quads(np.roll(quad, k, axis=0)) for k in range(4)]

    assert np.allclose(descriptions, descriptions[0])


def test_a_face_lies_mostly_on_the_picture():
    """A cloth once seemed to be a die twice as large as the photo."""
    inside, over_the_edge, huge = (
        turned(0, 20, at=(60, 60)),
        turned(0, 20, at=(6, 60)),
        turned(45, 150, at=(80, 60)),
    )
    half_out = turned(0, 20, at=(0.5, 60))
    quads = np.array([inside, over_the_edge, huge, half_out, turned(0, 20, at=(-3, 60))])

    assert mostly_on(quads, 160, 120).tolist() == [0, 1, 3]


def test_the_description_turns_smoothly():
    """Also where another corner becomes the uppermost left one."""
    descriptions = np.array(
        [describe_quads(turned(d, stretch=0.8))[1:] for d in np.arange(0, 360, 1.0)]
    )

    assert np.abs(np.diff(descriptions, axis=0, append=descriptions[:1])).max() < 0.1


@pytest.mark.parametrize("slant", [1.0, 0.8, 0.4])
def test_squares_of_one_plane_have_one_s_however_they_are_turned_in_it(slant):
    squares = [turned(d) * (1, slant) for d in (0, 12, 45, 61)]

    _, s, _ = describe_quads(np.array(squares))

    assert np.allclose(s, 2 * (1 - slant**2) / (1 + slant**2))


def scores_for(quads, shape=(32, 40)):
    """Return a map as a net that knows these quads, all of fives, would give it."""
    scores = np.zeros((CHANNELS, *shape), np.float32)
    scores[0] = -9
    for quad in quads:
        reach, s, p = describe_quads(quad)
        at = (quad.mean(axis=0) + 0.5) / STRIDE - 0.5
        x, y = np.round(at).astype(int)
        cells = reach / STRIDE
        scores[0, y, x] = 4
        scores[1:3, y, x] = (at - (x, y)) / cells
        scores[3:8, y, x] = np.log(cells), s.real, s.imag, p.real, p.imag
        scores[8 + 5, y, x] = 6
    return scores


def test_a_map_gives_back_the_faces_it_was_made_from():
    quads = [turned(10, 14, at=(40.3, 50.9)), turned(70, 9, 0.6, at=(101.7, 77.2))]

    found = decode(scores_for(quads))

    assert len(found) == 2
    for quad in quads:
        assert any(same_ring(f, quad, 1e-3) for f in found.quads)
    assert (found.values.argmax(axis=1) == 5).all()


@pytest.mark.parametrize("higher", [0, 1])
def test_which_of_two_cells_is_the_peak_does_not_move_the_face(higher):
    """A die on a board once jumped by 17 px of 200 when the photo was stored larger."""
    scores = scores_for([turned(10, 14, at=(41.5, 51.5))])  # between rows 12 and 13
    scores[:, 13] = scores[:, 12]
    scores[0, 12 + higher, 10] += 0.001
    scores[2, 12:14, 10] = 0  # each says that the middle is its own

    found = decode(scores)

    assert len(found) == 1
    assert found.middles[0] == pytest.approx((41.5, 51.5), abs=0.1)


def test_a_cell_beside_a_peak_that_tells_of_another_face_does_not_move_it():
    quad = turned(10, 14, at=(40.3, 50.9))
    scores = scores_for([quad])
    y, x = np.argwhere(scores[0] > 0)[0]
    scores[:, y, x + 1] = scores[:, y, x]
    scores[0, y, x + 1] = 3.9
    scores[1, y, x + 1] = 1.5

    found = decode(scores)

    assert same_ring(found.quads[0], quad, 1e-3)


def test_an_empty_map_has_no_faces():
    found = decode(scores_for([]))

    assert len(found) == 0
    assert len(nms(found)) == 0


def test_a_peak_is_found_whatever_its_height():
    """Heights that single precision cannot hold were once lower than themselves."""
    heat = np.zeros((40, 40))
    heat[2::4, 2::4] = np.random.default_rng(1).uniform(0.3, 0.9, (10, 10))

    rows, _ = find_peaks(heat, 0.2)

    assert len(rows) == 100


def found_of(quads, probs):
    n = len(quads)
    return Detections(
        np.array(quads).reshape(-1, 4, 2),
        np.array(probs, np.float64),
        np.full((n, 7), 1 / 7),
        np.array(probs, np.float64),
        np.zeros(n),
    )


def test_of_two_quads_on_one_face_the_likelier_stays():
    quads = [turned(0, 10, at=(50, 50)), turned(20, 10, at=(52, 51)), turned(0, 10, at=(71, 50))]

    kept = nms(found_of(quads, [0.6, 0.9, 0.5]))

    assert kept.probs.tolist() == [0.9, 0.5]


def test_a_face_seen_in_two_views_counts_once():
    a = found_of([turned(0, 10, at=(50, 50))], [0.7])
    b = found_of([turned(1, 10, at=(50, 50)), turned(0, 10, at=(90, 50))], [0.8, 0.6])

    both = fuse_views([a, b], [1.0, 1.0])

    assert both.probs.tolist() == [0.8, 0.6]
    assert both.agreed.tolist() == [0.75, 0.3]


def test_a_face_seen_in_two_views_lies_as_both_say():
    a = found_of([turned(8, 22, at=(50, 50))], [0.8])
    b = found_of([turned(0, 20, at=(52, 50))], [0.4])
    part = found_of([turned(0, 9, at=(52, 50))], [0.7])

    quad, _ = fuse_views([a, b, part], [1.0, 1.0, 1.0]).quads

    assert np.allclose(quad.mean(axis=0), (50.4, 50))  # four fifths of the way
    assert same_ring(quad, turned(6.4, 20 * 1.1**0.8, at=(50.4, 50)), 0.1)


def test_a_likely_place_that_lies_on_a_likelier_one_is_its_rival():
    upper = found_of([turned(0, 20, at=(50, 40))], [0.46])
    with_its_side = found_of([turned(0, 24, at=(50, 60))], [0.55])
    hardly = found_of([turned(0, 20, at=(50, 80))], [0.2])

    both = fuse_views([upper, with_its_side, hardly], [1.0, 1.0, 1.0])

    assert both.probs.tolist() == [0.55, 0.46]
    assert nms_indices(both, both.probs).tolist() == [0]
    assert nms_indices(both, np.array([0.01, 0.9])).tolist() == [1]


def test_a_view_too_near_or_too_far_for_a_face_does_not_speak_against_it():
    a = found_of([turned(1, 40, at=(50, 50))], [0.8])
    nothing = found_of([], [])

    assert fuse_views([a, nothing], [1.0, 1.5]).agreed.tolist() == [0.4]
    assert fuse_views([a, nothing], [1.0, 4.0]).agreed.tolist() == [0.8]
    assert fuse_views([a, nothing], [1.0, 0.1]).agreed.tolist() == [0.8]


def test_the_detector_gets_sides_of_whole_multiples_and_red_first():
    picture = np.zeros((300, 401, 3), np.uint8)
    picture[..., 2] = 255

    blob, scale = fit_picture(picture, View(200))

    assert blob.shape == (1, 3, 160, 224)
    assert scale == pytest.approx(200 / 401)
    assert blob[0, 0, :140, :190].min() == 1
    assert blob[0, 1:, :140, :190].max() == 0


def test_faces_are_told_in_px_of_the_whole_picture():
    quad = turned(15, 10, at=(40, 40))
    picture = np.zeros((256, 320, 3), np.uint8)

    found = detect_faces(picture, lambda blob: scores_for([quad])[None], View(160))

    assert same_ring(found.quads[0], (quad + 0.5) * 2 - 0.5, 1e-2)


@pytest.mark.parametrize("size", [(256, 320), (255, 319), (128, 161)])
def test_a_view_in_a_mirror_tells_the_same_places(size):
    """What it gives is where the faces are on the picture itself, clockwise."""
    height, width = size
    quad = turned(15, 10, at=(40, 40))
    in_mirror = np.array([round(width * 160 / max(size)) - 1, 0]) + quad[::-1] * (-1, 1)
    given = []

    def detector(blob):
        given.append(blob)
        return scores_for([in_mirror if len(given) > 1 else quad])[None]

    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, : width // 2] = 255
    plain = detect_faces(picture, detector, View(160))
    mirrored = detect_faces(picture, detector, View(160, mirrored=True))

    assert same_ring(plain.quads[0], mirrored.quads[0], 1e-2)
    assert np.allclose(given[1][0, :, :, : width // 4], 0)
    assert np.allclose(given[0][0, :, :, 4], 1)


def test_what_is_found_beside_the_picture_is_dropped():
    quad = turned(0, 10, at=(155, 20))
    picture = np.zeros((128, 150, 3), np.uint8)

    assert len(detect_faces(picture, lambda blob: scores_for([quad])[None], View(150))) == 0


@pytest.mark.parametrize("size", [9.0, 30.0, 200.0])
def test_a_crop_holds_the_face_with_its_margin(size):
    """Also of a face many times larger than the crop."""
    import cv2

    quad = turned(33, size, 0.7, at=(400, 400))
    picture = np.zeros((800, 800, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), (255, 255, 255))

    (crop,) = crop_faces(picture, quad[None])

    side = (crop[32, :, 0] > 127).sum() / SIDE
    assert side == pytest.approx(1 / (1 + 2 * MARGIN), abs=0.08)
    assert crop[32, 32].min() == 255
    assert crop[2, 2].max() == 0


def test_a_large_face_of_which_a_sliver_is_on_the_picture_still_gives_a_crop():
    quad = turned(0, 200.0, at=(-319, 100))  # with its surroundings it ends one px inside

    crops = crop_faces(np.full((200, 200, 3), 9, np.uint8), quad[None])

    assert crops.shape == (1, SIDE, SIDE, 3)


def test_the_reader_is_not_asked_about_nothing():
    kinds, colours, features = classify_crops(np.zeros((0, 64, 64, 3), np.uint8), lambda _: 1 / 0)

    assert kinds.shape == (0, CLASSES)
    assert colours.shape == (0, 12)
    assert features.shape == (0, EMBEDDING)


def test_the_reader_gets_red_first():
    crop = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    crop[..., 2] = 255
    given = []

    def look(crops):
        given.append(crops)
        return classifier_of()(crops)

    classify_crops(crop, look)

    assert given[0].shape == (1, 3, SIDE, SIDE)
    assert given[0][0, :, 0, 0].tolist() == [1, 0, 0]


def test_a_face_is_read_turned_and_mirrored_and_the_mean_is_taken():
    crop = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    crop[0, :4, :4] = 255  # one corner is bright: where does it come to lie?
    corners = []

    def look(crops):
        first, last = slice(4), slice(-4, None)
        places = [(first, first), (first, last), (last, last), (last, first)]
        corners.append([crops[0, 0, y, x].mean() for y, x in places].index(1))
        return classifier_of(slice(None), len(corners))(crops)

    kinds, _, _ = classify_crops(crop, look, TURNS)

    assert len(corners) == TURNS
    assert len(set(corners)) > 1
    assert (kinds == 2.5).all()


def test_softmax_stays_finite():
    assert np.allclose(softmax(np.array([[1000.0, 1000.0], [-1e4, 0.0]])), [[0.5, 0.5], [0, 1]])
