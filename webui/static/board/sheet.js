/** The sheet of Dice Wide Shut: tap the dice taken; their best cells are checked, and a dashed one takes a check by a tap.
 *
 *  What may be taken and marked comes from the rules (scorer/entry.py, SheetPad). Cells are as the photo would show them: a
 *  tap checks a blank one, or fills in a checked 6. Of the two halves the one that is marked is open.
 */

import { byId, die, figure, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { HALF_NAMES, SIX, _, dieName, markName, upper } from "../page/words.js";

/** @typedef {import("./boards.js").Desk} Desk
 *  @typedef {["red" | "blue", number, number]} Square
 *  @typedef {{dice: [string, number][], colour: string, best: Square[], cells: Square[]}} Taking
 *  @typedef {{takes: Taking[], sums: Record<string, number[]>}} SheetPad */

/** @type {Record<string, string>} */
const STEPS = { blank: "checked", checked: "blackened" };
/** @type {Record<string, string>} */
const SHOWN = { blank: _("blank"), checked: _("checked"), struck: _("crossed out, split"), blackened: _("spent") };
const TAKEN = 2; // dice a turn

/** The number printed in a cell.
 *  @param {Square} cell */
const numberOf = ([colour, row, column]) => (column === SIX ? 6 : (colour === "red" ? column : row) + 1);

/** @param {[string, number][]} dice */
const known = (dice) => JSON.stringify([...dice].map(([colour, value]) => `${colour} ${value}`).sort());

/** Return the sheet of the player in turn.
 *  @param {Desk} desk @param {Table} table */
export function drawSheet(desk, { equipment }) {
  /** @type {[{title: string, board: DieAnswer[], marks: {cell: Square, mark: string}[]}]} */
  const [{ title, board: pool, marks }] = equipment.spots;
  /** @type {SheetPad} */
  const { takes, sums } = JSON.parse(byId("sheet-pad")?.dataset.sheet ?? '{"takes": [], "sums": {}}');
  const taking = desk.moves("Take").length > 0;
  const marked = new Map(marks.map(({ cell, mark }) => [cell.join(), mark]));
  /** @type {Map<string, string>} */
  const tapped = new Map();
  /** @type {number[]} */
  const taken = [];
  /** @type {Taking | undefined} */
  let option = taking ? undefined : takes[0];
  let open = /** @type {"red" | "blue"} */ (option?.colour || "red");
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
    const dice = known(taken.map((at) => [pool[at].colour, pool[at].value]));
    const fits = takes.filter((one) => known(one.dice) === dice);
    option = fits.find(({ colour }) => colour === open) ?? fits[0];
    open = /** @type {"red" | "blue"} */ (option?.colour || open);
    tapped.clear();
    for (const cell of option?.best ?? []) tapped.set(cell.join(), "checked");
    changed();
  }

  /** @param {Square} cell */
  function mark(cell) {
    const key = cell.join();
    if (tapped.has(key)) tapped.delete(key);
    else {
      if (isDue(cell)) makeRoom(numberOf(cell));
      tapped.set(key, STEPS[String(marked.get(key))]);
    }
    changed();
  }

  /** Whether a die that is taken may check a cell.
   *  @param {Square} cell */
  const isDue = (cell) => Boolean(option?.cells.some((one) => one.join() === cell.join()));

  /** A check moves from the cell that has it to the one that is tapped.
   *  @param {number} number */
  function makeRoom(number) {
    const same = marks.filter(({ cell }) => numberOf(cell) === number && tapped.get(cell.join()) === "checked");
    const most = taking ? taken.filter((place) => pool[place].value === number).length : 1;
    if (same.length && same.length >= most) tapped.delete(same[0].cell.join());
  }

  function draw() {
    redraw(drawing, html("p", { class: "small soft", role: "status" }, hint()), ...(taking ? [dice()] : []), half(open), folded(open === "red" ? "blue" : "red"));
  }

  function hint() {
    if (taking && !taken.length) return _("Tap the dice that are taken.");
    return taking ? _("Tap a dashed cell to move a mark.") : _("Tap the cells that are checked. A checked 6 is spent by tapping it.");
  }

  function dice() {
    const button = (/** @type {DieAnswer} */ { value, colour }, /** @type {number} */ place) =>
      html(
        "button",
        {
          type: "button",
          class: "slot",
          "data-at": `die ${place}`,
          "aria-pressed": String(taken.includes(place)),
          "aria-label": _("take {die}", { die: dieName(colour, value) }),
          click: () => take(place),
        },
        die(value, colour),
      );
    return html("div", { class: "keys of-pool", role: "group", "aria-label": _("The dice: tap those that are taken") }, pool.map(button));
  }

  /** @param {string} colour */
  const of = (colour) => marks.filter(({ cell }) => cell[0] === colour);
  /** @param {Square} cell */
  const state = (cell) => String(tapped.get(cell.join()) ?? marked.get(cell.join()));

  /** A half that is folded to the points of its columns.
   *  @param {"red" | "blue"} colour */
  function folded(colour) {
    const points = sums[colour] ?? [];
    const sum = points.reduce((all, one) => all + one, 0);
    const unfold = () => {
      open = colour;
      draw();
    };
    return html("button", { type: "button", class: `folded ${colour}`, "data-at": `half ${colour}`, "aria-expanded": "false", "aria-label": HALF_NAMES[colour], click: unfold }, html("b", {}, upper(_(colour))), html("span", {}, points.map(figure).join(" · ")), html("b", {}, points.length ? figure(sum) : ""));
  }

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
    const [, , column] = cell;
    const key = cell.join();
    const number = numberOf(cell);
    const looks = state(cell);
    const free = STEPS[String(marked.get(key))] && (marked.get(key) === "blank" || column === SIX);
    return html(
      "button",
      {
        type: "button",
        class: `square ${looks} ${column === SIX ? "six" : ""} ${tapped.has(key) ? "new" : isDue(cell) ? "due" : ""}`,
        "data-at": key,
        "aria-label": column === SIX ? `${markName(cell)}: ${SHOWN[looks]}` : _("{cell}, a {number}: {mark}", { cell: markName(cell), number, mark: SHOWN[looks] }),
        "aria-disabled": free ? null : "true",
        click: () => free && mark(cell),
      },
      String(number),
    );
  }

  draw();
  return html("div", { class: "stack" }, html("h2", { class: "unseen" }, upper(title)), drawing);
}
