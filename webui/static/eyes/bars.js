/** See the bar between the halves of a domino, which its back has not: what vision/dominoes/bars.py computes. */

import { median } from "./calibration.js";
import { warped } from "./classifier.js";
import { outline } from "./pairs.js";

const REACH = 3; // px of the crop that are blended with each to both sides

/** Say whether a bar is seen between two halves.
 *  @param {import("./picture.js").Picture} picture @param {import("./pairs.js").Two} halves @param {EyesConstants} constants */
export function showsBar(picture, halves, { bars: { wide, high, soft, bar, next: [near, far], levels, times }, coarsest }) {
  const crop = warped(picture, [outline(halves)], { wide, high, edge: 0, coarsest });
  const shares = range(-REACH, REACH + 1).map((step) => Math.exp(-(step ** 2) / (2 * soft ** 2)));
  const all = shares.reduce((sum, share) => sum + share, 0) ** 2;
  const blended = (/** @type {number} */ at) => {
    const rows = shares.map((down, row) => shares.map((right, column) => down * right * crop[at + (row - REACH) * wide + column - REACH]));
    return (255 * rows.flat().reduce((sum, level) => sum + level, 0)) / all;
  };
  const rows = range(high >> 2, high - (high >> 2));
  const along = (/** @type {number} */ x) => [0, 1, 2].map((channel) => median(rows.map((y) => blended((channel * high + y) * wide + x))));
  const middle = wide >> 1;
  const body = [...range(middle - far, middle - near), ...range(middle + near, middle + far)].map(along);
  const level = [0, 1, 2].map((channel) => median(body.map((column) => column[channel])));
  const off = (/** @type {number[]} */ column) => Math.max(...column.map((own, channel) => Math.abs(own - level[channel])));
  const out = Math.max(...range(middle - bar, middle + bar).map(along).map(off));
  return out >= levels && out >= times * (1 + body.reduce((sum, column) => sum + off(column), 0) / body.length);
}

/** @param {number} from @param {number} to */
const range = (from, to) => Array.from({ length: to - from }, (_, k) => from + k);
