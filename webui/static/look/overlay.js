/** The photo with every piece outlined and its reading on it: the editor of what was read.
 *
 *  Which part is shown, and where a tag stands so that it covers no other die, the server tells
 *  (webui/eyes/views.py). Each piece is a button (pieces.js): one is reached by Tab, the others by the arrow keys.
 */

import { svg } from "../page/dom.js";
import { marginsOf } from "./margins.js";
import { quadOfDie } from "./pieces.js";
import { center } from "./quads.js";

const TAG = 24; // CSS px; the height of a tag that has no place from the server
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2; // how much more a px to the side of an arrow's way counts than one along it

/** Return the view to draw: the part with the pieces, or the last one, which is the whole photo. */
function viewOf(draft, whole) {
  const { photo, views } = draft;
  const { frame = [0, 0, photo.width, photo.height], unit = photo.width / 328, letters = {}, tags = {} } =
    (whole || !nearEnough(draft) ? views.at(-1) : views[0]) ?? {}; // a draft kept by an older page has none
  return { frame, unit, letters, tags };
}

/** Whether the part with the board has all that counts: loose dice may lie outside. */
export function nearEnough({ views, counted }) {
  const [left, top, width, height] = views[0]?.frame ?? [];
  const quads = [...counted.dice, ...counted.tiles].flatMap(({ quad }) => (quad ? [center(quad)] : []));
  return views.length > 1 && quads.every(([x, y]) => x > left && x < left + width && y > top && y < top + height);
}

/** Draw the photo and the `pieces` of a look on it. */
export function drawOverlay(overlay, look, pieces) {
  const { draft } = look;
  const view = viewOf(draft, look.whole);
  const margins = marginsOf(look, view, pieces);
  look.view.zoom.within(margins.frame);
  overlay.style.aspectRatio = `${margins.frame[2]} / ${margins.frame[3]}`;
  const focused = document.activeElement?.closest?.("#overlay [data-key]")?.dataset.key;
  const lines = svg("g", { class: "lines" }); // below all tags, so that none is crossed out
  const reached = pieces.find(({ key }) => key === focused) ?? pieces.find(({ doubt }) => doubt) ?? pieces[0];
  const drawn = pieces.map((piece) => button(piece, piece === reached, shapes(look, view, piece, lines)));
  const board = draft.corners && draft.cells.length ? [border(draft.corners, "whole-board")] : [];
  const image = svg("image", { href: draft.photo.href, width: draft.photo.width, height: draft.photo.height });
  overlay.replaceChildren(image, ...board, lines, ...drawn, ...margins.drawn);
  if (focused !== undefined) buttonOf(overlay, reached?.key)?.focus({ preventScroll: true });
}

export const buttonOf = (overlay, key) => overlay.querySelector(`[data-key="${key}"]`);

function button({ key, name, kind: lies = "", doubt, offence, press }, reached, shapes) {
  const kind = `piece ${lies} ${doubt ? "doubtful" : ""} ${offence ? "offence" : ""}`;
  const pressed = { click: press, "data-key": key, "aria-label": name };
  return svg("g", { class: kind, role: "button", tabindex: reached ? "0" : "-1", ...pressed }, shapes);
}

/** The outlines and tags of a piece: of each die on a cell, or of the cell where none lies. */
function shapes(look, view, { dice, tile, mark, cell, quad, doubt, offence, maybe }, lines) {
  const { letters, tags, unit } = view;
  const label = (at, text, colour) => {
    if (!at) return null; // its piece lies outside this view
    lines.append(...lead(at));
    return tag(at, text, colour);
  };
  const forbidden = offence ? "!" : ""; // the difference does not hang on colour
  const placed = (ring) => (tags[ring] === undefined ? inside(ring, unit) : tags[ring]);
  if (mark) return [outline(quad, offence ? sign(quad, "!") : doubt ? sign(quad, "?") : null)];
  if (tile) return [outline(quad, label(placed(quad), tileText(tile) + forbidden, "white"))];
  if (maybe) return [outline(quad, label(tags[quad], "?", ""))];
  if (!dice.length) return [outline(quad)];
  const place = cell && offence ? [border(quad, "place")] : [];
  const dieTag = (die, ring) => {
    const text = [die.value, letters[die.colour]].filter(Boolean).join(" ") + (die.doubt ? "?" : "") + forbidden;
    return outline(ring, label(placed(ring), text, die.colour));
  };
  return [...place, ...dice.map((die) => dieTag(die, quadOfDie(look, die)))];
}

/** Walk to the nearest piece on the way of an arrow key. */
export function walk(overlay, pieces, event) {
  const step = STEPS[event.key];
  const from = step && pieces.find(({ key }) => key === event.target.closest("[data-key]")?.dataset.key);
  if (!from) return;
  event.preventDefault();
  const far = ({ at }) => {
    const [x, y] = [at[0] - from.at[0], at[1] - from.at[1]];
    const along = x * step[0] + y * step[1];
    const aside = Math.abs(x * step[1]) + Math.abs(y * step[0]);
    return along > 0 && along >= aside / ASIDE ? along + ASIDE * aside : Infinity;
  };
  const [next] = pieces.filter((piece) => piece !== from && far(piece) < Infinity).sort((a, b) => far(a) - far(b));
  if (!next) return;
  for (const one of overlay.querySelectorAll("[data-key]")) one.setAttribute("tabindex", one.dataset.key === next.key ? "0" : "-1");
  buttonOf(overlay, next.key).focus({ preventScroll: true });
}

/** "6-4", and on what height from the second level on: "6-4 L2" (webui/eyes/views.py). */
const tileText = ({ halves, level, doubt }) => `${halves.join("-")}${level > 1 ? ` L${level}` : ""}${doubt ? "?" : ""}`;

/** A "?" or "!" in the upper right corner of a mark's own cell, so that no other is covered. */
function sign(quad, text) {
  const [x, y] = quad[1];
  const side = 0.45 * Math.hypot(quad[0][0] - x, quad[0][1] - y);
  const [mx, my] = center(quad);
  const [px, py] = [x + 0.28 * (mx - x), y + 0.28 * (my - y)];
  return tag({ box: [px - side / 2, py - side / 2, side, side] }, text, "");
}

/** What can be pressed, with its label. */
const outline = (quad, label = null) => svg("g", {}, polygons(quad, "under", "edge", "hit"), label ?? []);

/** What is only shown. */
const border = (quad, kind) => svg("g", { class: kind }, polygons(quad, "under", "edge"));

function polygons(quad, ...kinds) {
  const points = quad.map((point) => point.join(",")).join(" ");
  return kinds.map((kind) => svg("polygon", { class: kind, points }));
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
