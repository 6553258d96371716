/** The sheet of Dice Wide Shut: tap the dice taken, then the cells they check.
 *
 *  Cells are as the photo would show them: a tap checks a blank one, or fills in a checked 6.
 */

import { die, html } from "./dom.js";

const SIX = 5; // the column of the sixes, as in scorer/games/dice_wide_shut.py
const STEPS = { blank: "checked", checked: "blackened" };
const SHOWN = { blank: "blank", checked: "checked", struck: "crossed out, split", blackened: "spent" };
const TAKEN = 2; // dice a turn

/** Return the sheet of the player in turn. */
export function drawSheet(desk, { equipment }) {
  const [{ title, board: pool, marks }] = equipment.spots;
  const taking = desk.moves("Take").length > 0;
  if (!taking && !desk.moves("Mark").length) return null;
  const known = new Map(marks.map(({ cell, mark }) => [cell.join(), mark]));
  const tapped = new Map();
  const taken = [];
  const drawing = html("div", { class: "stack" });

  function changed() {
    draw();
    if (!tapped.size && !taken.length) return desk.ready([], "");
    const now = marks.map(({ cell, mark }) => ({ cell, mark: tapped.get(cell.join()) ?? mark }));
    const dice = taken.map((place) => ({ value: pool[place].value, colour: pool[place].colour }));
    desk.propose(tapped.size ? { dice, marks: now } : { dice });
  }

  function take(place) {
    if (taken.includes(place)) taken.splice(taken.indexOf(place), 1);
    else taken.push(place);
    if (taken.length > TAKEN) taken.shift();
    changed();
  }

  function mark(cell) {
    const key = cell.join();
    if (tapped.has(key)) tapped.delete(key);
    else tapped.set(key, STEPS[known.get(key)]);
    changed();
  }

  function draw() {
    const focused = document.activeElement?.dataset.at;
    drawing.replaceChildren(...(taking ? [dice()] : []), ...["red", "blue"].map(half));
    if (focused) drawing.querySelector(`[data-at="${focused}"]`)?.focus();
  }

  function dice() {
    const button = ({ value, colour }, place) =>
      html(
        "button",
        {
          type: "button",
          "data-at": `die ${place}`,
          "aria-pressed": String(taken.includes(place)),
          "aria-label": `take ${colour} ${value}`,
          click: () => take(place),
        },
        die(value, colour),
      );
    return html("div", { class: "lying", role: "group", "aria-label": "The dice: tap those that are taken" }, pool.map(button));
  }

  function half(colour) {
    const cells = marks.filter(({ cell }) => cell[0] === colour);
    return html(
      "div",
      { class: `sheet ${colour}`, role: "group", "aria-label": `${colour} half` },
      cells.map(({ cell }) => square(cell)),
    );
  }

  function square(cell) {
    const [colour, row, column] = cell;
    const key = cell.join();
    const number = column === SIX ? 6 : (colour === "red" ? column : row) + 1;
    const now = tapped.get(key) ?? known.get(key);
    const free = STEPS[known.get(key)] && (known.get(key) === "blank" || column === SIX);
    return html(
      "button",
      {
        type: "button",
        class: `square ${now} ${column === SIX ? "six" : ""} ${tapped.has(key) ? "new" : ""}`,
        "data-at": key,
        "aria-label": `${colour} half, row ${row + 1}, ${column === SIX ? "the 6" : `column ${column + 1}, a ${number}`}: ${SHOWN[now]}`,
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
    html("h2", {}, title.replace(/^the dice or /, "")),
    html("p", { class: "small soft" }, taking ? "Tap the dice that are taken, then the cells they check." : "Tap the cells that are checked. A checked 6 is spent by tapping it."),
    drawing,
  );
}
