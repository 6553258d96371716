/** The photo with every piece outlined and its reading on it, and the cells of the board to be tapped.
 *
 *  Which part is shown, and where a tag stands so that it covers no other die, the server tells
 *  (vision/views.py).
 */

import { svg } from "./dom.js";
import { sameCell } from "./draft.js";

const TAG = 24; // CSS px; the height of a tag that has no place from the server

/** Return the 3 x 3 matrix, row by row, from the unit square to a quad of px, clockwise from the top
 *  left (Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3). */
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

/** Return the map from the unit square to a quad of px. */
export function fromUnitSquare(quad) {
  const [a, b, c, d, e, f, g, h] = matrixOf(quad);
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + c) / w, (d * u + e * v + f) / w];
  };
}

/** Return the map back, from px to the unit square. */
export function toUnitSquare(quad) {
  const [a, b, c, d, e, f, g, h, i] = matrixOf(quad);
  // The adjugate of a matrix is its inverse but for a scale.
  const [A, B, C] = [e * i - f * h, c * h - b * i, b * f - c * e];
  const [D, E, F] = [f * g - d * i, a * i - c * g, c * d - a * f];
  const [G, H, I] = [d * h - e * g, b * g - a * h, a * e - b * d];
  return (x, y) => {
    const w = G * x + H * y + I;
    return [(A * x + B * y + C) / w, (D * x + E * y + F) / w];
  };
}

/** Return the px corners of a cell of the board. */
export function cellQuad(corners, rows, columns, [row, column]) {
  const at = fromUnitSquare(corners);
  const [top, left, bottom, right] = [row / rows, column / columns, (row + 1) / rows, (column + 1) / columns];
  return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
}

/** Return the cells of the board with their quads, px: told by the server, or a grid's by its corners. */
function printed({ corners, cells }, { rows, columns }) {
  if (cells.length || !corners) return cells;
  return Array.from({ length: rows * columns }, (_, place) => {
    const cell = [Math.floor(place / columns), place % columns];
    return { cell, quad: cellQuad(corners, rows, columns, cell) };
  });
}

/** Return the px corners of a cell of the board as it lies on the photo, or null. */
export function quadOf(draft, look, cell) {
  return (cell && printed(draft, look).find((one) => sameCell(one.cell, cell))?.quad) ?? null;
}

/** Return the cell of the board on which the middle of a quad lies, or null. */
export function cellUnder(draft, look, quad) {
  const [x, y] = center(quad);
  const over = ({ quad: ring }) =>
    ring.every(([x0, y0], place) => {
      const [x1, y1] = ring[(place + 1) % 4];
      return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0;
    });
  return draft.loose ? null : (printed(draft, look).find(over)?.cell ?? null);
}

/** Return the square [x, y, side, side] that shows a quad with its surroundings. */
export function around(quad, share = 0.35) {
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) * (1 + 2 * share);
  const middle = (values) => (Math.max(...values) + Math.min(...values)) / 2;
  return [middle(xs) - side / 2, middle(ys) - side / 2, side, side];
}

/** Return the view to draw: the part with the pieces, or the last one, which is the whole photo. */
function viewOf({ photo, views }, whole) {
  const { frame = [0, 0, photo.width, photo.height], unit = photo.width / 328, letters = {}, tags = {} } =
    (whole ? views.at(-1) : views[0]) ?? {}; // a draft kept by an older page has none
  return { frame, unit, letters, tags };
}

/** Return the places where another die may lie and nobody has said what does. */
export function unanswered(draft, look) {
  return draft.perhaps.filter((quad) => {
    const cell = cellUnder(draft, look, quad);
    return !cell || !draft.on(cell).length;
  });
}

/** Draw the photo and `draft` on it; `taps` hear which die, empty cell, tile, mark, or place where
 *  another die may lie was tapped. `offences` are the pieces that the rules forbid. */
