/** What a photo of a sheet or of dominoes showed, drawn to be corrected with a tap. */

import { die, html } from "./dom.js";
import { MARKS } from "./chooser.js";
import { HALF_NAMES, SIX, _, cellName, markName, ngettext } from "./words.js";

const HALVES = ["red", "blue"];
const STATES = ["blank", "checked", "struck"];
const SIX_STATES = ["blank", "checked", "blackened"];

/** The states a cell of a sheet can have, in the order in which taps go through them. */
export const statesOf = ([, , column]) => (column === SIX ? SIX_STATES : STATES);

/** Draw both halves of the sheet; a tap goes to the next state, on a doubtful mark it asks. */
export function drawMarks(box, look) {
  const { draft, offences } = look;
  const focused = document.activeElement?.dataset.at;
  const square = (mark) => {
    const [part, row, column] = mark.cell;
    const number = column === SIX ? 6 : (part === "red" ? column : row) + 1;
    return html(
      "button",
      {
        type: "button",
        class: `square ${mark.mark} ${column === SIX ? "six" : ""} ${mark.doubt ? "doubtful" : ""} ${offences.has(mark) ? "offence" : ""}`,
        "data-at": mark.cell.join(),
        "aria-label": `${_("{cell}, a {number}: {mark}", { cell: markName(mark.cell), number, mark: MARKS[mark.mark] })}${oddity(mark, offences)}`,
        click: () => (mark.doubt ? look.pieces.askMark(mark) : look.pieces.nextMark(mark)),
      },
      String(number),
      mark.doubt ? html("span", { class: "badge", "aria-hidden": "true" }, "?") : null,
    );
  };
  const half = (part) =>
    html("div", { class: `sheet ${part}`, role: "group", "aria-label": _("{half} as it was read", { half: HALF_NAMES[part] }) }, draft.marks.filter(({ cell }) => cell[0] === part).map(square));
  box.replaceChildren(
    ...(draft.marks.length
      ? [html("p", { class: "small soft" }, _("Tap a cell to change its mark.")), ...HALVES.map(half)]
      : [html("p", {}, _("No sheet was seen; the dice are below."))]),
  );
  if (focused) box.querySelector(`[data-at="${focused}"]`)?.focus();
}

/** The cells from one beyond the outermost tiles to the other, row by row. */
export function groundOf({ tiles }) {
  const taken = tiles.flatMap(({ cells }) => cells ?? []);
  const [rows, columns] = [0, 1].map((axis) => taken.map((cell) => cell[axis]));
  const [up, left] = taken.length ? [Math.min(...rows) - 1, Math.min(...columns) - 1] : [0, 0];
  const [down, right] = taken.length ? [Math.max(...rows) + 1, Math.max(...columns) + 1] : [3, 3];
  const across = right - left + 1;
  return Array.from({ length: (down - up + 1) * across }, (_, at) => [up + Math.floor(at / across), left + (at % across)]);
}

/** Draw the tiles from above, and those that lie apart; a tap asks about one, or for one not seen. */
export function drawLaid(box, look) {
  const { draft } = look;
  const focused = document.activeElement?.dataset.at;
  const cells = groundOf(draft);
  const [up, left] = cells[0];
  const ground = html("div", { class: "ground felt", role: "group", "aria-label": _("The tiles as they were read") });
  ground.style.setProperty("--columns", cells.at(-1)[1] - left + 1);
  ground.append(...cells.map((cell) => spot(look, cell, cellName(cell[0] - up, cell[1] - left))));
  const apart = draft.apart.map((tile) =>
    html("button", { type: "button", class: "domino", "aria-label": _("apart from the others: {tile}", { tile: tile.halves.join("-") }), click: () => look.pieces.askTile(tile) }, tile.halves.map((half) => die(half, "white"))),
  );
  box.replaceChildren(
    html("p", { class: "small soft" }, _("Tap a tile to correct it, or an empty cell for one that was not seen.")),
    html("div", { class: "scroll" }, ground),
    ...(apart.length ? [html("p", { class: "small soft" }, _("Apart from the others, not counted:")), html("div", { class: "hand" }, apart)] : []),
  );
  if (focused) box.querySelector(`[data-at="${focused}"]`)?.focus();
}

const high = (level) => (level > 1 ? ngettext(", {n} tile high", ", {n} tiles high", level) : "");

const oddity = (piece, offences) => (piece?.doubt ? _(", doubtful") : "") + (offences.has(piece) ? _(", not allowed") : "");

function spot(look, cell, place) {
  const { draft, offences } = look;
  const { tile, half } = draft.top(cell) ?? {};
  const name = tile && _("{tile}, its {number}", { tile: tile.halves.join("-"), number: tile.halves[half] }) + high(tile.level);
  return html(
    "button",
    {
      type: "button",
      class: `spot ${tile ? `joined-${towards(tile, half)}` : ""} ${tile?.doubt ? "doubtful" : ""} ${offences.has(tile) ? "offence" : ""}`,
      "data-at": cell.join(),
      "aria-label": `${place}: ${name ?? _("empty")}${oddity(tile, offences)}`,
      click: () => (tile ? look.pieces.askTile(tile) : look.pieces.newTile(cell)),
    },
    tile ? die(tile.halves[half], "white") : html("span", { "aria-hidden": "true" }, "·"),
    tile?.level > 1 ? html("span", { class: "height", "aria-hidden": "true" }, String(tile.level)) : null,
    tile?.doubt && !half ? html("span", { class: "badge", "aria-hidden": "true" }, "?") : null,
  );
}

/** To which side of one half the rest of its tile lies. */
function towards({ cells }, half) {
  const [down, right] = [0, 1].map((axis) => cells[1 - half][axis] - cells[half][axis]);
  return down ? (down > 0 ? "bottom" : "top") : right > 0 ? "right" : "left";
}
