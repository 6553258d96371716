/** Tell a tray with a thing on it from the one of a die that fills the picture: vision/faces/pips.py. */

const WEIGHTS = [[-1, 1 / 4], [0, 1 / 2], [1, 1 / 4]];

/** Return the diameter of a disc with the area of the mark nearest to the middle of a face, as a share of the
 *  face's side; 0 without any.
 *  @param {Float32Array} crop (3, side, side) of the classifier's input @param {EyesConstants} constants */
export function sizeOfMark(crop, { side: whole, margin, markMiddle, markContrast, markStandsOut, markSpeck }) {
  const near = Math.round((whole * margin) / (1 + 2 * margin));
  const side = whole - 2 * near;
  const planes = [0, 1, 2].map((channel) => blurred(crop.subarray(channel * whole ** 2), whole, near, side));
  const bodies = planes.map((plane) => percentile(plane, 50));
  const away = planes[0].map((_, at) => Math.max(...planes.map((plane, k) => Math.abs(plane[at] - bodies[k]))));
  const from = Math.floor(side / 2) - markMiddle;
  const isInside = (/** @type {number} */ px) => from <= px && px < from + 2 * markMiddle;
  const middle = away.filter((_, at) => isInside(at % side) && isInside(Math.floor(at / side)));
  const limit = markStandsOut * percentile(middle, markContrast);
  const marks = parts(away, side, limit).filter(({ area }) => area >= markSpeck);
  const nearest = marks.reduce((best, one) => (one.off < best.off ? one : best), { area: 0, off: Infinity });
  return (2 * Math.sqrt(nearest.area / Math.PI)) / side;
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

/** Return the area of each connected part of what exceeds a limit, and how far off the middle of the face it is.
 *  @param {Float32Array} away @param {number} side @param {number} limit */
function parts(away, side, limit) {
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
    const axes = [(/** @type {number} */ at) => at % side, (/** @type {number} */ at) => Math.floor(at / side)];
    const middle = axes.map((axis) => part.reduce((sum, at) => sum + axis(at), 0) / part.length);
    found.push({ area: part.length, off: Math.hypot(...middle.map((px) => px - side / 2)) });
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
