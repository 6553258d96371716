"""The next frame of a camera: in between, only what is around the last faces is looked at."""

import base64

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests import ROOT
from tests.browser.eyes.test_finder import CAMERA, READ, aiming, tap

pytestmark = pytest.mark.browser

__all__ = ["aiming"]
WHOLE, PARTS, AGAIN = 500, 2, 4  # as in webui/static/eyes/reader.js
SLACK = 100  # ms between the beginning of a look and its clock
DIE, CLOTH = np.s_[285:390, 575:680], np.s_[420:525, 575:680]  # the rightmost of the six dice
AWAY = np.s_[500:605, 770:875]  # far from the others
# What is seen on pictures one after the other, how many px the detector gets, and how many crops
# the classifier; each picture is shown as often as is said, and may be seen with eyes that have
# seen nothing before it, or grabbed as the viewfinder does, black but for what is wanted of it.
LOOKS = """async (shown) => {
  const given = JSON.parse(document.querySelector("main").dataset.eyes);
  const absolute = ([name, path]) => [name, new URL(path, location.href).href];
  const files = Object.fromEntries(Object.entries(given).map(absolute));
  const at = (name) => import(files.runtime.replace(/vendor.*/, name));
  window.opened ??= (await at("eyes/networks.js")).openNetworks(files);
  const { networks, constants } = await window.opened;
  let [px, crops] = [0, 0];
  const detector = (data, wide, high) => {
    px += wide * high;
    return networks.detector(data, wide, high);
  };
  const classifier = (data, count) => {
    crops += count;
    return networks.classifier(data, count);
  };
  const { reader } = await at("eyes/reader.js");
  const opened = () => reader({ ...networks, detector, classifier }, constants);
  const { grab } = await at("camera/finder.js");
  let [read, side, around, made] = [opened(), null, null, []];
  for (const [coded, times, anew, grabbed] of shown) {
    const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    for (let time = 0; time < times; time++) {
      if (anew) read = opened();
      [px, crops] = [0, 0];
      const began = performance.now();
      const { width, height } = picture;
      const frame = grabbed ? grab(picture, width, height, null, around) : picture;
      const wanted = grabbed ? around : null;
      const { faces, around: next } = await read(frame, { next: true, side, around: wanted });
      side ??= faces.map(({ size }) => size).sort((a, b) => a - b)[faces.length >> 1];
      made.push({ faces, px, crops, began, around: wanted });
      around = next;
    }
  }
  return made;
}"""


def coded(picture):
    """Return a picture as the pages take it."""
    return base64.b64encode(cv2.imencode(".png", picture)[1]).decode()


@pytest.fixture(scope="module")
def five():
    """Return a picture of five dice."""
    picture = cv2.imread(str(ROOT / "webui" / "static" / "samples" / "farkle.jpg"))
    picture[DIE] = picture[CLOTH].copy()
    return picture


@pytest.fixture(scope="module")
def six(five):
    """Return the same with a sixth, far from the others."""
    whole = cv2.imread(str(ROOT / "webui" / "static" / "samples" / "farkle.jpg"))
    picture = five.copy()
    picture[AWAY] = whole[DIE]
    return picture


@pytest.fixture
def looks(eyes):
    """Return what looks at pictures, one after the other."""
    return lambda *shown: eyes.page.evaluate(LOOKS, shown)


@pytest.mark.release
def test_around_the_last_faces_all_is_seen_as_on_the_whole_frame(looks, five):
    first, part, whole = looks([coded(five), 2, False], [coded(five), 1, True])[-3:]

    assert part["px"] < 0.8 * whole["px"] <= first["px"]
    assert len(part["faces"]) == len(whole["faces"]) == 5
    across = [sorted(look["faces"], key=lambda face: face["middle"]) for look in (part, whole)]
    for face, same in zip(*across, strict=True):
        assert np.abs(np.subtract(face["quad"], same["quad"])).max() < 2  # px of 903
        assert face["value"] == same["value"]
        assert face["confidence"] == pytest.approx(same["confidence"], abs=0.02)


@pytest.mark.release
def test_a_die_put_down_elsewhere_is_seen_soon_and_one_taken_away_is_gone_at_once(looks, five, six):
    made = looks([coded(five), 3, False], [coded(six), 30, False], [coded(five), 1, False])

    counts = [len(look["faces"]) for look in made]
    came = counts.index(6)
    assert counts == [5] * came + [6] * (33 - came) + [5]
    whole = max(look["px"] for look in made[1:])
    for number in range(3, came):  # it lies there, unseen
        parts = next(n for n, look in enumerate(made[number::-1]) if look["px"] >= whole)
        waited = made[number]["began"] - made[number - parts]["began"]
        assert parts <= PARTS or waited < WHOLE + SLACK


def test_of_faces_that_lie_still_few_are_classified_on_one_frame_and_each_again_and_again(
    looks, five
):
    first, *crops = (look["crops"] for look in looks([coded(five), 14, False]))

    assert first >= 5
    assert max(crops) <= AGAIN
    assert sum(crops[:7]) == 5


def test_faces_that_are_known_are_found_again_by_a_glance(looks, five):
    made = looks([coded(five), 40, False])

    near = made[1]  # around the first faces, on the view that suits them
    glances = [look for look in made if look["px"] < near["px"]]
    assert len(glances) > len(made) / 3
    for look in glances:
        across = [sorted(each["faces"], key=lambda face: face["middle"]) for each in (look, near)]
        for face, same in zip(*across, strict=True):
            apart = np.abs(np.subtract(face["quad"], same["quad"])).max()
            assert apart < 0.1 * face["size"]
            assert face["value"] == same["value"]
            assert face["confidence"] == pytest.approx(same["confidence"], abs=0.03)


def test_of_a_frame_only_what_is_around_the_faces_is_wanted_until_one_is_missing(looks, five, six):
    made = looks(
        [coded(five), 20, False, True], [coded(six), 30, False, True], [coded(five), 9, False, True]
    )

    counts = [len(look["faces"]) for look in made]
    came, gone = counts.index(6), len(counts) - counts[::-1].index(6)
    assert counts == [5] * came + [6] * (gone - came) + [5] * (59 - gone)
    assert gone <= 50 + 1  # one look at most after it was taken away
    parts = [look["around"] for look in made if look["around"]]
    assert len(parts) > len(made) / 2
    for left, top, right, bottom in parts[:10]:
        assert (right - left) * (bottom - top) < 0.6 * five.shape[0] * five.shape[1]


@pytest.mark.release
@pytest.mark.parametrize(("change", "said"), [(1, "All 6 seen"), (-1, "5 of 6 dice seen")])
def test_the_viewfinder_sees_what_comes_and_goes(aiming, five, six, change, said):
    clip = " ".join(map(coded, [five, six][::change]))
    page = aiming(CAMERA % clip)
    tap(page)
    says = page.locator("dialog.finder [role=status]")
    expect(says).to_have_text("All 6 seen" if change < 0 else "5 of 6 dice seen", timeout=READ)

    page.evaluate("window.rolling = true")

    expect(says).to_have_text(said, timeout=READ)
