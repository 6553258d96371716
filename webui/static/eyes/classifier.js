/** Rectify faces for the classifier: what vision/faces/classifier.py does in one orientation. */

/** @typedef {import("./picture.js").Picture} Picture */

import { LEVELS } from "./picture.js";
import { sideOf } from "./shapes.js";
import { fromUnitSquare } from "../look/quads.js";

/** What quads are warped onto: a crop's sides, px, and how far from them the outline lies.
 *  @typedef {{wide: number, high: number, edge: number, coarsest: number}} Crop */

/** Return the classifier's input for n quads of a picture: (n, 3, side, side) RGB in [0, 1].
 *  @param {Picture} picture @param {Quad[]} quads @param {EyesConstants} constants */
export function rectified(picture, quads, { side, margin, coarsest }) {
  return warped(picture, quads, { wide: side, high: side, edge: (margin * side) / (1 + 2 * margin), coarsest });
}

/** Return crops, (n, 3, high, wide) RGB in [0, 1], with an edge around each of n quads of a picture.
 *  @param {Picture} picture @param {Quad[]} quads @param {Crop} onto */
export function warped(picture, quads, onto) {
  const length = 3 * onto.wide * onto.high;
  const data = new Float32Array(quads.length * length);
  quads.forEach((quad, n) => crop(picture, quad, onto, data.subarray(n * length, (n + 1) * length)));
  return data;
}

/** Write one upright quad with an edge around it, bilinear from the level of the picture that suits its size.
 *  @param {Picture} picture @param {Quad} quad @param {Crop} onto @param {Float32Array} into */
function crop(picture, quad, { wide, high, edge, coarsest }, into) {
  const [across, down] = [wide - 2 * edge, high - 2 * edge]; // px of the crop
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max((sideOf(quad) * picture.finest) / Math.sqrt(across * down), 1) / coarsest)));
  const local = quad.map((at) => at.map((px) => ((px + 0.5) * picture.finest) / 2 ** halvings - 0.5));
  const place = fromUnitSquare(local);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => place((x + 0.5 - edge) / across, (y + 0.5 - edge) / down);
  const rim = [at(0, 0), at(wide - 1, 0), at(wide - 1, high - 1), at(0, high - 1)];
  if (!rim.flat().every(Number.isFinite)) return; // a quad without an area stays black
  const [left, top] = [0, 1].map((axis) => Math.floor(Math.min(...rim.map((one) => one[axis]))) - 1);
  const [right, bottom] = [0, 1].map((axis) => Math.ceil(Math.max(...rim.map((one) => one[axis]))) + 2);
  const { left: x0, top: y0, image } = picture.pixels(halvings, left, top, right - left, bottom - top);
  const { data, width, height } = image;
  const within = (/** @type {number} */ value, /** @type {number} */ size) => Math.min(Math.max(value, 0), size - 1);
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const [px, py] = at(x, y);
      const column = within(px - x0, width);
      const row = within(py - y0, height);
      const low = Math.floor(column);
      const line = Math.floor(row);
      const first = 4 * (line * width + low);
      const beside = 4 * (within(low + 1, width) - low);
      const below = 4 * width * (within(line + 1, height) - line);
      for (let from = first, channel = 0; channel < 3; from++, channel++) {
        const upper = data[from] + (column - low) * (data[from + beside] - data[from]);
        const lower = data[from + below] + (column - low) * (data[from + below + beside] - data[from + below]);
        into[(channel * high + y) * wide + x] = LEVELS[(upper + (row - line) * (lower - upper) + 0.5) | 0];
      }
    }
}
