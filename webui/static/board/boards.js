/** Boards to tap: each draws what lies there and turns taps into moves to confirm.
 *
 *  The equipment says which one is drawn, never by the game's name. Where there is none, or
 *  nothing on it to tap now, the words of the move (templates/_say.html) are always there.
 */

import { Refusal, call, sending } from "../net/api.js";
import { drawSheet } from "./sheet.js";
import { byId, html } from "../page/dom.js";
import { kindOf } from "../look/draft.js";
import { queue } from "../net/queue.js";
import { at } from "../net/root.js";
import { countIt } from "../look/scores.js";
import { _, upper } from "../page/words.js";

/** @type {Partial<Record<Kind, (desk: Desk, table: Table) => HTMLElement>>} */
const BOARDS = { sheet: drawSheet };

/** Return how to show the board of the match in a box, or null where there is nothing to tap. What
 *  is to be confirmed stands in `offer`; `stored(seq)` hears of a move made on the board.
 *  @param {HTMLElement} offer @param {Table} table @param {(seq: number | null) => Later<unknown>} stored */
export async function mountBoard(offer, table, stored) {
  offer.replaceChildren();
  offer.closest(".dock")?.classList.remove("offering"); // what was offered is over
  if (!table.tappable) return null;
  const desk = new Desk(table, stored, offer);
  const { seq, moves } = await call(`${desk.path}/moves`);
  if (seq !== table.seq) return null; // another phone moved; the next tally brings the board along
  desk.legal = moves;
  const drawn = BOARDS[kindOf(table.equipment)]?.(desk, table) ?? "";
  return (/** @type {HTMLElement} */ box) => box.replaceChildren(drawn, desk.findings);
}

/** What every board needs: the legal moves, what taps mean, and a button that makes it count. */
export class Desk {
  /** @type {Legal[]} */ legal = [];
  /** @type {unknown[]} */ offer = [];
  /** @type {AbortController | null} */ asking = null;
  words = ""; // of the offer, in the panel's line: the dock keeps its height

  /** @param {Table} table @param {(seq: number | null) => Later<unknown>} stored @param {HTMLElement} offer */
  constructor(table, stored, offer) {
    this.table = table;
    this.stored = stored;
    this.findings = html("div", { class: "stack", "aria-live": "polite" });
    this.button = html("button", { type: "button", class: "main wide", click: () => this.confirm() }, _("Count it"));
    this.bar = offer;
    this.bar.replaceChildren(this.button);
    byId("offer-back").onclick = () => this.ready([], "");
    this.ready([], "");
  }

  get path() {
    return at(`/api/matches/${this.table.match}`);
  }

  /** The legal moves of one kind, each {words, move}.
   *  @param {string} kind */
  moves(kind) {
    return this.legal.filter(({ move }) => move.move === kind);
  }

  /** Offer `moves` to be confirmed, in `words`, with what they gain by a `preview`; none takes the offer back.
   *  @param {unknown[]} moves @param {string} words @param {Preview} preview */
  ready(moves, words, preview = null) {
    this.offer = moves;
    if (words !== this.words) byId("entry-says").textContent = words;
    this.words = words;
    this.gains(preview);
    this.button.hidden = !moves.length;
    this.bar.closest(".dock")?.classList.toggle("offering", moves.length > 0);
  }

  /** Say on the button what the offer gains.
   *  @param {Preview} preview */
  gains(preview) {
    this.button.textContent = countIt(preview, this.table);
  }

  /** Ask the rules what the pieces that were tapped would mean, and offer that.
   *  @param {object} tapped */
  async propose(tapped) {
    this.asking?.abort();
    this.asking = new AbortController();
    this.ready([], "");
    try {
      const sent = { after: this.table.seq, ...tapped };
      const { moves, doubts, differences, preview } = await call(`${this.path}/proposals`, sent, this.asking.signal);
      this.say("wrong", differences);
      if (differences.length) return;
      this.say("", doubts);
      this.ready(moves, upper((preview?.text ?? []).join("; ")), preview);
    } catch (fault) {
      if (fault.name !== "AbortError") this.refused(fault);
    }
  }

  async confirm() {
    if (this.button.hasAttribute("aria-disabled")) return; // it is being sent
    const sent = { after: this.table.seq, moves: this.offer };
    const step = { path: `${this.path}/moves`, sent, says: this.words };
    try {
      const { seq } = await sending(this.button, () => queue.add(step));
      await this.stored(seq);
    } catch (fault) {
      await this.refused(fault);
    }
  }

  /** @param {Fault} fault */
  async refused(fault) {
    const words = fault instanceof Refusal ? fault.message : _("Something went wrong on this page. Reload it; the match is safe.");
    this.say("wrong", [{ sentence: words }]);
    this.findings.firstElementChild?.setAttribute("data-fault", fault.kind);
    if (fault.kind === "Stale") await this.stored(null);
  }

  /** @param {string} kind @param {{sentence: string}[]} remarks */
  say(kind, remarks) {
    const lines = remarks.map(({ sentence }) => html("li", {}, upper(sentence)));
    this.findings.replaceChildren(...(lines.length ? [html("ul", { class: `note ${kind}` }, lines)] : []));
  }
}
