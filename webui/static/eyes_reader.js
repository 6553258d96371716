/** Read the faces on a picture in this browser: the first pass of vision/faces/multiscale.py.
 *
 *  What comes of it is a preview. The server reads every photo again, with second looks, boards, marks
 *  and the rules, and only its reading counts.
 */

import { calibrated, median } from "./eyes_calibration.js";
import { cameras } from "./eyes_camera.js";
import { rectified } from "./eyes_classifier.js";
import { detect } from "./eyes_detector.js";
import { Picture } from "./eyes_picture.js";

/** @param networks `detector(data, wide, high)` and `classifier(data, count)`, which answer output maps
 *  and rows of logits
 *  @param constants those of the server's eyes (webui/eyes/preview.py) */
export function reader(networks, constants) {
  const among = cameras(constants);

  /** Return the faces on an upright bitmap or frame, px of it.
   *  @param side of the faces on the last frame, px, if this is the next one
   *  @param halves whether they are halves of dominoes
   *  @param colours those the game's pieces have; none: any */
  return async function read(source, { side = null, halves = false, colours = [] } = {}) {
    const picture = new Picture(source, constants);
    const found = (await tracked(picture, side)) ?? (await focused(picture));
    const likely = found.filter(({ size }) => size >= constants.smallest).slice(0, constants.mostPlaces);
    const read = await classified(picture, likely, colours);
    const size = [picture.width, picture.height];
    const rated = calibrated(read, size, halves, among, constants);
    const shown = rated.filter(({ real, confidence }) => real >= constants.calibration.shown && confidence >= constants.guess);
    return shown.map((face) => ({
      quad: face.quad.map((at) => at.map((px) => (px + 0.5) / picture.scale - 0.5)),
      value: face.value,
      colour: face.colour,
      confidence: face.confidence,
      sure: face.confidence >= constants.calibration.sure,
      size: face.size / picture.scale,
    }));
  };

  async function tracked(picture, side) {
    if (side === null) return null;
    const view = bestView(side * picture.scale, picture, constants.tracked);
    const faces = await detect(picture, view, networks.detector, constants, constants.plain);
    const sizes = glimpsed(faces);
    return sizes.length && fits(sizes, view, picture, constants.moving) ? faces : null;
  }

  async function focused(picture) {
    const first = await detect(picture, constants.first, networks.detector, constants);
    const sizes = glimpsed(first);
    const view = sizes.length ? bestView(median(sizes), picture, constants.best) : constants.first;
    return view === constants.first ? first : detect(picture, view, networks.detector, constants);
  }

  function glimpsed(faces) {
    return faces.filter(({ prob }) => prob >= constants.glimpsed).map(({ size }) => size);
  }

  function fits(sizes, view, { width, height }, [low, high]) {
    const side = (median(sizes) * view) / Math.max(width, height);
    return low <= side && side <= high;
  }

  function bestView(side, picture, best) {
    if (fits([side], constants.first, picture, constants.fitting)) return constants.first;
    const longest = (best / side) * Math.max(picture.width, picture.height);
    const { step, farthest, nearest } = constants;
    return Math.round(Math.min(Math.max(longest, farthest), nearest) / step) * step;
  }

  async function classified(picture, faces, colours) {
    if (!faces.length) return [];
    const crops = rectified(picture, faces.map(({ quad }) => quad), constants);
    const rows = await networks.classifier(crops, faces.length);
    const possible = constants.colours.map((name) => !colours.length || colours.includes(name));
    return faces.map((face, i) => {
      const ofColours = Array.from(rows[i].slice(constants.classes), (logit, k) => (possible[k] ? logit : -Infinity));
      const colour = constants.colours[ofColours.indexOf(Math.max(...ofColours))];
      return { ...face, logits: rows[i].slice(0, constants.classes), colour };
    });
  }
}
