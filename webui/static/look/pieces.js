/** What of a look can be pressed on its photo: each piece with its name for a screen reader and what a press does. */

import { cellUnder, center, inset, printed, quadOf } from "./quads.js";
import { SIX, _, dieName, markName, ngettext } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

/** @typedef {import("./draft.js").Draft} Draft
 *  @typedef {{key: string, name: string, kind?: string, dice: Die[], tile?: Tile, mark?: Mark, cell?: Cell, quad: Quad, at: Point,
 *    doubt?: unknown, offence?: boolean, maybe?: boolean, press: () => void}} Shown */

/** @type {Record<string, string>} */
export const MARKS = { blank: _("blank"), checked: _("checked"), struck: _("crossed out"), blackened: _("blackened") };
const STATES = ["blank", "checked", "struck"];
const SIX_STATES = ["blank", "checked", "blackened"];

/** The states a cell of a sheet can have, in the order in which taps go through them.
 *  @param {Cell} cell */
export const statesOf = ([, , column]) => (column === SIX ? SIX_STATES : STATES);

/** @param {Cell} cell */
const numberOn = ([part, row, column]) => (column === SIX ? 6 : (part === "red" ? column : row) + 1);

/** The cells from one beyond the outermost tiles to the other, row by row.
 *  @param {Draft} draft */
export function groundOf({ tiles }) {
  const taken = tiles.flatMap(({ cells }) => cells ?? []);
  const [rows, columns] = [0, 1].map((axis) => taken.map((cell) => cell[axis]));
  const [up, left] = taken.length ? [Math.min(...rows) - 1, Math.min(...columns) - 1] : [0, 0];
  const [down, right] = taken.length ? [Math.max(...rows) + 1, Math.max(...columns) + 1] : [3, 3];
  const across = right - left + 1;
  return Array.from({ length: (down - up + 1) * across }, (none, at) => [up + Math.floor(at / across), left + (at % across)]);
}

/** Return the places where another die may lie and nobody has said what does.
 *  @param {Draft} draft @param {Look} look */
export function unanswered(draft, look) {
  return draft.perhaps.filter((quad) => {
    const cell = cellUnder(draft, look, quad);
    return !cell || !draft.on(cell).length;
  });
}

/** Whether tiles are looked at, on a table or in a hand.
 *  @param {Draft} draft */
export const withTiles = ({ kind }) => kind === "tiles" || kind === "hand";

/** Whether all that a person may have to change lies on the photo: no board needs to be drawn beside it.
 *  @param {Draft} draft @param {Look} look */
export function onPhoto(draft, look) {
  return Boolean(draft?.photo) && (draft.loose || withTiles(draft) || printed(draft, look).length > 0);
}

/** Return the pieces of a look, each {key, name, kind, dice, tile, mark, cell, quad, doubt, offence, press}: `quad` is
 *  where it is on the photo; a cell holds the dice on it, none where it is empty.
 *  @param {Look} look @returns {Shown[]} */
export function piecesOf(look) {
  const { draft } = look;
  const loose = draft.loose ? draft.dice.map((die, at) => dieAlone(look, die, at)) : [];
  const cells = draft.loose || withTiles(draft) ? [] : printed(draft, look).map((place) => cellPiece(look, place));
  const beside = draft.beside.map((die, at) => besidePiece(look, die, at));
  const perhaps = unanswered(draft, look).map((quad, at) => ({ key: `perhaps ${at}`, name: _("perhaps another die"), quad, maybe: true, doubt: true, press: () => look.dice.askPerhaps(quad) }));
  const pieces = [...draft.marks.map((mark) => markPiece(look, mark)), ...draft.tiles.map((tile, at) => tilePiece(look, tile, at)), ...loose, ...cells, ...beside, ...perhaps];
  return /** @type {any[]} */ (pieces).filter(({ quad }) => quad).map((piece) => ({ dice: [], ...piece, at: center(piece.quad) }));
}

/** What a screen reader hears beside what lies there.
 *  @param {unknown} doubt @param {boolean} [offence] */
export const manner = (doubt, offence) => (doubt ? _(", doubtful") : "") + (offence ? _(", not allowed") : "");

/** @param {Look} look @param {Printed} place */
function cellPiece(look, { cell, quad }) {
  const dice = look.draft.on(cell);
  const words = dice.map(({ colour, value }) => dieName(colour, value)).join(_(" and ")) || _("empty");
  const doubt = dice.length === 1 && dice[0].doubt;
  const offence = dice.length > 1 || dice.some((die) => look.offences.has(die));
  const name = `${look.nameOf(cell)}: ${words}${manner(doubt, offence)}`;
  const kind = dice.length ? "" : `empty ${look.draft.cells.length ? "printed" : ""}`;
  return { key: cell.join(), name, kind, dice, cell, quad, doubt, offence, press: () => look.pieces.openCell(cell) };
}

/** @param {Look} look @param {Die} die @param {number} at */
function dieAlone(look, die, at) {
  const offence = look.offences.has(die);
  const name = dieName(die.colour, die.value) + (die.on ? _(" on the board") : "") + manner(die.doubt, offence);
  return { key: `die ${at}`, name, dice: [die], quad: die.quad, doubt: die.doubt, offence, press: () => look.pieces.openDie(die) };
}

/** @param {Look} look @param {Die} die @param {number} at */
function besidePiece(look, die, at) {
  return { key: `beside ${at}`, name: _("beside the board: {die}", { die: dieName(die.colour, die.value) }), kind: "beside", dice: [die], quad: die.quad, press: () => look.dice.askBeside(die) };
}

/** @param {Look} look @param {Tile} tile @param {number} at */
export function tilePiece(look, tile, at) {
  const { halves, level, quad, doubt } = tile;
  const offence = look.offences.has(tile);
  const counts = look.draft.counts(tile);
  const lies = counts ? (Number(level) > 1 ? ngettext(", {n} tile high", ", {n} tiles high", Number(level)) : "") : _(", apart from the others, not counted");
  return { key: `tile ${at}`, name: `${halves.join("-")}${lies}${manner(doubt, offence)}`, kind: counts ? "" : "beside", tile, quad, doubt, offence, press: () => look.pieces.open(tile) };
}

/** @param {Look} look @param {Mark} mark */
function markPiece(look, mark) {
  const { cell, quad, doubt } = mark;
  const offence = look.offences.has(mark);
  const name = _("{cell}, a {number}: {mark}", { cell: markName(/** @type {any} */ (cell)), number: numberOn(cell), mark: MARKS[mark.mark] }) + manner(doubt, offence);
  return { key: cell.join(), name, kind: `mark ${mark.mark}`, mark, quad, doubt, offence, press: () => look.pieces.open(mark) };
}

/** Where a die stands on the photo: on its own outline, or within the cell that a person has put it on.
 *  @param {Look} look @param {Die} die */
export const quadOfDie = (look, die) => die.quad ?? (die.cell && inset(/** @type {Quad} */ (quadOf(look.draft, look, die.cell))));
