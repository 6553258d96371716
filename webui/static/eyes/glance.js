/** Carry known faces on to a frame that was only glanced at: on a view that is too small to read them, but not to find them again. */

import { median } from "./calibration.js";

const REACH = 0.4; // sides that a face moves at most between two frames,
const ALONE = 0.25; // and apart from how the camera moves them all
const TRUSTED = 0.5; // share of what one moves alone that is believed; the rest is noise of a small view
const NEARER = 1.15; // times as large or small that faces are, at which they are read anew
const [MISSED, MOST] = [0.2, 2]; // share of the faces, and so many, that may not be seen

/** Return the faces where they now are, or null if many are not among those `seen`, if one moved alone, or if a likely one that is
 *  not known lies beside them. One that is not seen lies where the others' move brings it: its place is classified at once.
 *  @template {ReadFace & {others: AmongOthers}} T @param {T[]} faces @param {FoundFace[]} seen @param {number} likely @returns {(T & ReadFace)[] | null} */
export function carried(faces, seen, likely) {
  const left = new Set(seen);
  const again = faces.map((face) => {
    const near = nearest(left, face.middle);
    if (!near || apart(near.middle, face.middle) > REACH * face.size) return null;
    left.delete(near);
    return near;
  });
  const pairs = faces.flatMap((face, i) => (again[i] ? [{ face, now: again[i] }] : []));
  if (faces.length - pairs.length > Math.min(MISSED * faces.length, MOST) || [...left].some(({ prob }) => prob >= likely)) return null;
  const { moved, scale } = similarity(pairs.map(({ face }) => face.middle), pairs.map(({ now }) => now.middle));
  const larger = median(pairs.map(({ face, now }) => now.size / (scale * face.size)));
  if (Math.max(larger, 1 / larger) > NEARER) return null;
  const alone = faces.map(({ middle }, i) => {
    const place = moved(middle);
    return [0, 1].map((axis) => (again[i] ? again[i].middle[axis] - place[axis] : 0));
  });
  if (alone.some((by, i) => Math.hypot(...by) > ALONE * faces[i].size)) return null;
  return faces.map((face, i) => {
    const to = (/** @type {Point} */ at) => moved(at).map((px, axis) => px + TRUSTED * alone[i][axis]);
    return { ...face, quad: face.quad.map(to), middle: to(face.middle), size: scale * face.size, kept: face.others, age: again[i] ? face.age + 1 : Infinity };
  });
}

/** @param {Point} a @param {Point} b */
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** @param {Set<FoundFace>} faces @param {Point} place */
function nearest(faces, place) {
  let [best, least] = [/** @type {FoundFace | null} */ (null), Infinity];
  for (const face of faces) {
    const far = apart(face.middle, place);
    if (far < least) [best, least] = [face, far];
  }
  return best;
}

/** Return the turn, scale and shift that bring points nearest to others (least squares), and the scale; of one point the shift.
 *  @param {Point[]} from @param {Point[]} to */
function similarity(from, to) {
  const [[x0, y0], [x1, y1]] = [from, to].map((points) => [0, 1].map((axis) => points.reduce((sum, at) => sum + at[axis], 0) / points.length));
  let [re, im, all] = [0, 0, 0];
  from.forEach(([x, y], i) => {
    const [a, b, c, d] = [x - x0, y - y0, to[i][0] - x1, to[i][1] - y1];
    re += a * c + b * d;
    im += a * d - b * c;
    all += a * a + b * b;
  });
  const [cos, sin] = all ? [re / all, im / all] : [1, 0];
  const moved = (/** @type {Point} */ [x, y]) => [x1 + cos * (x - x0) - sin * (y - y0), y1 + sin * (x - x0) + cos * (y - y0)];
  return { moved, scale: Math.hypot(cos, sin) };
}
