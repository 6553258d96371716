/** The part of a photo that is enough for the server, where this browser is sure of all that is wanted. */

import { kindOf } from "./draft.js";

const MARGIN = 1; // sides of a face that are left around all of them; `make bench-sending`
const WORTH = 0.7; // of the photo's px that a part has at most, or all is sent

/** Say whether all that a photo is to show are so many dice; colours are judged by the light of all of it.
 *  @param {Equipment} equipment */
export const mayBePart = (equipment) =>
  kindOf(equipment) === "pool" && Number(equipment.dice) > 0 && !equipment.places.length && !Object.keys(equipment.colours ?? {}).length;

/** Return left, top, right and bottom of that part of a photo of such sides, or null where all of it is wanted.
 *  @param {Pick<Sight, "faces" | "perhaps"> & {width: number, height: number}} sight what this browser sees on it
 *  @param {Equipment} equipment @param {{width: number, height: number}} photo */
export function partOf({ faces, perhaps, width: wide, height: high }, { dice }, { width, height }) {
  if (faces.length !== dice || !faces.every(({ sure }) => sure)) return null;
  const corners = faces.flatMap(({ quad }) => quad);
  const margin = MARGIN * Math.max(...faces.map(({ size }) => size));
  const reach = (/** @type {number} */ axis) => [Math.min, Math.max].map((most, end) => most(...corners.map((at) => at[axis])) + (2 * end - 1) * margin);
  const [[left, right], [top, bottom]] = [reach(0), reach(1)];
  const outside = (/** @type {Point} */ [x, y]) => x < left || x > right || y < top || y > bottom;
  if (perhaps.some((quad) => quad.some(outside))) return null;
  const [sideways, down] = [width / wide, height / high]; // px of the photo per px of what was looked at
  const box = [Math.max(0, Math.floor(left * sideways)), Math.max(0, Math.floor(top * down)), Math.min(width, Math.ceil(right * sideways)), Math.min(height, Math.ceil(bottom * down))];
  return (box[2] - box[0]) * (box[3] - box[1]) <= WORTH * width * height ? box : null;
}
