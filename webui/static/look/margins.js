/** The sum of each line that would count, at its end on the photo.
 *
 *  None covers a piece, a tag or another sum: what finds no free place is left out, and is said beside the photo.
 */

import { shape, svg } from "../page/dom.js";
import { quadOfDie } from "./pieces.js";
import { center } from "./quads.js";

/** @typedef {import("./look.js").Look} Look */

/** @typedef {import("./pieces.js").Shown} Shown
 *  @typedef {import("./overlay.js").PhotoView} PhotoView
 *  @typedef {{pips: number, seat: number | null, place: (way: number) => Point}} Line
 *  @typedef {number[]} Box x, y, width, height */

const SUM = [42, 20]; // CSS px on a photo of a phone
const WAYS = [0.85, 1.1, 1.4, 0.62]; // of the way from die to die that a sum stands past the last one

/** Return the frame with room for the sums, and the sums to draw on the photo.
 *  @param {Look} look @param {PhotoView} view @param {Shown[]} pieces */
export function marginsOf(look, { frame, unit, tags }, pieces) {
  const lines = linesOf(look);
  const [photo, room] = [/** @type {DraftPhoto} */ (look.draft.photo), [SUM[0] * unit, SUM[1] * unit]];
  const wide = lines.length && !look.whole ? widened(frame, lines.map((line) => line.place(WAYS[0])), room, photo) : frame;
  const taken = boxesOf(tags, pieces, look);
  const fits = (/** @type {Box} */ box) => within(box, wide) && !taken.some((other) => overlap(box, other));
  return { frame: wide, drawn: lines.map((line) => sum(line, room, wide, fits, taken)).filter(Boolean) };
}

/** The lines that confirming would count, each {pips, seat, place(way)}; none unless all their dice are on the photo.
 *  @param {Look} look @returns {Line[]} */
function linesOf(look) {
  const { preview, moves = [] } = look.sending.proposal ?? {};
  if (look.kind !== "grid" || !moves.length || look.sending.waiting) return [];
  return (preview?.because[0]?.lines ?? []).flatMap((/** @type {{cells: Cell[] | null, seat: number | null}} */ { cells, seat }) => {
    const dice = (cells ?? []).map((cell) => look.draft.on(cell)[0]);
    const quads = dice.map((die) => die && quadOfDie(look, die));
    if (quads.length < 2 || !quads.every(Boolean)) return [];
    const [[x0, y0], [x1, y1]] = [center(/** @type {Quad} */ (quads[0])), center(/** @type {Quad} */ (quads.at(-1)))];
    const steps = quads.length - 1;
    const place = (/** @type {number} */ way) => [x1 + (way * (x1 - x0)) / steps, y1 + (way * (y1 - y0)) / steps];
    return [{ pips: dice.reduce((all, { value }) => all + value, 0), seat, place }];
  });
}

/** @param {Box} frame @param {Point[]} places @param {Point} room @param {DraftPhoto} photo @returns {Box} */
function widened([left, top, width, height], places, [wide, high], photo) {
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
  const [west, north] = [Math.max(0, Math.min(left, ...xs.map((x) => x - wide * 0.6))), Math.max(0, Math.min(top, ...ys.map((y) => y - high * 0.7)))];
  const east = Math.min(photo.width, Math.max(left + width, ...xs.map((x) => x + wide * 0.6)));
  const south = Math.min(photo.height, Math.max(top + height, ...ys.map((y) => y + high * 0.7)));
  return [west, north, east - west, south - north];
}

/** @param {Line} line @param {Point} room @param {Box} frame @param {(box: Box) => boolean} fits @param {Box[]} taken */
function sum({ pips, seat, place }, [wide, high], frame, fits, taken) {
  const boxes = WAYS.map((way) => kept([place(way)[0] - wide / 2, place(way)[1] - high / 2, wide, high], frame));
  const box = boxes.find(fits);
  if (!box) return null;
  taken.push(box);
  const [x, y] = [box[0] + wide / 2, box[1] + high / 2];
  const mark = seat === null ? [] : svg("use", { href: `#mark-${shape(seat)}`, x: x - 0.41 * wide, y: y - 0.3 * high, width: 0.6 * high, height: 0.6 * high });
  const kind = `sum ${seat === null ? "" : `paper-${shape(seat)}`}`;
  return svg("g", { class: kind, "aria-hidden": "true" }, svg("rect", { x: box[0], y: box[1], width: wide, height: high, rx: high / 2 }), mark, svg("text", { x: x + 0.17 * wide, y, "font-size": 0.7 * high }, String(pips)));
}

/** The boxes of all pieces and tags that are drawn.
 *  @param {Record<string, any>} tags @param {Shown[]} pieces @param {Look} look @returns {Box[]} */
function boxesOf(tags, pieces, look) {
  const quads = /** @type {any[]} */ (pieces.flatMap(({ dice, tile, quad, maybe }) => (tile || maybe ? [quad] : dice.map((die) => quadOfDie(look, die)))));
  return [...quads.map((quad) => tags[quad]?.box).filter(Boolean), ...quads.map(boxAround)];
}

/** @param {Quad} quad @returns {Box} */
function boxAround(quad) {
  const [xs, ys] = [0, 1].map((axis) => quad.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** @param {Box} box @param {Box} frame @returns {Box} */
const kept = ([x, y, wide, high], [left, top, width, height]) => [Math.min(Math.max(x, left), left + width - wide), Math.min(Math.max(y, top), top + height - high), wide, high];
/** @param {Box} box @param {Box} frame */
const within = ([x, y, wide, high], [left, top, width, height]) => x >= left - 1 && y >= top - 1 && x + wide <= left + width + 1 && y + high <= top + height + 1;
/** @param {Box} a @param {Box} b */
const overlap = ([ax, ay, aw, ah], [bx, by, bw, bh]) => ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
