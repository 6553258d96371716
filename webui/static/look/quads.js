/** Places on a photo: quads of px, the unit square of a board on them, and the cells of the board. */

import { sameCell } from "./draft.js";

/** Return the 3 x 3 matrix, row by row, from the unit square to a quad of px, clockwise from the top
 *  left (Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3).
 *  @param {Quad} quad */
function matrixOf([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / area;
  const h = (dx1 * sy - sx * dy1) / area;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  return [a, b, x0, d, e, y0, g, h, 1];
}

/** Return the map from the unit square to a quad of px.
 *  @param {Quad} quad */
export function fromUnitSquare(quad) {
  const [a, b, c, d, e, f, g, h] = matrixOf(quad);
  return (/** @type {number} */ u, /** @type {number} */ v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + c) / w, (d * u + e * v + f) / w];
  };
}

/** Return the map back, from px to the unit square.
 *  @param {Quad} quad */
export function toUnitSquare(quad) {
  const [a, b, c, d, e, f, g, h, i] = matrixOf(quad);
  // The adjugate of a matrix is its inverse but for a scale.
  const [A, B, C] = [e * i - f * h, c * h - b * i, b * f - c * e];
  const [D, E, F] = [f * g - d * i, a * i - c * g, c * d - a * f];
  const [G, H, I] = [d * h - e * g, b * g - a * h, a * e - b * d];
  return (/** @type {number} */ x, /** @type {number} */ y) => {
    const w = G * x + H * y + I;
    return [(A * x + B * y + C) / w, (D * x + E * y + F) / w];
  };
}

/** @typedef {{corners: Quad | null, cells: Printed[], loose?: boolean}} Lying
 *  @typedef {{rows: number, columns: number}} Grid */

/** Return the px corners of a cell of the board.
 *  @param {Quad} corners @param {number} rows @param {number} columns @param {Cell} cell */
function cellQuad(corners, rows, columns, cell) {
  const [row, column] = cell.map(Number);
  const at = fromUnitSquare(corners);
  const [top, left, bottom, right] = [row / rows, column / columns, (row + 1) / rows, (column + 1) / columns];
  return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
}

/** Return the cells of the board with their quads, px: from the server, or a grid's by its corners.
 *  @param {Lying} draft @param {Grid} grid @returns {Printed[]} */
export function printed({ corners, cells }, { rows, columns }) {
  if (cells.length || !corners) return cells;
  return Array.from({ length: rows * columns }, (_, place) => {
    const cell = [Math.floor(place / columns), place % columns];
    return { cell, quad: cellQuad(corners, rows, columns, cell) };
  });
}

/** Return the px corners of a cell of the board as it lies on the photo, or null.
 *  @param {Lying} draft @param {Grid} look @param {Cell | null} cell */
export function quadOf(draft, look, cell) {
  return (cell && printed(draft, look).find((one) => sameCell(one.cell, cell))?.quad) ?? null;
}

/** Return the cell of the board on which the middle of a quad lies, or null.
 *  @param {Lying} draft @param {Grid} look @param {Quad} quad */
export function cellUnder(draft, look, quad) {
  const [x, y] = center(quad);
  const over = (/** @type {Printed} */ { quad: ring }) =>
    ring.every(([x0, y0], place) => {
      const [x1, y1] = ring[(place + 1) % 4];
      return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0;
    });
  return draft.loose ? null : (printed(draft, look).find(over)?.cell ?? null);
}

/** Return the square [x, y, side, side] that shows a quad with its surroundings.
 *  @param {Quad} quad */
export function around(quad, share = 0.35) {
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) * (1 + 2 * share);
  const middle = (/** @type {number[]} */ values) => (Math.max(...values) + Math.min(...values)) / 2;
  return [middle(xs) - side / 2, middle(ys) - side / 2, side, side];
}

/** The middle of a quad.
 *  @param {Quad} quad */
export const center = (quad) => [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis], 0) / 4);

/** A quad drawn in by a share of the way to its middle.
 *  @param {Quad} quad */
export function inset(quad, share = 0.18) {
  const [x, y] = center(quad);
  return quad.map(([px, py]) => [px + (x - px) * share, py + (y - py) * share]);
}
