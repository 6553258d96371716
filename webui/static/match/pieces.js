/** Pads of pieces that are tapped in any order, or laid. Each is of one game or two. */

import { Dice } from "./dice.js";
import { Hands } from "./hands.js";
import { Roll } from "./roll.js";
import { Sheet } from "./sheet.js";
import { Tiles } from "./tiles.js";

/** @typedef {{main: string, small?: string, words: string, moves?: unknown[], act?: () => void}} FootButton
 *  @typedef {Dice | Hands | Roll | Sheet | Tiles} Pieces */

/** @type {Record<string, new (pad: HTMLElement, changed: () => void) => Pieces>} */
const KINDS = { dice: Dice, hands: Hands, roll: Roll, sheet: Sheet, tiles: Tiles };
export const OF_PIECES = Object.keys(KINDS).map((name) => `[data-${name}]`).join(", ");

export const OF_PADS = `[data-pad], ${OF_PIECES}`;

/** @param {HTMLElement} pad */
const kindOf = (pad) => Object.keys(KINDS).find((name) => pad.dataset[name]) ?? "";

/** A table at a moment of the match: another step there gives its form another name.
 *  @param {Element} form */
export const formName = (form) => `${/** @type {HTMLElement} */ (form).dataset.moment}: `;

/** @param {HTMLElement} pad */
export function nameOf(pad) {
  const form = /** @type {HTMLElement} */ (pad.closest("form"));
  return formName(form) + [...form.querySelectorAll(OF_PADS)].indexOf(pad);
}

/** Return the pieces of a pad.
 *  @param {HTMLElement} pad @param {() => void} changed @returns {Pieces} */
export const piecesOf = (pad, changed) => Object.assign(new KINDS[kindOf(pad)](pad, changed), { padName: nameOf(pad) });
