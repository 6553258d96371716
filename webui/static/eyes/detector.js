/** Find faces in the detector's output: what vision/faces/detector.py does with one view. */

/** @typedef {import("./picture.js").Picture} Picture */

import { fitted } from "./picture.js";
import { middleOf, mostlyOn, overSmaller, reachOf, sideOf } from "./shapes.js";

/** @param {number} logit */
export const sigmoid = (logit) => 0.5 * (1 + Math.tanh(0.5 * logit));

/** @param {Numbers} logits */
export function softmax(logits) {
  const most = Math.max(...logits);
  const grown = Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = grown.reduce((a, b) => a + b, 0);
  return grown.map((one) => one / sum);
}

/** Return the faces on one view of a picture, perhaps mirrored, or on a part of it, px of the picture, the most probable
 *  first; what a part cuts through is left out.
 *  @param {Picture} picture @param {number} longest
 *  @param {Networks["detector"]} run takes (3, h, w) and its sides to the detector's output map
 *  @param {EyesConstants} constants @param {number} fewest
 *  @param {import("./picture.js").Part} [part] @returns {Promise<FoundFace[]>} */
export async function detect(picture, longest, run, constants, fewest = constants.fewest, mirrored = false, part = undefined) {
  const view = fitted(picture, longest, constants, mirrored, part);
  const { left, top, wide, high } = view.part;
  const map = await run(view.data, wide, high);
  const right = Math.round(picture.width * view.scale) - 1;
  const seen = (/** @type {Quad} */ quad) => (mirrored ? quad.map(([x, y]) => [right - x, y]).reverse() : quad); // clockwise again
  const back = (/** @type {Point} */ [x, y]) => [left + x, top + y].map((at) => (at + 0.5) / view.scale - 0.5);
  const faces = decode(map, constants, fewest).map((face) => ({ ...face, quad: seen(face.quad).map(back) }));
  const [x0, y0, x1, y1] = [left, top, left + wide, top + high].map((at) => at / view.scale);
  const isCut = (/** @type {Point} */ [x, y]) => (left && x < x0) || (top && y < y0) || (x > x1 && x1 < picture.width) || (y > y1 && y1 < picture.height);
  const whole = part ? faces.filter(({ quad }) => !quad.some(isCut)) : faces;
  const on = mostlyOn(whole.map(({ quad }) => quad), picture.width, picture.height, constants.mostly);
  return suppressed(on.map((i) => whole[i]), constants.same);
}

/** Return the faces in an output map: `data` of (channels, rows, columns). px of the network's input.
 *  @param {OutputMap} map @param {EyesConstants} constants @param {number} fewest */
export function decode({ data, rows, columns }, constants, fewest) {
  const { stride, reaches, most } = constants;
  const cells = rows * columns;
  const heat = new Float32Array(cells);
  for (let cell = 0; cell < cells; cell++) heat[cell] = sigmoid(data[cell]);
  const value = (/** @type {number} */ channel, /** @type {number} */ cell) => data[channel * cells + cell];
  const reach = (/** @type {number} */ cell) => Math.exp(Math.min(Math.max(value(3, cell), reaches[0]), reaches[1])) * stride;
  const middle = (/** @type {number} */ cell) => [
    ((cell % columns) + 0.5) * stride - 0.5 + value(1, cell) * reach(cell),
    (Math.floor(cell / columns) + 0.5) * stride - 0.5 + value(2, cell) * reach(cell),
  ];
  const peaks = peaksOf(heat, rows, columns, fewest).slice(0, most);
  return peaks.map((cell) => {
    const [x, y] = meanMiddle(cell, { heat, rows, columns, reach, middle }, constants);
    const corners = cornersOf(reach(cell), [value(4, cell), value(5, cell)], [value(6, cell), value(7, cell)], constants);
    return {
      quad: corners.map(([dx, dy]) => [x + dx, y + dy]),
      prob: heat[cell],
      agreed: heat[cell],
      values: softmax(Array.from({ length: 7 }, (_, k) => value(8 + k, cell))),
      half: sigmoid(value(15, cell)),
    };
  });
}

/** Return the cells of local maxima above `fewest`, the highest first.
 *  @param {Float32Array} heat @param {number} rows @param {number} columns @param {number} fewest */
