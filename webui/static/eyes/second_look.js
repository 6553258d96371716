/** Look again at a photo that is not clear: the further views of vision/faces/multiscale.py, in one list. */

import { cornersOf, plus, suppressed, times } from "./detector.js";
import { middleOf, sideOf } from "./shapes.js";

/** @typedef {[number, boolean]} View px of the longer side, and whether mirrored */

/** Return the views to look at after the first, of which `longest` is the longer side.
 *  @param {FoundFace[]} found on it @param {number} longest @param {(longest: number) => number} stepped @param {EyesConstants} constants @returns {View[]} */
export function furtherViews(found, longest, stepped, { glimpsed, anywhere, nearly, further, afar }) {
  if (!found.some(({ prob }) => prob >= glimpsed)) return anywhere.filter((/** @type {View} */ [side]) => side < longest || side >= longest * nearly);
  /** @type {View[]} */
  const views = [[stepped(longest * further), true], [stepped(longest / further), false], ...afar.map((/** @type {number} */ side) => [side, false])];
  const named = new Map(views.map((view) => [String(view), view]));
  return [...named.values()].filter(([side]) => side !== longest);
}

/** Return each face of several views once, with a mean outline and `agreed`, its mean probability on the views that
 *  could show it; then places that overlap one of them and have another middle or size.
 *  @param {FoundFace[][]} views @param {number[]} scales of each, px per px of the picture @param {EyesConstants} constants @returns {FoundFace[]} */
export function fused(views, scales, constants) {
  const { same, samePlace, alike, rival, known } = constants;
  const all = views.flatMap((faces, of) => faces.map((face) => ({ ...face, of })));
  const isNear = (/** @type {FoundFace} */ kept, /** @type {FoundFace} */ face) => Math.hypot(...kept.middle.map((at, axis) => at - face.middle[axis])) / kept.size < samePlace;
  const isAlike = (/** @type {FoundFace} */ kept, /** @type {FoundFace} */ face) => Math.abs(Math.log(kept.size / face.size)) < alike;
  const first = suppressed(all, same);
  const elsewhere = all.filter((face) => face.prob >= rival && !first.some((kept) => isNear(kept, face) && isAlike(kept, face)));
  return [...first, ...suppressed(elsewhere, same)].map((kept) => {
    const near = all.filter((face) => isNear(kept, face));
    const best = scales.map((_, of) => Math.max(0, ...near.filter((face) => face.of === of).map(({ prob }) => prob)));
    const counted = best.filter((prob, of) => prob > 0 || (known[0] <= kept.size * scales[of] && kept.size * scales[of] <= known[1]));
    const quad = meanQuad(near.filter((face) => isAlike(kept, face)), constants);
    return { ...kept, quad, middle: middleOf(quad), size: sideOf(quad), agreed: counted.reduce((sum, prob) => sum + prob, 0) / counted.length };
  });
}

/** Return the mean outline of faces, each weighted by its probability squared, in the encoding of the network.
 *  @param {FoundFace[]} faces @param {EyesConstants} constants @returns {Quad} */
function meanQuad(faces, constants) {
  const weights = faces.map(({ prob }) => prob ** 2);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shapes = faces.map(({ quad }) => shapeOf(quad));
  const mean = (/** @type {number[][]} */ rows) => rows[0].map((_, k) => rows.reduce((sum, row, i) => sum + (weights[i] / total) * row[k], 0));
  const [log, ...parts] = mean(shapes);
  const [x, y] = mean(faces.map(({ middle }) => middle));
  return cornersOf(Math.exp(log), parts.slice(0, 2), parts.slice(2), constants).map(([dx, dy]) => [x + dx, y + dy]);
}

/** Return the log of the reach, S and P of an outline.
 *  @param {Quad} quad @returns {number[]} */
function shapeOf([a, b, c, d]) {
  const squared = (/** @type {Point} */ from, /** @type {Point} */ to) => {
    const half = from.map((at, axis) => (to[axis] - at) / 2);
    return times(half, half);
  };
  const [u, v] = [squared(a, c), squared(b, d)];
  const reach = (Math.hypot(...u) + Math.hypot(...v)) / 2;
  const s = plus(u, v).map((part) => part / reach);
  const p = times(u, v).map((part) => part / reach ** 2);
  return [Math.log(reach) / 2, ...s, ...p];
}

/** Return crops, (n, 3, side, side), rotated by quarter turns and mirrored for odd numbers.
 *  @param {Float32Array} crops @param {number} turn @param {number} side */
export function turned(crops, turn, side) {
  const out = new Float32Array(crops.length);
  const last = side - 1;
  // where the px at (x, y) of the turned crop comes from; an odd turn to the left, mirrored, exchanges x and y
  const from = [(/** @type {number} */ x, /** @type {number} */ y) => y * side + x, (/** @type {number} */ x, /** @type {number} */ y) => (last - x) * side + last - y,
    (/** @type {number} */ x, /** @type {number} */ y) => (last - y) * side + last - x, (/** @type {number} */ x, /** @type {number} */ y) => x * side + y][turn];
  for (let plane = 0; plane < crops.length; plane += side * side)
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) out[plane + y * side + x] = crops[plane + from(x, y)];
  return out;
}
