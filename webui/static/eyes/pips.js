/** Tell pips from other marks on a face by their shapes: what vision/faces/other_objects.py does. */

const WEIGHTS = [[-1, 1 / 4], [0, 1 / 2], [1, 1 / 4]];

/** @typedef {number[]} Mark places of connected px of a face, row by row
 *  @typedef {{away: Float32Array, side: number}} Contrast how far each px of a face is from the colour of its body */

/** Return the diameter of a disc with the area of the mark nearest to the middle of a face, as a share of the
 *  face's side; 0 without any.
 *  @param {Float32Array} crop (3, side, side) of the classifier's input @param {EyesConstants} constants */
export function sizeOfMark(crop, constants) {
  const { mark, side } = middleMark(crop, constants);
  return diameter(mark) / side;
}

/** Return how elongated that mark is: 1 for a disc, and without any.
 *  @param {Float32Array} crop @param {EyesConstants} constants */
export function spreadOfMark(crop, constants) {
  const { mark, side } = middleMark(crop, constants);
  return mark.length ? spread(mark, side) : 1;
}

/** Say whether any mark on a face is a disc, as pips are and digits are not; at its edge or small beside the largest it
 *  is no pip.
 *  @param {Float32Array} crop @param {EyesConstants} constants */
export function hasRoundMark(crop, constants) {
  const { speck, standsOut, ofFace, edge, ofLargest, disc } = constants.marks;
  const face = contrast(crop, constants);
  const side = face.side - 2 * edge;
  const away = Float32Array.from({ length: side * side }, (_, at) => face.away[(Math.floor(at / side) + edge) * face.side + (at % side) + edge]);
  const isInside = (/** @type {number} */ at) => [at % side, Math.floor(at / side)].every((px) => px > 0 && px < side - 1);
  const marks = marksOn({ away, side }, standsOut * percentile(away, ofFace)).filter((mark) => mark.length >= speck && mark.every(isInside));
  const largest = Math.max(...marks.map(({ length }) => length));
  return marks.some((mark) => mark.length >= ofLargest * largest && spread(mark, side) <= disc);
}

/** Return the mark nearest to the middle of a face, empty without any.
 *  @param {Float32Array} crop @param {EyesConstants} constants */
function middleMark(crop, constants) {
  const { middle: reach, contrast: percent, standsOut, speck } = constants.marks;
  const face = contrast(crop, constants);
  const { away, side } = face;
  const from = Math.floor(side / 2) - reach;
  const isInside = (/** @type {number} */ px) => from <= px && px < from + 2 * reach;
  const middle = away.filter((_, at) => isInside(at % side) && isInside(Math.floor(at / side)));
  const marks = marksOn(face, standsOut * percentile(middle, percent)).filter((mark) => mark.length >= speck);
  const off = (/** @type {Mark} */ mark) => Math.hypot(...axes(mark, side).map((places) => mean(places) - side / 2));
  return { mark: marks.reduce((best, one) => (best.length && off(best) <= off(one) ? best : one), /** @type {Mark} */ ([])), side };
}

/** @param {Mark} mark */
const diameter = (mark) => 2 * Math.sqrt(mark.length / Math.PI);

/** Return the diameter of a disc with the largest standard deviation of a mark's px, over that of a disc with its area.
 *  @param {Mark} mark @param {number} side */
function spread(mark, side) {
  const [x, y] = axes(mark, side).map((places) => places.map((place) => place - mean(places)));
  const [a, b, c] = [[x, x], [x, y], [y, y]].map(([one, other]) => one.reduce((sum, off, i) => sum + off * other[i], 0) / (mark.length - 1));
  return (4 * Math.sqrt((a + c) / 2 + Math.hypot((a - c) / 2, b))) / diameter(mark);
}

/** @param {Mark} mark @param {number} side */
const axes = (mark, side) => [mark.map((at) => at % side), mark.map((at) => Math.floor(at / side))];
/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** @param {Float32Array} crop @param {EyesConstants} constants @returns {Contrast} */
function contrast(crop, { side: whole, margin }) {
  const near = Math.round((whole * margin) / (1 + 2 * margin));
  const side = whole - 2 * near;
  const planes = [0, 1, 2].map((channel) => blurred(crop.subarray(channel * whole ** 2), whole, near, side));
  const bodies = planes.map((plane) => percentile(plane, 50));
  return { away: planes[0].map((_, at) => Math.max(...planes.map((plane, k) => Math.abs(plane[at] - bodies[k])))), side };
}

/** Return the grey levels of the face on one channel of a crop, each blended with its neighbours.
 *  @param {Float32Array} plane @param {number} whole @param {number} near @param {number} side */
function blurred(plane, whole, near, side) {
  return Float32Array.from({ length: side * side }, (_, at) => {
    const first = (Math.floor(at / side) + near) * whole + (at % side) + near;
    const rows = WEIGHTS.map(([row, high]) => WEIGHTS.map(([column, wide]) => high * wide * plane[first + row * whole + column]));
    return Math.round(255 * rows.flat().reduce((a, b) => a + b));
  });
}

/** @param {Float32Array} numbers @param {number} percent */
function percentile(numbers, percent) {
  const sorted = Float32Array.from(numbers).sort();
  const place = (percent / 100) * (sorted.length - 1);
  const low = Math.floor(place);
  return sorted[low] + (place - low) * (sorted[Math.ceil(place)] - sorted[low]);
}

/** Return the connected parts of what exceeds a limit.
 *  @param {Contrast} face @param {number} limit @returns {Mark[]} */
function marksOn({ away, side }, limit) {
  const open = Array.from(away, (level) => level > limit);
  const found = [];
  for (let start = open.indexOf(true); start >= 0; start = open.indexOf(true, start)) {
    const part = [start];
    open[start] = false;
    for (const at of part) // which grows
      for (const near of neighbours(at, side)) {
        if (open[near]) part.push(near);
        open[near] = false;
      }
    found.push(part);
  }
  return found;
}

/** @param {number} at @param {number} side */
function neighbours(at, side) {
  const steps = WEIGHTS.map(([step]) => step);
  const rows = steps.filter((row) => at + row * side >= 0 && at + row * side < side * side);
  const columns = steps.filter((column) => (at % side) + column >= 0 && (at % side) + column < side);
  return rows.flatMap((row) => columns.map((column) => at + row * side + column));
}
