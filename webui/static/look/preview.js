/** What confirming the dice as shown would count: the lines or sentences, and who gains how much. */

import { byId, figure, html, mark, shape, svg } from "../page/dom.js";
import { signed } from "./scores.js";
import { upper } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

/** @typedef {{seat: number | null, text: string, cells: Cell[]}} Line */

/** @param {any} proposal what the rules answered, or null @param {Look} look whose draft it is about */
export function drawPreview(proposal, look) {
  const { score } = look.table; // what is earned so far
  const preview = proposal?.preview;
  const gains = (look.draft.replaces ? null : preview?.earned.map((/** @type {number} */ points, /** @type {number} */ seat) => points - score[seat])) ?? [];
  const paid = gains.some(Boolean) && proposal.moves.length > 0;
  // On a grid the dice are plain to see, and what counts are its lines; all else is said in words.
  const grid = look.kind === "grid";
  const means = grid ? [] : (preview?.text ?? []);
  const part = paid || grid ? preview?.because[0] : null;
  // Above the button of a phone, whose photo pushes the sentence below the fold.
  byId("confirm-says").textContent = look.draft.photo && !paid && means.length === 1 ? upper(means[0]) : "";
  byId("preview").replaceChildren(
    ...(paid ? [drawGains(gains, look.table)] : []),
    ...means.map((/** @type {string} */ line) => html("p", { class: "sentence" }, upper(line))),
    ...(part ? [html("h2", {}, upper(part.part)), drawLines(part.lines, look)] : []),
  );
}

/** What each seat gains, and its score then.
 *  @param {number[]} gains @param {Table} table */
function drawGains(gains, { names, score }) {
  const cell = (/** @type {number} */ gain, /** @type {number} */ seat) =>
    html(
      "li",
      {},
      html("span", { class: `who seat-${shape(seat)}` }, mark(seat), html("span", {}, names[seat])),
      html("b", { class: "numeral" }, signed(gain)),
      html("span", { class: "small soft" }, `${figure(score[seat])} → `, html("b", {}, figure(score[seat] + gain))),
    );
  return html("ul", { class: "gains" }, gains.flatMap((gain, seat) => (gain ? cell(gain, seat) : [])));
}

/** @param {Line[]} lines @param {Look} look */
function drawLines(lines, look) {
  const { names } = look.table;
  const light = (/** @type {Cell[]} */ cells, /** @type {boolean} */ on) => () => {
    for (const cell of cells) look.view.placeOf(cell.join())?.classList.toggle("lit", on);
  };
  return html(
    "ul",
    { class: "why" },
    lines.map(({ seat, text, cells }) =>
      html(
        "li",
        { pointerenter: light(cells, true), pointerleave: light(cells, false) },
        look.kind === "grid" ? small(cells, look) : null,
        html("span", { class: "says" }, upper(text)),
        seat === null ? null : html("span", { class: `to seat-${shape(seat)}` }, mark(seat), html("span", {}, names[seat])),
      ),
    ),
  );
}

/** The board small, with some cells filled.
 *  @param {Cell[]} cells @param {Look} look */
function small(cells, look) {
  const on = new Set(cells.map(String));
  const boxes = look.cells().map((cell) =>
    svg("rect", { class: on.has(String(cell)) ? "on" : "off", x: cell[1] * 10 + 1, y: cell[0] * 10 + 1, width: 8, height: 8, rx: 2 }),
  );
  const box = `0 0 ${look.columns * 10} ${look.rows * 10}`;
  return svg("svg", { class: "mini", viewBox: box, "aria-hidden": "true" }, boxes);
}
