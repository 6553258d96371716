/** The state of a look that is judged, by name: what its button says and what a press of it does hang on that alone.
 *
 *      propose ─▶ asking ─▶ ready, overtaken, another, replacing ─ press ─▶ sending ─▶ stored: the look is closed
 *         ▲          │  └─▶ same, forbidden, nothing ◀─ the rules refuse the step ─┘
 *         │          └────▶ failed ─ press ─▶ propose
 *         └─ answered ─ doubtful, wherever a piece has to be looked at first
 */

/** @typedef {"sending" | "doubtful" | "failed" | "same" | "replacing" | "overtaken" | "another" | "ready" | "asking" | "nothing" | "forbidden"} State
 *  @typedef {{moves?: unknown[], differences?: unknown[], overtaken?: {corrected?: boolean} | null} | null} Judgement
 *  @typedef {{draft: {doubtful: object[], replaces: unknown}, unchanged: boolean,
 *    sending: {proposal: Judgement, flying: boolean, waiting: boolean, failed: string | null, same: boolean}}} Judged */

/** The states in which a press of the button stores the step as the rules took it. */
export const COUNTED = ["ready", "overtaken", "replacing"];

/** The states in which a press of the button does what it says; in all others it says what is missing.
 *  @param {State} state */
export const isPressable = (state) => ["doubtful", "failed", "another", ...COUNTED].includes(state);

/** Return the state of a look; `unchanged` is whether its photo shows nothing but what has been counted.
 *  @param {Judged} look @returns {State} */
export function stateOf({ draft, unchanged, sending }) {
  const { moves = [], differences = [], overtaken } = sending.proposal ?? {};
  if (sending.flying) return "sending";
  if (draft.doubtful.length) return "doubtful";
  if (sending.failed) return "failed";
  if (sending.same) return "same";
  if (sending.waiting) return "asking";
  if (overtaken?.corrected) return "another"; // that was there before the photo
  if (!moves.length || differences.length) return unchanged ? "nothing" : "forbidden";
  if (draft.replaces) return "replacing";
  return overtaken ? "overtaken" : "ready";
}
