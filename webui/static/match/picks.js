/** What picked keys make: one key of each group of a pad, as the rules declare it (scorer/entry.py). */

/** @typedef {{keys: string[], words?: string, move?: unknown, leads?: string, button?: string, score?: string, why?: string, rule?: string}} Taps
 *  @typedef {(string | undefined)[]} Picks by group; undefined: none is picked */

/** Return what can still be made with the picked keys.
 *  @param {Taps[]} every @param {Picks} picks */
export const fits = (every, picks) => every.filter(({ keys }) => keys.every((key, group) => !picks[group] || picks[group] === key));

/** Return what the picked keys make, legal or not, once there is one of each group.
 *  @param {Taps[]} every @param {Picks} picks @returns {Taps | undefined} */
export const made = (every, picks) => every.find(({ keys }) => keys.every((key, group) => picks[group] === key));