export function drawOverlay(overlay, draft, look, offences, taps) {
  const { frame, unit, letters, tags } = viewOf(draft, look.whole);
  overlay.setAttribute("viewBox", frame.join(" "));
  overlay.style.aspectRatio = `${frame[2]} / ${frame[3]}`;
  const { photo } = draft;
  const lines = svg("g", { class: "lines" }); // below all tags, so that none is crossed out
  const label = (at, text, colour) => {
    if (!at) return null; // its piece lies outside this view
    lines.append(...lead(at));
    return tag(at, text, colour);
  };
  const kindOf = (piece, more = "") => `${piece.doubt ? "doubtful" : ""} ${offences.has(piece) ? "offence" : ""} ${more}`;
  const forbidden = (piece) => (offences.has(piece) ? "!" : ""); // the difference does not hang on colour
  const pieces = [];
  if (draft.corners && draft.cells.length) pieces.push(outline(draft.corners, "whole-board", null));
  for (const { cell, quad } of draft.loose ? [] : printed(draft, look))
    if (!draft.on(cell).length) pieces.push(outline(quad, `empty ${draft.cells.length ? "printed" : ""}`, () => taps.cell(cell, null)));
  for (const mark of draft.marks)
    if (mark.quad) pieces.push(outline(mark.quad, kindOf(mark, `mark ${mark.mark}`), () => taps.mark(mark), offences.has(mark) ? sign(mark.quad, "!") : mark.doubt ? sign(mark.quad, "?") : null));
  for (const tile of draft.tiles)
    if (tile.quad) {
      const at = tags[tile.quad] === undefined ? inside(tile.quad, unit) : tags[tile.quad];
      pieces.push(outline(tile.quad, kindOf(tile, tile.cells ? "" : "beside"), () => taps.tile(tile), label(at, tileText(tile) + forbidden(tile), "white")));
    }
  for (const die of draft.dice) {
    const place = quadOf(draft, look, die.cell);
    const quad = die.quad ?? (place && inset(place));
    if (!quad) continue;
    const text = [die.value, letters[die.colour]].filter(Boolean).join(" ") + (die.doubt ? "?" : "") + forbidden(die);
    const at = tags[quad] === undefined ? inside(quad, unit) : tags[quad];
    const kind = kindOf(die, die.cell || draft.loose ? "" : "beside");
    pieces.push(outline(quad, kind, () => taps.cell(die.cell, die), label(at, text, die.colour)));
  }
  for (const quad of unanswered(draft, look))
    pieces.push(outline(quad, "doubtful", () => taps.perhaps(quad), label(tags[quad], "?", "")));
  const image = svg("image", { href: photo.href, width: photo.width, height: photo.height });
  overlay.replaceChildren(image, lines, ...pieces);
}

/** "6-4", and on what height from the second level on: "6-4 L2" (vision/views.py). */
const tileText = ({ halves, level, doubt }) => `${halves.join("-")}${level > 1 ? ` L${level}` : ""}${doubt ? "?" : ""}`;

/** A "?" or "!" in the upper right corner of a mark's own cell, so that no other is covered. */
function sign(quad, text) {
  const [x, y] = quad[1];
  const side = 0.45 * Math.hypot(quad[0][0] - x, quad[0][1] - y);
  const [mx, my] = center(quad);
  const [px, py] = [x + 0.28 * (mx - x), y + 0.28 * (my - y)];
  return tag({ box: [px - side / 2, py - side / 2, side, side] }, text, "");
}

function outline(quad, kind, click, label = null) {
  const points = quad.map((point) => point.join(",")).join(" ");
  return svg(
    "g",
    { class: kind, ...(click && { click }) },
    svg("polygon", { class: "under", points }),
    svg("polygon", { class: "edge", points }),
    click && svg("polygon", { class: "hit", points }),
    label ?? [],
  );
}

/** The line from a tag to its die. */
function lead({ box: [left, top, width, height], to: [x, y] }) {
  const ends = { x1: left + width / 2, y1: top + height / 2, x2: x, y2: y };
  return ["under", "edge"].map((kind) => svg("line", { class: kind, ...ends }));
}

function tag({ box: [x, y, width, height] }, text, colour) {
  return svg(
    "g",
    { class: `die ${colour}` },
    svg("rect", { class: "tag", x, y, width, height, rx: height / 4 }),
    svg("text", { class: "word", x: x + width / 2, y: y + height / 2, "font-size": fitted(text, width, height) }, text),
  );
}

/** The size of a tag's text: the rules may have added to what the server made it for. */
const fitted = (text, width, height) => Math.min(0.68 * height, (0.95 * width) / (0.62 * text.length));

/** The middle of a cell, for a die that only a person has seen there. */
function inside(quad, unit) {
  const [x, y] = center(quad);
  const side = TAG * unit;
  return { box: [x - side / 2, y - side / 2, side, side], to: [x, y] };
}

const center = (quad) => [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis], 0) / 4);

function inset(quad, share = 0.18) {
  const [x, y] = center(quad);
  return quad.map(([px, py]) => [px + (x - px) * share, py + (y - py) * share]);
}
