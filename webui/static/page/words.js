/** Sentences in the language of the page; in a script each stands in `_` or `ngettext`, in English. */

/** @typedef {Record<string, string | number>} Parts */

// What the server has of them in another language (webui/languages.py, for_scripts).
const SENTENCES = JSON.parse(globalThis.document?.getElementById("sentences")?.textContent ?? "{}");

/** Return a sentence; `{name}` in it stands for one of `parts`.
 *  @param {string} text @param {Parts} parts @returns {string} */
export const _ = (text, parts = {}) => fill(SENTENCES[text] ?? text, parts);

/** Return a sentence that counts: `one` is said of one thing, `many` of any other number `n`.
 *  @param {string} one @param {string} many @param {number} n @param {Parts} parts */
export function ngettext(one, many, n, parts = {}) {
  const forms = SENTENCES[one];
  const said = forms ? forms[forms.at(-1)[Math.min(n, forms.at(-1).length - 1)]] : n === 1 ? one : many;
  return fill(said, { n, ...parts });
}

/** @param {string} text @param {Parts} parts */
const fill = (text, parts) => text.replace(/{(\w+)}/g, (found, name) => String(parts[name] ?? found));

export const HALF_NAMES = { red: _("red half"), blue: _("blue half") };
export const SIX = 5; // the column of the sixes, as in scorer/games/dice_wide_shut

/** Return what a cell of a sheet is called: "red half, row 3, column 1".
 *  @param {["red" | "blue", number, number]} cell */
export const markName = ([half, row, column]) =>
  `${HALF_NAMES[half]}, ${column === SIX ? _("row {row}, the 6", { row: row + 1 }) : cellName(row, column)}`;

/** Return what a die is called: "red 4".
 *  @param {string} colour @param {number} value */
export const dieName = (colour, value) => _("{colour} {value}", { colour: _(colour), value });

/** Return what a cell is called; rows and columns are counted from 0.
 *  @param {number} row @param {number} column */
export const cellName = (row, column) => _("row {row}, column {column}", { row: row + 1, column: column + 1 });

/** @param {string} text */
export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
