/** Which surface a photo shows: of several tables, or of sheets that each player has. */

import { upper } from "../page/words.js";

/** @typedef {{title: string, seat: number | null, waits: boolean, board?: DieAnswer[]}} Spot */

/** The surface to begin with: the one chosen last, but of players that of one who is to move, of tables one that plays,
 *  and that of this phone's own player before a person has picked one.
 *  @param {Spot[]} spots @param {{table: Record<string, any>, spot: number, picked: boolean}} look */
export function dueSpot(spots, { table: { to_move: due, mine }, spot, picked }) {
  const fits = (/** @type {Spot} */ one) => (one.seat === null ? !one.waits : due.includes(one.seat));
  const chosen = spots[spot];
  const next = mine ?? spots.findIndex(fits);
  return !chosen || (fits(chosen) && (mine === null || picked)) || next < 0 ? spot : next;
}

/** The kind of a surface that `stays` by now: of all it is a sheet once another table has gone on from its roll.
 *  @param {Kind} kind @param {Kind} asked @param {boolean} stays */
export const kindNow = (kind, asked, stays) => (stays && [kind, asked].every((one) => ["pool", "sheet"].includes(one)) ? asked : kind);

/** Where the surface `was` is among the spots as they are now: another table's sheets may stand before it.
 *  @param {Spot[]} spots @param {number} spot @param {string} was */
export function sameSpot(spots, spot, was) {
  const titles = spots.map(({ title }) => upper(title));
  const near = titles.findIndex((title) => was && (title.startsWith(was) || was.startsWith(title)));
  return titles.includes(was) ? titles.indexOf(was) : near < 0 ? spot : near;
}
