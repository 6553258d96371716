/** Rectify faces for the classifier: what vision/faces/classifier.py does in one orientation. */

/** @typedef {import("./picture.js").Picture} Picture */

import { LEVELS } from "./picture.js";
import { sideOf } from "./shapes.js";
import { fromUnitSquare } from "../look/quads.js";

/** Return the classifier's input for n quads of a picture: (n, 3, side, side) RGB in [0, 1].
 *  @param {Picture} picture @param {Quad[]} quads @param {EyesConstants} constants */
export function rectified(picture, quads, constants) {
  const { side } = constants;
  const data = new Float32Array(quads.length * 3 * side * side);
  quads.forEach((quad, n) => crop(picture, quad, constants, data.subarray(n * 3 * side * side, (n + 1) * 3 * side * side)));
  return data;
}

/** Write one upright face with a margin around it, bilinear from the level of the picture that suits its size.
 *  @param {Picture} picture @param {Quad} quad @param {EyesConstants} constants @param {Float32Array} into */
function crop(picture, quad, { side, margin, coarsest }, into) {
  const face = side / (1 + 2 * margin); // px of the crop
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(sideOf(quad) / face, 1) / coarsest)));
  const local = quad.map((at) => at.map((px) => (px + 0.5) / 2 ** halvings - 0.5));
  const place = fromUnitSquare(local);
  const near = (margin * side) / (1 + 2 * margin) - 0.5;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => place((x - near) / face, (y - near) / face);
  const rim = [at(0, 0), at(side - 1, 0), at(side - 1, side - 1), at(0, side - 1)];
  const [left, top] = [0, 1].map((axis) => Math.floor(Math.min(...rim.map((one) => one[axis]))) - 1);
  const [right, bottom] = [0, 1].map((axis) => Math.ceil(Math.max(...rim.map((one) => one[axis]))) + 2);
  const { left: x0, top: y0, image } = picture.pixels(halvings, left, top, right - left, bottom - top);
  const { data, width, height } = image;
  const within = (/** @type {number} */ value, /** @type {number} */ size) => Math.min(Math.max(value, 0), size - 1);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [px, py] = at(x, y);
      const column = within(px - x0, width);
      const row = within(py - y0, height);
      const low = Math.floor(column);
      const high = Math.floor(row);
      const first = 4 * (high * width + low);
      const beside = 4 * (within(low + 1, width) - low);
      const below = 4 * width * (within(high + 1, height) - high);
      for (let from = first, channel = 0; channel < 3; from++, channel++) {
        const upper = data[from] + (column - low) * (data[from + beside] - data[from]);
        const lower = data[from + below] + (column - low) * (data[from + below + beside] - data[from + below]);
        into[(channel * side + y) * side + x] = LEVELS[(upper + (row - high) * (lower - upper) + 0.5) | 0];
      }
    }
}
