/** The sheet of Dice Wide Shut: tap the dice taken, then the cells they check.
 *
 *  Cells are as the photo would show them: a tap checks a blank one, or fills in a checked 6.
 */

import { die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { HALF_NAMES, SIX, _, dieName, markName, upper } from "../page/words.js";

/** @typedef {import("./boards.js").Desk} Desk
 *  @typedef {["red" | "blue", number, number]} Square */

/** @type {("red" | "blue")[]} */
const HALVES = ["red", "blue"];
/** @type {Record<string, string>} */
const STEPS = { blank: "checked", checked: "blackened" };
/** @type {Record<string, string>} */
const SHOWN = { blank: _("blank"), checked: _("checked"), struck: _("crossed out, split"), blackened: _("spent") };
const TAKEN = 2; // dice a turn

/** Return the sheet of the player in turn.
 *  @param {Desk} desk @param {Table} table */
export function drawSheet(desk, { equipment }) {
  /** @type {[{title: string, board: DieAnswer[], marks: {cell: Square, mark: string}[]}]} */
  const [{ title, board: pool, marks }] = equipment.spots;
  const taking = desk.moves("Take").length > 0;
  const marked = new Map(marks.map(({ cell, mark }) => [cell.join(), mark]));
  /** @type {Map<string, string>} */
  const tapped = new Map();
  /** @type {number[]} */
  const taken = [];
  const drawing = html("div", { class: "stack" });

  function changed() {
    draw();
    if (!tapped.size && !taken.length) return desk.ready([], "");
    const sheet = marks.map(({ cell, mark }) => ({ cell, mark: tapped.get(cell.join()) ?? mark }));
    const dice = taken.map((place) => ({ value: pool[place].value, colour: pool[place].colour }));
    desk.propose(tapped.size ? { dice, marks: sheet } : { dice });
  }

  /** @param {number} place */
  function take(place) {
    if (taken.includes(place)) taken.splice(taken.indexOf(place), 1);
    else taken.push(place);
    if (taken.length > TAKEN) taken.shift();
    changed();
  }

  /** @param {Square} cell */
  function mark(cell) {
    const key = cell.join();
    if (tapped.has(key)) tapped.delete(key);
    else tapped.set(key, STEPS[String(marked.get(key))]);
    changed();
  }

  function draw() {
    redraw(drawing, ...(taking ? [dice()] : []), ...HALVES.map(half));
  }

  function dice() {
    const button = (/** @type {DieAnswer} */ { value, colour }, /** @type {number} */ place) =>
      html(
        "button",
        {
          type: "button",
          "data-at": `die ${place}`,
          "aria-pressed": String(taken.includes(place)),
          "aria-label": _("take {die}", { die: dieName(colour, value) }),
          click: () => take(place),
        },
        die(value, colour),
      );
    return html("div", { class: "lying felt", role: "group", "aria-label": _("The dice: tap those that are taken") }, pool.map(button));
  }

  /** @param {string} colour */
  const of = (colour) => marks.filter(({ cell }) => cell[0] === colour);
  /** @param {Square} cell */
  const state = (cell) => String(tapped.get(cell.join()) ?? marked.get(cell.join()));

  /** @param {"red" | "blue"} colour */
  function half(colour) {
    return html(
      "div",
      { class: `sheet ${colour}`, role: "group", "aria-label": HALF_NAMES[colour] },
      of(colour).map(({ cell }) => square(cell)),
    );
  }

  /** @param {Square} cell */
  function square(cell) {
    const [colour, row, column] = cell;
    const key = cell.join();
    const number = column === SIX ? 6 : (colour === "red" ? column : row) + 1;
    const looks = state(cell);
    const free = STEPS[String(marked.get(key))] && (marked.get(key) === "blank" || column === SIX);
    return html(
      "button",
      {
        type: "button",
        class: `square ${looks} ${column === SIX ? "six" : ""} ${tapped.has(key) ? "new" : ""}`,
        "data-at": key,
        "aria-label": column === SIX ? `${markName(cell)}: ${SHOWN[looks]}` : _("{cell}, a {number}: {mark}", { cell: markName(cell), number, mark: SHOWN[looks] }),
        "aria-disabled": free ? null : "true",
        click: () => free && mark(cell),
      },
      String(number),
    );
  }

  draw();
  return html(
    "div",
    { class: "stack" },
    html("h2", {}, upper(title)),
    html("p", { class: "small soft" }, taking ? _("Tap the dice that are taken, then the cells they check.") : _("Tap the cells that are checked. A checked 6 is spent by tapping it.")),
    drawing,
  );
}
