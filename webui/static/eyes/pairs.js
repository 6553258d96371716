/** See which two faces are one domino: what vision/dominoes/pair_classifier.py does. */

import { warped } from "./classifier.js";
import { sigmoid } from "./detector.js";
import { middleOf, sideOf } from "./shapes.js";

/** @typedef {import("./matching.js").Ends} Ends
 *  @typedef {[Quad, Quad]} Two */

/** @param {Point} from @param {Point} to */
const away = (from, to) => [to[0] - from[0], to[1] - from[1]];
/** @param {Point} a @param {Point} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
/** @param {Point} a @param {Point} b */
const cross = (a, b) => a[0] * b[1] - a[1] * b[0];
/** @param {Point} at @param {Point} way */
const moved = (at, way, times = 1) => [at[0] + times * way[0], at[1] + times * way[1]];

/** Return the pairs of some `places` that may be halves of one domino.
 *  @param {Quad[]} quads @param {number[]} places @param {EyesConstants} constants @returns {Ends[]} */
export function neighbours(quads, places, { reach: [low, high], aside, alike }) {
  const sizes = quads.map(sideOf);
  const fits = (/** @type {number} */ i, /** @type {number} */ j) => {
    const [u, v] = inSides(quads[i], away(middleOf(quads[i]), middleOf(quads[j]))).map(Math.abs);
    const far = Math.max(u, v);
    return far > low && far < high && Math.min(u, v) < aside;
  };
  const isAlike = (/** @type {number} */ i, /** @type {number} */ j) => Math.max(sizes[i], sizes[j]) < alike * Math.min(sizes[i], sizes[j]);
  return places.flatMap((i, k) => places.slice(k + 1).filter((j) => isAlike(i, j) && (fits(i, j) || fits(j, i))).map((j) => /** @type {Ends} */ ([i, j])));
}

/** Return a way along both sides of a face, in its sides.
 *  @param {Quad} quad @param {Point} way */
function inSides([a, b, c, d], way) {
  const along = [(b[0] - a[0] - d[0] + c[0]) / 2, (b[1] - a[1] - d[1] + c[1]) / 2];
  const across = [(c[0] - b[0] - a[0] + d[0]) / 2, (c[1] - b[1] - a[1] + d[1]) / 2];
  const area = cross(along, across);
  const divided = Math.abs(area) < 1 ? 1 : area; // px²; no neighbours of a face seen edge-on
  return [cross(way, across) / divided, cross(along, way) / divided];
}

/** Return the rectangle's corners clockwise, the first of two halves on its left.
 *  @param {Two} halves @returns {Quad} */
export function outline([first, second]) {
  const step = away(middleOf(first), middleOf(second));
  const across = [-step[1], step[0]];
  const along = (/** @type {Quad} */ corners, /** @type {Point} */ way) => [...corners].sort((a, b) => dot(a, way) - dot(b, way));
  const left = along(along(first, step).slice(0, 2), across);
  const right = along(along(second, step).slice(2), across);
  return [left[0], right[0], right[1], left[1]];
}

/** Return for each side of a face the places where the other half of a domino would be: the straight one first, then
 *  with the far edge moved.
 *  @param {Quad} quad @param {EyesConstants} constants @returns {Quad[][]} */
export function aroundBeside(quad, { farther, sideways }) {
  const at = (/** @type {number} */ k) => quad[(k + 4) % 4];
  return [0, 1, 2, 3].map((k) => {
    const near = [at(k), at(k + 1)];
    const [right, left] = [away(at(k + 2), at(k + 1)), away(at(k - 1), at(k))];
    const along = away(near[0], near[1]);
    return sideways.flatMap((/** @type {number} */ aside) => farther.map((/** @type {number} */ out) => [
      ...near,
      moved(moved(near[1], right, 1 + out), along, aside),
      moved(moved(near[0], left, 1 + out), along, aside),
    ]));
  });
}

/** Return probabilities that each two quads of a picture are halves of one domino; in `otherTurns` of looking at them.
 *  @param {import("./picture.js").Picture} picture @param {Two[]} pairs @param {Networks["pairs"]} run @param {EyesConstants} constants
 *  @param {number} coarsest */
export async function pairProbs(picture, pairs, run, { wide, high, edge }, coarsest, otherTurns = false) {
  if (!pairs.length) return [];
  const crops = warped(picture, pairs.map(outline), { wide, high, edge, coarsest });
  const ways = otherTurns ? [[1, 1], [1, 0], [0, 1]] : [[0, 0]];
  const sums = pairs.map(() => 0);
  for (const [down, across] of ways) {
    const scores = await run(flipped(crops, wide, high, down, across), pairs.length);
    scores.forEach((score, i) => (sums[i] += sigmoid(score) / ways.length));
  }
  return sums;
}

/** @param {Float32Array} crops @param {number} wide @param {number} high @param {number} down @param {number} across */
function flipped(crops, wide, high, down, across) {
  return crops.map((_, at) => {
    const [x, y] = [at % wide, Math.floor(at / wide) % high];
    return crops[at + (down ? (high - 1 - 2 * y) * wide : 0) + (across ? wide - 1 - 2 * x : 0)];
  });
}

/** Say whether there are faces beside both halves of a domino, on one of its long sides.
 *  @param {Two} halves @param {Point[]} middles of the faces @param {EyesConstants} constants */
export function hasAlongside([first, second], middles, { alongside, asideOf: [low, high] }) {
  const along = away(middleOf(first), middleOf(second));
  const [one, other] = [acrossOf(first, along), acrossOf(second, along)];
  const across = moved(one, other, dot(one, other) >= 0 ? 1 : -1).map((part) => part / 2);
  const area = cross(along, across);
  if (Math.abs(area) < 1) return false; // px²; seen edge-on, a tile has no neighbours
  const isBeside = (/** @type {Quad} */ half, /** @type {number} */ side) => middles.some((at) => {
    const way = away(middleOf(half), at);
    const [u, v] = [cross(way, across) / area, (side * cross(along, way)) / area];
    return Math.abs(u) < alongside && v > low && v < high;
  });
  return [-1, 1].some((side) => isBeside(first, side) && isBeside(second, side));
}

/** Return the side of a face that runs most nearly across a direction.
 *  @param {Quad} quad @param {Point} along */
function acrossOf(quad, along) {
  const sides = quad.map((at, k) => away(at, quad[(k + 1) % 4]));
  const slant = (/** @type {Point} */ side) => Math.abs(dot(side, along)) / Math.max(Math.hypot(...side), 1e-6);
  return sides.reduce((best, side) => (slant(side) < slant(best) ? side : best));
}
