/** The photo with every die outlined and its reading on it, and the empty cells to be tapped. */

import { svg } from "./dom.js";

const TAG = 12; // CSS px; half the height of a label on the photo

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

/** Return the part of the photo to show, [x, y, width, height]: the board, where it was found. */
export function frame({ photo, corners, dice }, whole) {
  if (whole || !corners) return [0, 0, photo.width, photo.height];
  const points = [corners, ...dice.filter((die) => die.cell && die.quad).map((die) => die.quad)].flat();
  const [x, y] = [points.map((point) => point[0]), points.map((point) => point[1])];
  const pad = 0.08 * Math.max(Math.max(...x) - Math.min(...x), Math.max(...y) - Math.min(...y));
  const [left, top] = [Math.max(Math.min(...x) - pad, 0), Math.max(Math.min(...y) - pad, 0)];
  const right = Math.min(Math.max(...x) + pad, photo.width);
  const bottom = Math.min(Math.max(...y) + pad, photo.height);
  return [left, top, right - left, bottom - top];
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
  const [x, y, width, height] = frame(draft, whole);
  overlay.setAttribute("viewBox", [x, y, width, height].join(" "));
  overlay.style.aspectRatio = `${width} / ${height}`;
  const box = overlay.getBoundingClientRect();
  const unit = Math.max(width / (box.width || width), height / (box.height || height)); // px a CSS px
  const { photo } = draft;
  const pieces = [svg("image", { href: photo.href, width: photo.width, height: photo.height })];
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
    const text = die.doubt ? `${die.value}?` : String(die.value);
    pieces.push(outline(quad, kind, () => tap(die.cell, die), tag(quad, text, die.colour, unit)));
  }
  for (const quad of unanswered(draft, { rows, columns }))
    pieces.push(outline(quad, "doubtful", () => look(quad), tag(quad, "?", "", unit)));
  overlay.replaceChildren(...pieces);
}

function outline(quad, kind, click, ...more) {
  const points = quad.map((point) => point.join(",")).join(" ");
  return svg(
    "g",
    { class: kind, click },
    svg("polygon", { class: "under", points }),
    svg("polygon", { class: "edge", points }),
    svg("polygon", { class: "hit", points }),
    ...more,
  );
}

function tag(quad, text, colour, unit) {
  const x = Math.max(...quad.map(([x]) => x));
  const y = Math.min(...quad.map(([, y]) => y));
  const [high, wide] = [TAG * unit, (text.length > 1 ? 1.25 : 0.9) * TAG * unit];
  return svg(
    "g",
    { class: `die ${colour}`, transform: `translate(${x} ${y})` },
    svg("rect", { class: "tag", x: -wide, y: -high, width: 2 * wide, height: 2 * high, rx: high / 2 }),
    svg("text", { class: "word", "font-size": 1.35 * TAG * unit }, text),
  );
}

const center = (quad) => [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis], 0) / 4);

function inset(quad, share = 0.18) {
  const [x, y] = center(quad);
  return quad.map(([px, py]) => [px + (x - px) * share, py + (y - py) * share]);
}
