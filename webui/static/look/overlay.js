/** The photo with every piece outlined and its reading on it: the editor of what was read.
 *
 *  Which part is shown, and where a tag stands so that it covers no other die, the server tells
 *  (webui/eyes/views.py). Each piece is a button (pieces.js): one is reached by Tab, the others by the arrow keys.
 */

import { all, svg, targetOf } from "../page/dom.js";
import { marginsOf } from "./margins.js";
import { quadOfDie } from "./pieces.js";
import { center } from "./quads.js";

/** @typedef {import("./look.js").Look} Look */

/** @typedef {import("./draft.js").Draft} Draft
 *  @typedef {import("./pieces.js").Shown} Shown
 *  @typedef {{box: number[], to?: Point} | null} Tag null: its piece lies outside this view
 *  @typedef {{frame: number[], unit: number, letters: Record<string, string>, tags: Record<string, Tag>}} PhotoView */

const TAG = 24; // CSS px; the height of a tag that has no place from the server
/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2; // how much more a px to the side of an arrow's way counts than one along it

/** Return the view to draw: the part with the pieces, or the last one, which is the whole photo.
 *  @param {Draft} draft @param {boolean} whole @returns {PhotoView} */
function viewOf(draft, whole) {
  const { photo, views } = /** @type {{photo: DraftPhoto, views: any[]}} */ (draft);
  const { frame = [0, 0, photo.width, photo.height], unit = photo.width / 328, letters = {}, tags = {} } =
    (whole || !nearEnough(draft) ? views.at(-1) : views[0]) ?? {}; // a draft kept by an older page has none
  return { frame, unit, letters, tags };
}

/** Whether the part with the board has all that counts: loose dice may lie outside.
 *  @param {Draft} draft */
export function nearEnough({ views, counted }) {
  const [left, top, width, height] = views[0]?.frame ?? [];
  const quads = [...counted.dice, ...counted.tiles].flatMap(({ quad }) => (quad ? [center(quad)] : []));
  return views.length > 1 && quads.every(([x, y]) => x > left && x < left + width && y > top && y < top + height);
}

/** Draw the photo and the `pieces` of a look on it.
 *  @param {SVGSVGElement} overlay @param {Look} look @param {Shown[]} pieces */
export function drawOverlay(overlay, look, pieces) {
  const draft = /** @type {Draft & {photo: DraftPhoto}} */ (look.draft);
  const view = viewOf(draft, look.whole);
  const margins = marginsOf(look, view, pieces);
  look.view.zoom.within(margins.frame);
  overlay.style.aspectRatio = `${margins.frame[2]} / ${margins.frame[3]}`;
  const focused = /** @type {HTMLElement | null | undefined} */ (document.activeElement?.closest?.("#overlay [data-key]"))?.dataset.key;
  const lines = svg("g", { class: "lines" }); // below all tags, so that none is crossed out
  const reached = pieces.find(({ key }) => key === focused) ?? pieces.find(({ doubt }) => doubt) ?? pieces[0];
  const drawn = pieces.map((piece) => button(piece, piece === reached, shapes(look, view, piece, lines)));
  const board = draft.corners && draft.cells.length ? [border(draft.corners, "whole-board")] : [];
  const unread = draft.unread.map((quad) => border(quad, "unread")); // the warnings say what they are
  const image = svg("image", { href: draft.photo.href, width: draft.photo.width, height: draft.photo.height });
  overlay.replaceChildren(image, ...board, ...unread, lines, ...drawn, .../** @type {SVGElement[]} */ (margins.drawn));
  if (focused !== undefined) buttonOf(overlay, reached?.key)?.focus({ preventScroll: true });
}

/** @param {Element} overlay @param {string | undefined} key @returns {HTMLElement | null} */
export const buttonOf = (overlay, key) => overlay.querySelector(`[data-key="${key}"]`);

/** @param {Shown} piece @param {boolean} reached @param {SVGElement[]} shapes */
function button({ key, name, kind: lies = "", doubt, offence, press }, reached, shapes) {
  const kind = `piece ${lies} ${doubt ? "doubtful" : ""} ${offence ? "offence" : ""}`;
  const pressed = { click: press, "data-key": key, "aria-label": name };
  return svg("g", { class: kind, role: "button", tabindex: reached ? "0" : "-1", ...pressed }, shapes);
}

/** The outlines and tags of a piece: of each die on a cell, or of the cell where none lies.
 *  @param {Look} look @param {PhotoView} view @param {Shown} piece @param {SVGElement} lines */
