/** How faces should look under the camera that most of them agree on: vision/faces/view_prior.py. */

import { overBoth } from "./shapes.js";

/** Return S of a quad as [re, im]: the same for all squares in one plane (see vision/faces/detector.py).
 *  @param {Quad} quad */
function flatness([a, b, c, d]) {
  const [u, v] = [[(c[0] - a[0]) / 2, (c[1] - a[1]) / 2], [(d[0] - b[0]) / 2, (d[1] - b[1]) / 2]];
  const squared = (/** @type {Point} */ [x, y]) => [x * x - y * y, 2 * x * y];
  const reach = (u[0] ** 2 + u[1] ** 2 + v[0] ** 2 + v[1] ** 2) / 2;
  const [s, t] = [squared(u), squared(v)];
  return [(s[0] + t[0]) / reach, (s[1] + t[1]) / reach];
}

/** @typedef {{lens: number, down: number[], cost: number}} Camera */

/** Return the cameras to choose from: lens, the direction straight down, and what each costs.
 *  @param {EyesConstants} constants @returns {Camera[]} */
export function cameras({ lenses, tilts, rolls, upsideDown, long }) {
  return lenses.flatMap((/** @type {number} */ lens) =>
    tilts.flatMap((/** @type {number} */ tilt) =>
      rolls.map((/** @type {number} */ roll) => ({
        lens,
        down: [-Math.sin(tilt) * Math.sin(roll), Math.sin(tilt) * Math.cos(roll), Math.cos(tilt)],
        cost: (upsideDown * (1 - Math.cos(roll))) / 2 + long * Math.log(lens / lenses[0]),
      })),
    ),
  );
}

/** Write how a face that points up looks at a px to a camera: S, [re, im], its inverse depth, and the place, in focal lengths. Each
 *  frame asks this a hundred thousand times: no array is made.
 *  @param {Point} px @param {Camera} camera @param {Point} size @param {EyesConstants} constants @param {Float64Array} into */
function foreshorten(px, { lens, down }, size, { level }, into) {
  const focal = lens * Math.max(size[0], size[1]);
  const [x, y] = [(px[0] - size[0] / 2) / focal, (px[1] - size[1] / 2) / focal];
  const [a, b] = [down[0], down[1]];
  const depth = Math.max(x * a + y * b + down[2], level);
  const far = (x * x + y * y + 1) / depth ** 2;
  const xx = 1 - (2 * x * a) / depth + far * a * a;
  const yy = 1 - (2 * y * b) / depth + far * b * b;
  const xy = -(x * b + y * a) / depth + far * a * b;
  into[0] = (2 * (yy - xx)) / (xx + yy);
  into[1] = (-4 * xy) / (xx + yy);
  into[2] = depth;
  into[3] = x;
  into[4] = y;
}

/** Return for each face how far its S is from what it should be (NaN if unknown), the step in px from
 *  a top corner of the die under it to its foot, and its relative size on the picture.
 *  @param {FoundFace[]} faces @param {number[]} plain indices of faces that clearly point up; all look at it `among` these cameras
 *  @param {Point} size @param {Camera[]} among @param {EyesConstants} constants */
export function viewPrior(faces, plain, size, among, constants) {
  const s = faces.map(({ quad }) => flatness(quad));
  const should = new Float64Array(5);
  const off = (/** @type {number} */ i, /** @type {Camera} */ camera) => {
    foreshorten(faces[i].middle, camera, size, constants, should);
    const [re, im] = [should[0] - s[i][0], should[1] - s[i][1]];
    return Math.sqrt(re * re + im * im);
  };
  const totals = new Float64Array(among.length);
  among.forEach(({ cost }, c) => (totals[c] = cost));
  const errors = plain.map((i) => {
    const errors = new Float64Array(among.length);
    for (let c = 0; c < among.length; c++) {
      const apart = off(i, among[c]);
      errors[c] = should[2] <= constants.level ? constants.mostResidual : Math.min(apart, constants.mostResidual);
      totals[c] += errors[c];
    }
    return errors;
  });
  const best = among[lowest(totals)];
  const residual = faces.map((_, i) => (plain.length ? off(i, best) : NaN));
  plain.forEach((i, k) => (residual[i] = plain.length > 1 ? off(i, among[lowest(totals.map((total, c) => total - errors[k][c]))]) : NaN));
  const [fall, scale] = [/** @type {Point[]} */ ([]), /** @type {number[]} */ ([])];
  for (const face of faces) {
    foreshorten(face.middle, best, size, constants, should);
    const [, , depth, x, y] = should;
    fall.push([x, y].map((at, axis) => ((best.down[axis] - best.down[2] * at) * face.size) / Math.sqrt(depth)));
    scale.push(depth ** 1.5);
  }
  return { residual, fall, scale };
}

/** Return the place of the lowest number.
 *  @param {Float64Array} numbers */
function lowest(numbers) {
  let best = 0;
  for (let i = 1; i < numbers.length; i++) if (numbers[i] < numbers[best]) best = i;
  return best;
}

/** Call `found(i, j, share)` with the IoU of each face i with each visible side of the die under face j.
 *  @param {FoundFace[]} faces @param {Point[]} fall @param {(i: number, j: number, share: number) => void} found */
export function overlapsWithSides(faces, fall, found) {
  const reaches = faces.map(({ quad, middle }) => Math.max(...quad.flatMap((at) => at.map((px, axis) => Math.abs(px - middle[axis])))));
  faces.forEach(({ quad, middle }, j) => {
    quad.forEach((start, edge) => {
      const end = quad[(edge + 1) % 4];
      const out = [0, 1].map((axis) => (start[axis] + end[axis]) / 2 - middle[axis]);
      if (out[0] * fall[j][0] + out[1] * fall[j][1] <= 0) return;
      const foot = (/** @type {Point} */ at) => [at[0] + fall[j][0], at[1] + fall[j][1]];
      const side = [end, start, foot(start), foot(end)];
      const itsMiddle = [0, 1].map((axis) => side.reduce((sum, at) => sum + at[axis], 0) / 4);
      faces.forEach((other, i) => {
        const away = Math.max(...itsMiddle.map((px, axis) => Math.abs(px - other.middle[axis])));
        if (i !== j && away < reaches[i] + reaches[j]) found(i, j, overBoth(other.quad, side));
      });
    });
  });
}
