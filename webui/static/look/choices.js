/** The likely values of each kind of piece, likeliest first, as chips offer them (chips.js). */

import { MARKS, statesOf } from "./pieces.js";
import { _, dieName } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

/** @typedef {import("./draft.js").Draft} Draft
 *  @typedef {{words: string, short: string, digit?: number, faces?: [number, string][], sign?: string, current: boolean,
 *    make: (draft: Draft) => void, button?: HTMLElement}} Choice */

const MOST = 3; // chips beside "⋯"
const PIPS = [1, 2, 3, 4, 5, 6];

/** What a die may be, or which of several dice on a cell lies there; `put(draft, value)` makes it that.
 *  @param {Look} look @param {Die[]} dice @param {(draft: Draft, value: DieAnswer) => void} put @returns {Choice[]} */
export function dieChoices(look, dice, put) {
  const [{ value: first, colour: shown }] = dice;
  const values = dice.length > 1 ? dice : foreign(look, shown) ? look.picker.colours.map((colour) => ({ value: first, colour })) : [dice[0], ...(dice[0].likely ?? []), ...neighbours(dice[0])];
  const game = values.filter(({ colour }) => !foreign(look, colour));
  return distinct(game, ({ value, colour }) => `${colour} ${value}`).map(({ value, colour }) => ({
    words: dieName(colour, value),
    short: String(value),
    digit: value,
    faces: [[value, colour]],
    current: dice.length === 1 && value === first && colour === shown,
    make: (draft) => put(draft, { value, colour }),
  }));
}

/** Every state that a printed cell can have, as it was read first.
 *  @param {Mark} mark @param {number} at @returns {Choice[]} */
export function markChoices(mark, at) {
  const states = [...new Set([mark.mark, ...(mark.likely ?? []), ...statesOf(mark.cell)])];
  return states.map((state) => ({
    words: MARKS[state],
    short: MARKS[state],
    sign: state,
    current: state === mark.mark,
    make: (draft) => draft.tick(at, state),
  }));
}

/** What a tile may be, lying as it does: a blank one may be a back.
 *  @param {Tile} tile @param {number} at @returns {Choice[]} */
export function tileChoices(tile, at) {
  const values = distinct([tile.halves, ...(tile.likely ?? [])], (halves) => halves.join("-"));
  const down = _("face down");
  const back = { words: down, short: down, current: false, make: (/** @type {Draft} */ draft) => draft.lay(draft.tiles[at], null) };
  const read = values.map((halves) => ({
    words: halves.join("-"),
    short: halves.join("-"),
    faces: halves.map((/** @type {number} */ half) => [half, "white"]),
    current: halves === tile.halves,
    make: (/** @type {Draft} */ draft) => draft.lay(draft.tiles[at], { halves, cells: tile.cells, level: tile.level }),
  }));
  return tile.halves.some(Boolean) ? read : [...read, back];
}

/** Whether a colour is none of the game's dice.
 *  @param {Look} look @param {string} colour */
function foreign({ table }, colour) {
  const { colours = {} } = table.equipment;
  return Object.keys(colours).length > 0 && !(colour in colours);
}

/** The numbers of pips that are nearest: where no other was thought of, one was added or overlooked.
 *  @param {Die} die */
function neighbours({ value, colour }) {
  const near = PIPS.filter((pips) => pips !== value).sort((a, b) => Math.abs(a - value) - Math.abs(b - value));
  return near.map((pips) => ({ value: pips, colour }));
}

/** @template T @param {T[]} values @param {(value: T) => string} key */
const distinct = (values, key) => [...new Map(values.map((value) => [key(value), value])).values()].slice(0, MOST);
