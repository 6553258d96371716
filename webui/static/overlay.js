/** The photo with every die outlined and its reading on it, and the empty cells to be tapped.
 *
 *  Which part is shown, and where a tag stands so that it covers no other die, the server tells
 *  (vision/views.py).
 */

import { svg } from "./dom.js";

const TAG = 24; // CSS px; the height of a tag that has no place from the server

/** Return the map from the unit square to a quad of px, clockwise from the top left
 *  (Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3). */
export function fromUnitSquare([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / area;
  const h = (dx1 * sy - sx * dy1) / area;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
}

/** Return the px corners of a cell of the board. */
export function cellQuad(corners, rows, columns, [row, column]) {
  const at = fromUnitSquare(corners);
  const [top, left, bottom, right] = [row / rows, column / columns, (row + 1) / rows, (column + 1) / columns];
  return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
}

/** Return the cell of the board on which the middle of a quad lies, or null. */
export function cellUnder(corners, rows, columns, quad) {
  const [x, y] = center(quad);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const ring = cellQuad(corners, rows, columns, [row, column]);
      const inside = ring.every(([x0, y0], place) => {
        const [x1, y1] = ring[(place + 1) % 4];
        return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0;
      });
      if (inside) return [row, column];
    }
  return null;
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
export function unanswered(draft, { rows, columns }) {
  return draft.perhaps.filter((quad) => {
    const cell = draft.corners && cellUnder(draft.corners, rows, columns, quad);
    return !cell || !draft.on(cell).length;
  });
}

/** Draw the photo and `draft` on it; `tap(cell, die)` hears which die or empty cell was tapped,
 *  `look(quad)` which place where another die may lie. */
export function drawOverlay(overlay, draft, { rows, columns, whole }, tap, look) {
  const { frame, unit, letters, tags } = viewOf(draft, whole);
  overlay.setAttribute("viewBox", frame.join(" "));
  overlay.style.aspectRatio = `${frame[2]} / ${frame[3]}`;
  const { photo } = draft;
  const lines = svg("g", { class: "lines" }); // below all tags, so that none is crossed out
  const label = (at, text, colour) => {
    if (!at) return null; // its die lies outside this view
    lines.append(...lead(at));
    return tag(at, text, colour);
  };
  const pieces = [];
  if (draft.corners)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        if (!draft.on([row, column]).length) {
          const quad = cellQuad(draft.corners, rows, columns, [row, column]);
          pieces.push(outline(quad, "empty", () => tap([row, column], null)));
        }
  for (const die of draft.dice) {
    const quad = die.quad ?? (draft.corners && die.cell && inset(cellQuad(draft.corners, rows, columns, die.cell)));
    if (!quad) continue;
    const kind = `${die.doubt ? "doubtful" : ""} ${die.cell || draft.pool ? "" : "beside"}`;
    const text = [die.value, letters[die.colour]].filter(Boolean).join(" ") + (die.doubt ? "?" : "");
    const at = tags[quad] === undefined ? inside(quad, unit) : tags[quad];
    pieces.push(outline(quad, kind, () => tap(die.cell, die), label(at, text, die.colour)));
  }
  for (const quad of unanswered(draft, { rows, columns }))
    pieces.push(outline(quad, "doubtful", () => look(quad), label(tags[quad], "?", "")));
  const image = svg("image", { href: photo.href, width: photo.width, height: photo.height });
  overlay.replaceChildren(image, lines, ...pieces);
}

function outline(quad, kind, click, label = null) {
  const points = quad.map((point) => point.join(",")).join(" ");
  return svg(
    "g",
    { class: kind, click },
    svg("polygon", { class: "under", points }),
    svg("polygon", { class: "edge", points }),
    svg("polygon", { class: "hit", points }),
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
    svg("text", { class: "word", x: x + width / 2, y: y + height / 2, "font-size": 0.68 * height }, text),
  );
}

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
