"""Outlines follow the table between the frames that are read, as the camera has moved."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest

from tests import ROOT
from tests.browser.phones import BrowserServer, Open

pytestmark = pytest.mark.browser

SAMPLE = ROOT / "webui" / "static" / "samples" / "farkle.jpg"
# Follows the frames of a clip, of which the third is read and drawn, and says where its px lie now.
FOLLOW = """async (frames) => {
  const at = (name) => import(document.querySelector("script[src]").src.replace(/joined.*/, name));
  const { Track } = await at("camera/track.js");
  const { thumbnail, thumbnailPen } = await at("camera/thumbnail.js");
  const [track, pen] = [new Track(), thumbnailPen()];
  let size;
  for (const [number, frame] of frames.entries()) {
    const bytes = Uint8Array.from(atob(frame), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    size = [picture.width, picture.height];
    track.step(thumbnail(pen, picture, ...size));
    if (number === 2) track.ask();
    if (number === 4) track.draw();
  }
  return track.transform(...size).match(/-?[0-9.e-]+/g).map(Number);
}"""


def test_outlines_follow_a_camera_that_shifts_turns_and_comes_closer(
    opened: Open, server: BrowserServer
) -> None:
    picture = cv2.imread(str(SAMPLE))
    height, width = picture.shape[:2]

    def moved(number: int) -> np.ndarray:
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), 0.6 * number, 1 + 0.008 * number)
        turn[:, 2] += (5 * number, -3 * number)
        return turn

    def frame(number: int) -> str:
        shaken = cv2.warpAffine(
            picture, moved(number), (width, height), borderMode=cv2.BORDER_REFLECT
        )
        darker = cv2.convertScaleAbs(shaken, alpha=1 - 0.01 * number)
        return base64.b64encode(cv2.imencode(".jpg", darker)[1].tobytes()).decode()

    a, b, c, d, e, f = opened(server.address).evaluate(FOLLOW, [frame(k) for k in range(8)])

    whole = [np.vstack([moved(number), [0, 0, 1]]) for number in (2, 7)]
    should = (whole[1] @ np.linalg.inv(whole[0]))[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]).T
    apart = np.array([[a, c, e], [b, d, f]]) @ corners - should @ corners
    assert np.abs(apart).max() < 4  # px of 903; a die is 60
