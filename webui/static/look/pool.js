/** Dice that lie on no board: those there are, to be changed, and faces to add more with a tap. */

import { die as face, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { manner } from "./pieces.js";
import { _, dieName, ngettext } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

const FACES = [1, 2, 3, 4, 5, 6];

/** Draw the pool. A tap on a die asks `look` about it, a tap on a face adds one.
 *  @param {HTMLElement} pool @param {import("./draft.js").Draft} draft @param {Table} table @param {Look} look */
export function drawPool(pool, { dice }, { equipment, names, colours: seats = [] }, look) {
  const { dice: wanted = 0, colours = {} } = equipment;
  const named = Object.keys(colours).length > 0; // otherwise dice of any colour will do
  /** @type {[string, number][]} */
  const rows = named ? Object.entries(colours) : [["white", wanted]];
  const faces = rows.map(([colour, most]) => adding(colour, most, dice, look, named, names[seats.indexOf(colour)]));
  const seldom = look.draft.photo; // then what lies there is on it, and little is added
  redraw(
    pool,
    ...lying(dice, look),
    html("p", { class: "small soft", role: "status" }, howMany(dice, wanted)),
    ...(seldom ? [html("details", {}, html("summary", {}, _("Add a die that was not seen")), html("div", { class: "stack" }, faces))] : faces),
  );
}

/** "3 of 7 dice"; where a board lies beside them, "9 dice, 2 on the board".
 *  @param {Die[]} dice @param {number} wanted */
function howMany(dice, wanted) {
  if (wanted > 1 && dice.length <= wanted) return _("{n} of {all} dice", { n: dice.length, all: wanted });
  const loose = dice.filter(({ on }) => !on);
  return ngettext("{n} die", "{n} dice", loose.length) + (loose.length < dice.length ? _(", {n} on the board", { n: dice.length - loose.length }) : "");
}

/** The dice to be changed; of a photo those that a person has added, as it shows the others.
 *  @param {Die[]} dice @param {Look} look */
function lying(dice, look) {
  const { photo, kind } = look.draft;
  const words = (/** @type {Die} */ { colour, value, on, doubt }) => _("{die}: change it or take it away", { die: dieName(colour, value) + (on ? _(" on the board") : "") + manner(doubt) });
  const drawn = dice.flatMap((die, at) =>
    photo && die.quad
      ? []
      : html(
          "button",
          { type: "button", class: look.offences.has(die) ? "offence" : "", "data-key": `die ${at}`, "aria-label": words(die), click: () => look.dice.askInPool(die) },
          face(die.value, die.colour),
        ),
  );
  if (photo && !drawn.length) return dice.length || kind === "sheet" ? [] : [html("p", {}, _("No dice were seen."))];
  const label = photo ? _("The dice that were added") : _("The dice on the table");
  return [html("div", { class: "lying felt", role: "group", "aria-label": label }, drawn, drawn.length ? null : html("p", {}, _("Tap a face for each die that lies there.")))];
}

/** The faces of one colour. Where there is one such die, another face takes its place.
 *  @param {string} colour @param {number} most @param {Die[]} dice @param {Look} look @param {boolean} named @param {string | undefined} owner */
function adding(colour, most, dice, look, named, owner) {
  const there = dice.filter((die) => die.colour === colour);
  const full = most > 1 && there.length >= most;
  const add = (/** @type {number} */ value) => () => {
    if (full) return;
    if (most === 1) for (const die of there) look.draft.move(die, null);
    look.draft.add(value, colour);
    look.propose();
  };
  return html(
    "fieldset",
    {},
    named ? html("legend", { class: "small" }, legend(colour, there.filter(({ on }) => !on).length, most, owner)) : null,
    html(
      "div",
      { class: "faces" },
      FACES.map((value) =>
        html(
          "button",
          {
            type: "button",
            class: "face",
            "aria-label": _("add {die}", { die: dieName(colour, value) }),
            "aria-disabled": full ? "true" : null,
            "data-add": `${colour} ${value}`,
            click: add(value),
          },
          face(value, colour),
        ),
      ),
    ),
  );
}

/** "Ann's dice, blue: 4", "red, 2 of 3": more than there can be is said by the rules, not here.
 *  @param {string} colour @param {number} there @param {number} most @param {string | undefined} owner */
function legend(colour, there, most, owner) {
  if (owner) return _("{owner}’s dice, {colour}: {there}", { owner, colour: _(colour), there });
  return most && there <= most ? _("{colour}, {there} of {most}", { colour: _(colour), there, most }) : `${_(colour)}: ${there}`;
}