function peaksOf(heat, rows, columns, fewest) {
  const found = [];
  for (let cell = 0; cell < heat.length; cell++) {
    if (heat[cell] <= fewest) continue;
    const row = Math.floor(cell / columns);
    const column = cell % columns;
    let highest = true;
    for (let y = Math.max(0, row - 1); highest && y <= Math.min(rows - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) highest &&= heat[y * columns + x] <= heat[cell];
    if (highest) found.push(cell);
  }
  return found.sort((a, b) => heat[b] - heat[a]);
}

/** Return the middle by a peak and the cells beside it, each weighted by its probability squared.
 *  @param {number} cell @param {{heat: Float32Array, rows: number, columns: number, reach: (cell: number) => number,
 *    middle: (cell: number) => Point}} map @param {EyesConstants} constants */
function meanMiddle(cell, { heat, rows, columns, reach, middle }, { beside }) {
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const [x, y] = middle(cell);
  let [sum, sumX, sumY] = [0, 0, 0];
  for (const [down, right] of [[0, 0], [0, 1], [1, 0], [0, -1], [-1, 0]]) {
    const at = Math.min(Math.max(row + down, 0), rows - 1) * columns + Math.min(Math.max(column + right, 0), columns - 1);
    const [itsX, itsY] = middle(at);
    if (Math.hypot(itsX - x, itsY - y) >= beside * reach(cell)) continue;
    const weight = heat[at] ** 2;
    sum += weight;
    sumX += weight * itsX;
    sumY += weight * itsY;
  }
  return [sumX / sum, sumY / sum];
}

/** @param {Point} first @param {Point} second */
export const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
/** @param {Point} first @param {Point} second */
export const plus = ([a, b], [c, d], share = 1) => [a + share * c, b + share * d];

/** @param {Point} number */
function root([re, im]) {
  const size = Math.hypot(re, im);
  const half = Math.sqrt((size + Math.abs(re)) / 2);
  if (!half) return [0, 0];
  return re >= 0 ? [half, im / (2 * half)] : [Math.abs(im) / (2 * half), im < 0 ? -half : half];
}

/** Return the four corners around 0, clockwise, of a face's reach, S and P; complex numbers are [re, im].
 *  @param {number} reach @param {Point} s @param {Point} p @param {EyesConstants} constants */
export function cornersOf(reach, s, p, { flattest }) {
  const size = Math.hypot(...s);
  if (size > flattest) s = s.map((part) => (part * flattest) / size);
  const a = s[0] ** 2 + s[1] ** 2;
  const angle = Math.atan2(p[1], p[0]);
  const turn = [Math.cos(angle), Math.sin(angle)];
  const squared = times(s, s);
  const length = (8 - 2 * a) / (8 - a - (squared[0] * turn[0] + squared[1] * turn[1]));
  const apart = root(plus([squared[0] / 4, squared[1] / 4], turn, -length));
  const half = [s[0] / 2, s[1] / 2];
  const u = root(plus(half, apart)).map((part) => part * reach);
  let v = root(plus(half, apart, -1)).map((part) => part * reach);
  if (u[0] * v[1] - u[1] * v[0] < 0) v = v.map((part) => -part);
  const [back, away] = [u, v].map((one) => one.map((part) => -part));
  return [u, v, back, away];
}

/** Return the faces that non-maximum suppression keeps, the most probable first.
 *  @template {Omit<FoundFace, "middle" | "size">} T @param {T[]} faces @param {number} same @returns {(T & FoundFace)[]} */
export function suppressed(faces, same, probable = (/** @type {T} */ face) => face.prob) {
  /** @type {{face: T, at: Point, reach: number}[]} */
  const kept = [];
  for (const face of [...faces].sort((a, b) => probable(b) - probable(a))) {
    const middle = middleOf(face.quad);
    const reach = reachOf(face.quad, middle);
    const overlaps = (/** @type {(typeof kept)[number]} */ { face: other, at, reach: its }) =>
      Math.hypot(at[0] - middle[0], at[1] - middle[1]) < reach + its && overSmaller(face.quad, other.quad) > same;
    if (!kept.some(overlaps)) kept.push({ face, at: middle, reach });
  }
  return kept.map(({ face }) => ({ ...face, middle: middleOf(face.quad), size: sideOf(face.quad) }));
}
