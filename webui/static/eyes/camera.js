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

/** Return [re, im] of S of a face that points up, seen at a px by a camera, and its inverse depth.
 *  @param {Point} px @param {Camera} camera @param {Point} size @param {EyesConstants} constants */
function foreshortened([px, py], { lens, down }, [width, height], { level }) {
  const focal = lens * Math.max(width, height);
  const [x, y] = [(px - width / 2) / focal, (py - height / 2) / focal];
  const [a, b] = down;
  const depth = Math.max(x * a + y * b + down[2], level);
  const far = (x * x + y * y + 1) / depth ** 2;
  const xx = 1 - (2 * x * a) / depth + far * a * a;
  const yy = 1 - (2 * y * b) / depth + far * b * b;
  const xy = -(x * b + y * a) / depth + far * a * b;
  return { s: [(2 * (yy - xx)) / (xx + yy), (-4 * xy) / (xx + yy)], depth, at: [x, y] };
}

/** @param {Point} a @param {Point} b */
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Return for each face how far its S is from what it should be (NaN if unknown), the step in px from
 *  a top corner of the die under it to its foot, and its relative size on the picture.
 *  @param {FoundFace[]} faces @param {number[]} plain indices of faces that clearly point up; all look at it `among` these cameras
 *  @param {Point} size @param {Camera[]} among @param {EyesConstants} constants */
export function viewPrior(faces, plain, size, among, constants) {
  const s = faces.map(({ quad }) => flatness(quad));
  const errors = among.map((camera) =>
    plain.map((i) => {
      const should = foreshortened(faces[i].middle, camera, size, constants);
      return { s: should.s, off: should.depth <= constants.level ? constants.mostResidual : Math.min(apart(should.s, s[i]), constants.mostResidual) };
    }),
  );
  const totals = among.map(({ cost }, k) => errors[k].reduce((sum, { off }) => sum + off, cost));
  const best = among[lowest(totals)];
  const seats = faces.map(({ middle }) => foreshortened(middle, best, size, constants));
  const residual = seats.map((seat, i) => (plain.length ? apart(seat.s, s[i]) : NaN));
  plain.forEach((i, k) => {
    const others = lowest(totals.map((total, c) => total - errors[c][k].off));
    residual[i] = plain.length > 1 ? apart(errors[others][k].s, s[i]) : NaN;
  });
  const fall = seats.map(({ depth, at }, i) => [0, 1].map((axis) => ((best.down[axis] - best.down[2] * at[axis]) * faces[i].size) / Math.sqrt(depth)));
  return { residual, fall, scale: seats.map(({ depth }) => depth ** 1.5) };
}

/** @param {number[]} numbers */
const lowest = (numbers) => numbers.reduce((best, number, i) => (number < numbers[best] ? i : best), 0);

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
