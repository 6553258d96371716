/** The lines of a board's cells on the unit square, which a person drags to where they are printed.
 *
 *  Cells that end at one line share it; the outer lines are the board's own edges and stay.
 */

const SAME = 1e-3; // of the board's side: edges nearer than that are one line
const LEAST = 0.012; // of it: a cell is never smaller (vision/board_profile.py)

export class Lattice {
  /** @param {Quad[]} quads the cells' quads on the unit square, upright, in the order of the board */
  constructor(quads) {
    const spans = (/** @type {number} */ axis) => quads.map((quad) => [0, 2].map((corner) => quad[corner][axis]));
    const edges = (/** @type {number} */ axis) =>
      spans(axis).flat().sort((a, b) => a - b).filter((value, place, all) => !place || value - all[place - 1] > SAME);
    this.lines = [0, 1].map(edges); // upright ones by their x, level ones by their y
    const nearest = (/** @type {number} */ value, /** @type {number[]} */ lines) => lines.reduce((best, line, place) => (Math.abs(line - value) < Math.abs(lines[best] - value) ? place : best), 0);
    const sides = [0, 1].map((axis) => spans(axis).map((span) => span.map((value) => nearest(value, this.lines[axis]))));
    this.cells = quads.map((_, place) => [0, 1].map((axis) => sides[axis][place]));
    // Between two lines without a cell is a gap, which may close.
    this.gaps = [0, 1].map((axis) => this.lines[axis].map((_, place) => !sides[axis].some(([low, high]) => low <= place && place < high)));
  }

  /** The lines that can be dragged: [axis, place] each. */
  get inner() {
    return [0, 1].flatMap((axis) => this.lines[axis].slice(1, -1).map((_, place) => [axis, place + 1]));
  }

  /** @param {number} axis @param {number} place @param {number} value */
  move(axis, place, value) {
    const lines = this.lines[axis];
    const least = (/** @type {number} */ before) => (this.gaps[axis][before] ? 0 : LEAST);
    const [low, high] = [lines[place - 1] + least(place - 1), lines[place + 1] - least(place)];
    lines[place] = Math.min(Math.max(value, low), high);
  }

  /** The cells as left, top, right, bottom. */
  get boxes() {
    const [xs, ys] = this.lines;
    return this.cells.map(([[left, right], [top, bottom]]) => [xs[left], ys[top], xs[right], ys[bottom]]);
  }

  get quads() {
    return this.boxes.map(([left, top, right, bottom]) => [[left, top], [right, top], [right, bottom], [left, bottom]]);
  }
}

/** Return the quads of a track's places: so many in a row, every second row from the right if it turns.
 *  @param {number} count @param {number} across @param {boolean} turns @returns {Quad[]} */
export function trackCells(count, across, turns) {
  const rows = Math.ceil(count / across);
  return Array.from({ length: count }, (_, place) => {
    const row = Math.floor(place / across);
    const along = place % across;
    const column = turns && row % 2 ? across - 1 - along : along;
    return [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]].map(([x, y]) => [x / across, y / rows]);
  });
}