function shapes(look, view, { dice, tile, mark, cell, quad, doubt, offence, maybe }, lines) {
  const { letters, tags, unit } = view;
  const label = (/** @type {Tag} */ at, /** @type {string} */ text, /** @type {string} */ colour) => {
    if (!at) return null; // its piece lies outside this view
    lines.append(...lead(at));
    return tag(at, text, colour);
  };
  const forbidden = offence ? "!" : ""; // the difference does not hang on colour
  const placed = (/** @type {any} */ ring) => (tags[ring] === undefined ? inside(ring, unit) : tags[ring]);
  if (mark) return [outline(quad, offence ? sign(quad, "!") : doubt ? sign(quad, "?") : null)];
  if (tile) return [outline(quad, label(placed(quad), tileText(tile) + forbidden, "white"))];
  if (maybe) return [outline(quad, label(tags[String(quad)], "?", ""))];
  if (!dice.length) return [outline(quad)];
  const place = cell && offence ? [border(quad, "place")] : [];
  const dieTag = (/** @type {Die} */ die, /** @type {any} */ ring) => {
    const text = [die.value, letters[die.colour]].filter(Boolean).join(" ") + (die.doubt ? "?" : "") + forbidden;
    return outline(ring, label(placed(ring), text, die.colour));
  };
  return [...place, ...dice.map((die) => dieTag(die, quadOfDie(look, die)))];
}

/** Walk to the nearest piece on the way of an arrow key.
 *  @param {Element} overlay @param {Shown[]} pieces @param {KeyboardEvent} event */
export function walk(overlay, pieces, event) {
  const step = STEPS[event.key];
  const from = step && pieces.find(({ key }) => key === /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-key]"))?.dataset.key);
  if (!from) return;
  event.preventDefault();
  const far = (/** @type {Shown} */ { at }) => {
    const [x, y] = [at[0] - from.at[0], at[1] - from.at[1]];
    const along = x * step[0] + y * step[1];
    const aside = Math.abs(x * step[1]) + Math.abs(y * step[0]);
    return along > 0 && along >= aside / ASIDE ? along + ASIDE * aside : Infinity;
  };
  const [next] = pieces.filter((piece) => piece !== from && far(piece) < Infinity).sort((a, b) => far(a) - far(b));
  if (!next) return;
  for (const one of all(overlay, "[data-key]")) one.setAttribute("tabindex", one.dataset.key === next.key ? "0" : "-1");
  buttonOf(overlay, next.key)?.focus({ preventScroll: true });
}

/** "6-4", and on what height from the second level on: "6-4 L2" (webui/eyes/views.py).
 *  @param {Tile} tile */
const tileText = ({ halves, level, doubt }) => `${halves.join("-")}${Number(level) > 1 ? ` L${level}` : ""}${doubt ? "?" : ""}`;

/** A "?" or "!" in the upper right corner of a mark's own cell, so that no other is covered.
 *  @param {Quad} quad @param {string} text */
function sign(quad, text) {
  const [x, y] = quad[1];
  const side = 0.45 * Math.hypot(quad[0][0] - x, quad[0][1] - y);
  const [mx, my] = center(quad);
  const [px, py] = [x + 0.28 * (mx - x), y + 0.28 * (my - y)];
  return tag({ box: [px - side / 2, py - side / 2, side, side] }, text, "");
}

/** What can be pressed, with its label.
 *  @param {Quad} quad @param {SVGElement | null} label */
const outline = (quad, label = null) => svg("g", {}, polygons(quad, "under", "edge", "hit"), label ?? []);

/** What is only shown.
 *  @param {Quad} quad @param {string} kind */
const border = (quad, kind) => svg("g", { class: kind }, polygons(quad, "under", "edge"));

/** @param {Quad} quad @param {string[]} kinds */
function polygons(quad, ...kinds) {
  const points = quad.map((point) => point.join(",")).join(" ");
  return kinds.map((kind) => svg("polygon", { class: kind, points }));
}

/** The line from a tag to its die.
 *  @param {any} tag */
function lead({ box: [left, top, width, height], to: [x, y] }) {
  const ends = { x1: left + width / 2, y1: top + height / 2, x2: x, y2: y };
  return ["under", "edge"].map((kind) => svg("line", { class: kind, ...ends }));
}

/** @param {any} place @param {string} text @param {string} colour */
function tag({ box: [x, y, width, height] }, text, colour) {
  return svg(
    "g",
    { class: `die ${colour}` },
    svg("rect", { class: "tag", x, y, width, height, rx: height / 4 }),
    svg("text", { class: "word", x: x + width / 2, y: y + height / 2, "font-size": fitted(text, width, height) }, text),
  );
}

/** The size of a tag's text: the rules may have added to what the server made it for.
 *  @param {string} text @param {number} width @param {number} height */
const fitted = (text, width, height) => Math.min(0.68 * height, (0.95 * width) / (0.62 * text.length));

/** The middle of a cell, for a die that only a person has seen there.
 *  @param {Quad} quad @param {number} unit */
function inside(quad, unit) {
  const [x, y] = center(quad);
  const side = TAG * unit;
  return { box: [x - side / 2, y - side / 2, side, side], to: [x, y] };
}
