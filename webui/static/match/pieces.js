/** Pads of pieces that are tapped in any order, or laid. Each is of one game or two: its script comes with its pad. */

import { call } from "../net/api.js";

/** @typedef {{main: string, small?: string, words: string, moves?: unknown[], act?: () => void}} FootButton
 *  @typedef {import("./dice.js").Dice | import("./hands.js").Hands | import("./roll.js").Roll | import("./sheet.js").Sheet | import("./tiles.js").Tiles} Pieces
 *  @typedef {new (pad: HTMLElement, changed: () => void, ask: typeof call) => Pieces} Kind
 *  @typedef {(box: Element, ...children: Node[]) => void} Redraw of page/morph.js, which is large and comes once */

/** @type {Record<string, () => Promise<Kind>>} */
const KINDS = {
  dice: async () => (await import("./dice.js")).Dice,
  hands: async () => (await import("./hands.js")).Hands,
  roll: async () => (await import("./roll.js")).Roll,
  sheet: async () => (await import("./sheet.js")).Sheet,
  tiles: async () => (await import("./tiles.js")).Tiles,
};
/** @type {Record<string, Kind>} */
const loaded = {};
export const OF_PIECES = Object.keys(KINDS).map((name) => `[data-${name}]`).join(", ");

/** @param {HTMLElement} pad */
const nameOf = (pad) => Object.keys(KINDS).find((name) => pad.dataset[name]) ?? "";

/** @param {HTMLElement} pad */
export const load = async (pad) => void (loaded[nameOf(pad)] ??= await KINDS[nameOf(pad)]());

/** Return the pieces of a pad, null until its script is there.
 *  @param {HTMLElement} pad @param {() => void} changed @returns {Pieces | null} */
export function piecesOf(pad, changed) {
  const Known = loaded[nameOf(pad)];
  return Known ? new Known(pad, changed, call) : null; // what is loaded once comes from here
}
