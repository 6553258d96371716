/** Read the faces on a picture in this browser: the first pass of vision/faces/multiscale.py.
 *
 *  What comes of it is a preview. The server reads every photo again, with second looks, boards, marks
 *  and the rules, and only its reading counts.
 */

import { calibrated, median } from "./calibration.js";
import { cameras } from "./camera.js";
import { rectified } from "./classifier.js";
import { detect, softmax } from "./detector.js";
import { Picture } from "./picture.js";
import { sizeOfMark } from "./pips.js";

const FRAMES = 3; // for which a face that lies still is not classified again
const DIM = 96; // px of a picture that is large enough to tell how light it is

/** @param {Networks} networks answer output maps and rows of logits
 *  @param {EyesConstants} constants those of the server's eyes (webui/eyes/preview.py) */
export function reader(networks, constants) {
  const among = cameras(constants);
  /** @type {ReadFace[]} */
  let before = []; // the faces of the last frame

  /** Return the faces on an upright bitmap or frame, px of it, the quads of places where more may lie, and how
   *  light it is, mean grey levels.
   *  A face of the `next` frame of a camera that lies where one lay on the last is seldom classified again. `halves`
   *  are those of dominoes; `colours` the game's pieces have, none: any.
   *  @param {ImageBitmap} source @param {Wanted} wanted @returns {Promise<Sight>} */
  return async function read(source, { next = false, side = null, halves = false, colours = [] } = {}) {
    const picture = new Picture(source, constants);
    const found = (next ? await tracked(picture, side) : null) ?? (await focused(picture));
    const likely = found.filter(({ size }) => size >= constants.smallest).slice(0, constants.mostPlaces);
    const read = await classified(picture, likely, next ? before : []);
    before = read;
    const size = [picture.width, picture.height];
    const rated = calibrated(read, size, halves, among, constants);
    const shown = rated.filter(({ real, confidence }) => real >= constants.calibration.shown && confidence >= constants.guess);
    const back = (/** @type {Point} */ at) => at.map((px) => (px + 0.5) / picture.scale - 0.5);
    const perhaps = rated.filter((face) => face.real >= constants.calibration.missed && !shown.includes(face));
    const faces = shown.map((face) => ({
      ...bodies(face, colours),
      quad: face.quad.map(back),
      middle: back(face.middle),
      size: face.size / picture.scale,
      value: face.value,
      probs: face.probs,
      confidence: face.confidence,
      sure: face.confidence >= constants.calibration.sure,
    }));
    return { faces, perhaps: perhaps.map(({ quad }) => quad.map(back)), light: lightOf(picture) };
  };

  /** @param {Picture} picture @param {number | null} side */
  async function tracked(picture, side) {
    if (side === null) return null;
    const view = bestView(side * picture.scale, picture, constants.tracked);
    const faces = await detect(picture, view, networks.detector, constants, constants.plain);
    const sizes = glimpsed(faces);
    return sizes.length && fits(sizes, view, picture, constants.moving) ? faces : null;
  }

  /** @param {Picture} picture */
  async function focused(picture) {
    const first = await detect(picture, constants.first, networks.detector, constants);
    const sizes = glimpsed(first);
    const view = sizes.length ? bestView(median(sizes), picture, constants.best) : constants.first;
    return view === constants.first ? first : detect(picture, view, networks.detector, constants);
  }

  /** @param {FoundFace[]} faces */
  function glimpsed(faces) {
    return faces.filter(({ prob }) => prob >= constants.glimpsed).map(({ size }) => size);
  }

  /** @param {number[]} sizes @param {number} view @param {Picture} picture @param {number[]} range */
  function fits(sizes, view, { width, height }, [low, high]) {
    const side = (median(sizes) * view) / Math.max(width, height);
    return low <= side && side <= high;
  }

  /** @param {number} side @param {Picture} picture @param {number} best */
  function bestView(side, picture, best) {
    if (fits([side], constants.first, picture, constants.fitting)) return constants.first;
    const longest = (best / side) * Math.max(picture.width, picture.height);
    const { step, farthest, nearest } = constants;
    return Math.round(Math.min(Math.max(longest, farthest), nearest) / step) * step;
  }

  /** Return faces with the classifier's logits: those of `known` ones that have not moved, for some frames.
   *  @param {Picture} picture @param {FoundFace[]} faces @param {ReadFace[]} known @returns {Promise<ReadFace[]>} */
  async function classified(picture, faces, known) {
    const read = /** @type {ReadFace[]} */ (faces).map((face) => {
      const same = known.find(({ middle, size, age }) => age < FRAMES && Math.hypot(middle[0] - face.middle[0], middle[1] - face.middle[1]) < constants.asBefore * size);
      return same ? { ...face, logits: same.logits, colours: same.colours, mark: same.mark, age: same.age + 1 } : face;
    });
    const asked = read.filter(({ logits }) => !logits);
    if (!asked.length) return read;
    const crops = rectified(picture, asked.map(({ quad }) => quad), constants);
    const marks = asked.map(({ size }, i) => {
      const fills = size >= constants.fills * Math.min(picture.width, picture.height);
      return fills ? sizeOfMark(crops.subarray(i * (crops.length / asked.length)), constants) : 0;
    });
    const rows = await networks.classifier(crops, asked.length); // which may take the crops with it
    asked.forEach((face, i) => Object.assign(face, { logits: rows[i].slice(0, constants.classes), colours: rows[i].slice(constants.classes), mark: marks[i], age: 0 }));
    return read;
  }

  /** Return the likeliest body colour, and those possible with their probabilities, likeliest first.
   *  @param {ReadFace} face @param {string[]} possible @returns {{colour: string, colours: [string, number][]}} */
  function bodies({ colours: logits }, possible) {
    const shares = softmax(constants.colours.map((/** @type {string} */ name, /** @type {number} */ k) => (!possible.length || possible.includes(name) ? logits[k] : -Infinity)));
    const colours = shares.map((share, k) => /** @type {[string, number]} */ ([constants.colours[k], share])).sort(([, a], [, b]) => b - a);
    return { colour: colours[0][0], colours };
  }
}

/** Return the mean grey level of a picture, of px far apart.
 *  @param {Picture} picture */
function lightOf(picture) {
  let level = 0;
  while (Math.max(picture.level(level).width, picture.level(level).height) > DIM) level += 1;
  const { data } = picture.pixels(level).image;
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += (data[at] + data[at + 1] + data[at + 2]) / 3;
  return sum / (data.length / 4);
}
