/** What each likely value of a piece would count, asked of the rules one after another and remembered. */

import { call } from "../net/api.js";
import { figure } from "../page/dom.js";
import { Draft } from "./draft.js";
import { _ } from "../page/words.js";

/** @param {number} points */
export const signed = (points) => (points < 0 ? "" : "+") + figure(points);

/** "Ana +5, Ben +3": who gains or loses; "" where nobody does.
 *  @param {Preview} preview @param {Pick<Table, "names" | "score">} table */
function gainsOf(preview, { names, score }) {
  const gains = (preview?.earned ?? []).map((points, seat) => points - score[seat]);
  return gains.flatMap((gain, seat) => (gain ? [`${names[seat]} ${signed(gain)}`] : [])).join(", ");
}

/** What the button says: what counting brings, where it brings anything.
 *  @param {Preview} preview @param {Pick<Table, "names" | "score">} table */
export function countIt(preview, table, anyway = false) {
  const gains = gainsOf(preview, table);
  if (anyway) return gains ? _("Count it anyway: {gains}", { gains }) : _("Count it anyway");
  return gains ? _("Count it: {gains}", { gains }) : _("Count it");
}

const NOTHING = { short: "", words: "" };
const UNKNOWN = { short: "", words: _("not known now") };

/** @typedef {{short: string, words: string}} Leads
 *  @typedef {{draft: Draft, table: Table, path: string, sending: {asked: (draft: Draft) => object}}} Asking */

export class Scores {
  /** @type {Map<string, any>} */ answered = new Map(); // by what was sent
  /** @type {AbortController | null} */ asking = null;

  /** @param {Asking} look whose draft would be another */
  constructor(look) {
    this.look = look;
  }

  stop() {
    this.asking?.abort();
  }

  /** Tell of each choice what it leads to, `heard(choice, {short, words})`, unless other chips are opened meanwhile.
   *  @template {{make: (draft: Draft) => void}} C @param {C[]} choices @param {(choice: C, leads: Leads) => void} heard */
  async each(choices, heard) {
    this.stop();
    this.asking = new AbortController();
    const { signal } = this.asking;
    for (const choice of choices) {
      const sent = this.sentWith(choice);
      const said = await this.ask(sent, signal).catch(() => null);
      if (signal.aborted) return;
      heard(choice, said ?? UNKNOWN);
    }
  }

  /** The pieces as the rules would be sent them with a choice taken.
   *  @param {{make: (draft: Draft) => void}} choice */
  sentWith({ make }) {
    const draft = new Draft(structuredClone({ ...this.look.draft }));
    make(draft);
    return this.look.sending.asked(draft);
  }

  /** @param {object} sent @param {AbortSignal} signal */
  async ask(sent, signal) {
    const key = JSON.stringify(sent);
    if (!this.answered.has(key)) this.answered.set(key, await call(`${this.look.path}/proposals`, sent, signal));
    return this.inWords(this.answered.get(key));
  }

  /** @param {{moves: unknown[], differences: unknown[], preview: Preview}} answer @returns {Leads} */
  inWords({ moves, differences, preview }) {
    if (differences.length) return bothWays(_("not allowed"));
    if (this.look.draft.replaces) return UNKNOWN; // the score now is another step's
    const words = gainsOf(preview, this.look.table);
    if (!moves.length) return bothWays(_("nothing new"));
    if (!words) return this.look.draft.loose ? NOTHING : bothWays(_("no points")); // a roll pays once it is kept
    const { score, names } = this.look.table;
    const gains = (preview?.earned ?? []).map((points, seat) => points - score[seat]);
    return { short: names.length === 2 && gains.every((gain) => gain >= 0) ? gains.join("\u00a0:\u00a0") : words, words };
  }
}

/** @param {string} words */
const bothWays = (words) => ({ short: words, words });
