/** What goes between a look and the server: the photo, the dice for the rules to judge, the confirmed
 *  step (queue.js). It keeps what was answered last. */

import { Refusal, call, formOf, newRequest, sendPhoto } from "../net/api.js";
import { merged } from "./draft.js";
import { inWords, settled } from "../net/jobs.js";
import { ask } from "../page/over.js";
import { queue } from "../net/queue.js";
import { kindNow } from "./spots.js";
import { at } from "../net/root.js";
import { wholes, written } from "../net/waiting.js";
import { _ } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look
 *  @typedef {import("./draft.js").Draft} Draft */

const READING = _("Reading the photo …");
const AGAIN = ["Offline", "Broken", "Busy", "Full", "Unknown"]; // Unknown: the server was started anew
const MOVED = _("Another phone just moved. Look again.");
const TWICE = _("Another phone has already counted this board.");

export class Sending {
  /** @type {any} */ proposal = null; // what the rules said of the dice as shown
  /** @type {number | undefined} */ after; // the newest step when they said it
  waiting = false; // for the rules
  /** @type {string | null} */ failed = null; // why they said nothing, in a sentence
  /** @type {string | null} */ notice = null; // what another phone did meanwhile, or why nothing was stored
  /** @type {Record<string, string>} */ rules = {}; // the ids of those that forbid something, by what was said of it
  flying = false; // the step is on its way
  refused = ""; // what was last said to be forbidden
  /** @type {AbortController | undefined} */ asking;
  /** @type {Record<string, Piece[]> | undefined} */ judged;
  /** @type {(() => void) | null} */ retry = null; // does again what failed because the server could not be reached

  /** @param {Look} look whose draft is sent @param {(seq: number | null) => Later<unknown>} stored hears the number of a step that was stored */
  constructor(look, stored) {
    this.look = look;
    this.stored = stored;
  }

  /** Begin anew with another draft, or with none: what the rules are asked is no longer wanted. */
  reset() {
    this.asking?.abort();
    this.waiting = this.flying = false;
    this.refused = "";
    this.proposal = this.failed = this.notice = this.retry = null;
  }

  /** The server is there again: what could not be sent goes by itself. */
  reached() {
    const { retry } = this;
    this.retry = null;
    this.notice = retry ? null : this.notice;
    retry?.();
  }

  /** Return what to say of a fault; what the network lost is done again with it.
   *  @param {Fault} fault @param {(() => void) | null} again */
  faulty(fault, again) {
    this.retry = fault.kind === "Offline" ? again : null;
    if (fault.rule) this.rules[sentence(fault)] = fault.rule;
    return sentence(fault);
  }

  // -------------------------------------------------------------- the photo

  /** Send a photo and hand its reading to the look, unless that was closed or has another photo.
   *  @param {Blob} photo */
  async photo(photo) {
    const { look } = this;
    const { view, draft } = look;
    const shown = () => look.draft === draft;
    this.retry = null;
    view.busy(_("Sending the photo …"), 0);
    try {
      await queue.reach(String(look.entry));
      const answer = await this.inPart(photo, shown);
      if (!shown()) return;
      dispatchEvent(new Event("read"));
      look.read(answer);
    } catch (fault) {
      await written(); // so that a reload does not lose it
      if (!shown()) return;
      const again = AGAIN.includes(fault.kind);
      if (!again) queue.release(String(look.entry)); // it would be refused again
      view.stop(this.faulty(fault, () => look.incoming.send(photo)), again);
    }
  }

  /** Return what the server reads on the part of a photo that is enough; where it is not, on all of it.
   *  @param {Blob} photo @param {() => boolean} shown */
  async inPart(photo, shown) {
    const { look } = this;
    const part = await look.incoming.part();
    try {
      if (!part) return await this.read(photo, shown);
      const answer = await this.read(part.photo, shown, { part: part.box });
      await wholes.keep(answer.sighting, { match: look.table.match, photo, since: Date.now() }); // it follows (wholes.js)
      return answer;
    } catch (fault) {
      if (fault.kind !== "WholeWanted" || !part) throw fault;
      return this.read(photo, shown);
    }
  }

  /** Send a photo and return what the server reads on it, in which `shown` says whether anybody is interested.
   *  @param {Blob} photo @param {() => boolean} shown @param {object} more @returns {Promise<any>} */
  async read(photo, shown, more = {}) {
    const { path, spot, place, view } = this.look;
    const query = new URLSearchParams(/** @type {any} */ ({ ...(spot && { spot }), ...more })).toString();
    const sent = await sendPhoto(`${path}/photos${query && `?${query}`}`, photo, (share) =>
      shown() && view.busy(share < 1 ? _("Sending the photo …") : READING, share < 1 ? share : null),
    );
    const answer = await settled(path, sent, (ahead) => shown() && view.busy(inWords(ahead, READING), null));
    const moved = shown() && this.look.place === place && this.look.spot !== spot; // it was read as what another table has there
    return moved ? this.read(photo, shown, more) : answer;
  }

  // -------------------------------------------------------------- what it would count

  /** Ask the rules what the dice as shown would mean. */
  async propose() {
    const { look } = this;
    this.asking?.abort();
    this.asking = new AbortController();
    this.waiting = true;
    look.keep(); // before anybody waits for the rules
    look.view.draw();
    const after = look.seq;
    try {
      const judged = look.draft.counted;
      this.settled(await call(`${look.path}/proposals`, this.asked(look.draft), this.asking.signal), after, judged);
    } catch (fault) {
      if (fault.name === "AbortError") return;
      this.waiting = false;
      if (fault.kind === "Stale") return this.stale();
      this.failed = this.faulty(fault, () => this.propose());
      look.view.draw();
    }
  }

  /** The pieces of a draft as the rules are asked about them.
   *  @param {Draft} draft */
  asked(draft) {
    const { spot, seq } = this.look;
    /** @type {Record<string, any>} */
    const sent = { after: seq, ...draft.sent() };
    if (spot) sent.spot = spot;
    if (draft.replaces) sent.replaces = draft.replaces;
    else if (draft.instead) sent.instead = amendment(draft.instead);
    else if (Number(draft.since) < seq) sent.since = draft.since;
    return sent;
  }

  /** @param {any} proposal @param {number} after @param {Record<string, Piece[]>} judged the pieces by kind, in the order in which the proposal numbers them */
  settled(proposal, after, judged) {
    this.judged = judged;
    this.waiting = false;
    this.failed = null;
    this.proposal = proposal;
    this.after = after;
    this.refuse(this.differences.map((/** @type {{sentence: string}} */ difference) => difference.sentence).join(" "));
    if (proposal.overtaken) this.notice = this.same ? TWICE : first(proposal.overtaken, this.look.kind);
    this.look.keep();
    this.look.view.draw();
  }

  /** Say what the rules forbid, once, to whatever accompanies the match (senses.js).
   *  @param {string} words */
  refuse(words) {
    if (words && words !== this.refused) dispatchEvent(new CustomEvent("refused", { detail: words }));
    this.refused = words;
  }

  /** What the rules have against the dice as shown; that some are still to be tapped in is no offence. */
  get differences() {
    return this.look.unfinished ? [] : (this.proposal?.differences ?? []);
  }

  /** The pieces that the rules forbid as they lie. */
  get offences() {
    const pieces = this.differences.map((/** @type {{piece: [string, number] | null}} */ { piece }) => piece && this.judged?.[piece[0]]?.[piece[1]]);
    return new Set(pieces.filter(Boolean));
  }

  /** Whether the board as shown is the one that another phone has counted. */
  get same() {
    const mine = newest(this.proposal?.preview);
    return Boolean(this.proposal?.overtaken && mine && mine === JSON.stringify(this.look.table.newest));
  }

  // -------------------------------------------------------------- other phones

  /** The match has moved on under the draft: keep the dice, ask the rules again. */
  async moved() {
    const { look } = this;
    const { draft, table } = look;
    if (!draft || this.flying || this.after === table.seq) return; // what flies is answered soon
    draft.kind = kindNow(draft.kind, look.kind, look.stays);
    if (draft.kind !== look.kind || (look.kind !== "grid" && !table.photographable)) return look.giveUp();
    if (draft.waits) return look.incoming.keepAgain(); // it is judged once it is read
    if (look.bare) return this.begun(); // nothing lies there that another phone could have overtaken
    this.notice = Number(draft.since) >= table.seq ? null : MOVED; // made on this page, its answer slower than the stream
    draft.instead = null; // the step it put right may stand no more
    if (look.kind === "grid" && !look.incoming.photo && !draft.sighting) look.draft = merged(draft, look.counted);
    await this.propose();
  }

  /** What is tapped in from here on belongs to what is due now. */
  begun() {
    this.look.draft.since = this.look.table.seq;
    this.notice = null;
    this.look.view.draw();
  }

  async stale() {
    const { look } = this;
    this.notice = MOVED;
    await this.stored(null); // fetches the new state, which leads to moved()
    if (look.draft && !this.waiting && this.after !== look.table.seq) await this.propose();
  }

  /** Store whose the dice of a colour are, and judge the dice as they lie by that.
   *  @param {object} move */
  async own(move) {
    const { look } = this;
    const { draft } = look;
    this.notice = null;
    try {
      const sent = { after: look.seq, moves: [move] };
      const { seq } = await queue.add({ path: `${look.path}/moves`, sent, says: _("whose the dice are") });
      draft.since = seq; // the step is our own: no other phone has moved
      if (look.draft === draft) this.after = seq;
      await this.stored(seq);
    } catch (fault) {
      if (look.draft !== draft) return;
      if (fault.kind === "Stale") return this.stale();
      this.notice = this.faulty(fault, null);
    }
    if (look.draft === draft) await this.propose();
  }

  // -------------------------------------------------------------- the step

  /** Count what is shown. A late answer is of this look alone: another one may be open by then. */
  async confirm() {
    const { look } = this;
    const { entry } = look;
    if (this.flying) return;
    if (look.draft.replaces) return this.correct(look.draft.replaces);
    const shown = () => look.entry === entry;
    const step = { path: `${look.path}/moves`, sent: this.step(), says: this.says };
    this.flying = true;
    this.notice = null;
    look.view.draw();
    try {
      const { seq } = await queue.fill(String(entry), step, shown);
      if (shown()) look.leave();
      this.stored(seq);
    } catch (fault) {
      if (shown()) this.unstored(fault);
    }
  }

  /** Say why the step is not stored; one that waits is shown where it does.
   *  @param {Fault} fault */
  unstored(fault) {
    const { look } = this;
    this.flying = false;
    if (fault.kind === "Offline") return look.leave(fault);
    if (fault.kind === "Stale") return this.stale();
    this.notice = this.faulty(fault, null);
    if (fault.kind === "Illegal") this.refuse(this.notice);
    look.view.draw();
  }

  /** Show over the look what another step in the place of a stored one would change.
   *  @param {number} step */
  correct(step) {
    const moves = JSON.stringify(this.proposal.moves);
    return this.over(`step/${step}/correct?${new URLSearchParams({ moves })}`);
  }

  /** Ask over the look whether all play on with what lies there, against the rules. */
  playOn() {
    const { draft, spot, seq } = this.look;
    const table = JSON.stringify({ after: seq, ...draft.sent(), spot: spot || 0 });
    return this.over("players", formOf({ do: "play_on", table, sighting: draft.sighting ?? "", after: seq, request: newRequest() }));
  }

  /** Ask with a page over the look, which stays as it is unless the answer is yes.
   *  @param {string} page @param {FormData | null} form */
  async over(page, form = null) {
    const { look } = this;
    const { entry } = look;
    try {
      const done = await ask(at(`/m/${look.table.match}/${page}`), { form });
      if (done && look.entry === entry) look.close();
    } catch (fault) {
      this.notice = this.faulty(fault, null);
      look.view.draw();
    }
  }

  /** Store what a person says it is, in the place of what the rules proposed.
   *  @param {unknown[]} moves */
  answer(moves) {
    this.proposal = { ...this.proposal, moves, differences: [] };
    return this.confirm();
  }

  /** The step in words, should it have to wait. */
  get says() {
    return this.proposal?.preview?.text?.join("; ") || _("what is on the table");
  }

  /** Return the step that the rules proposed as the server takes it. */
  step() {
    const { moves, overtaken } = this.proposal;
    const { instead, sighting } = this.look.draft;
    return {
      after: this.after,
      moves: overtaken ? [] : moves,
      sighting,
      instead: overtaken ? { step: overtaken.step, moves } : instead && amendment(instead),
    };
  }
}

/** Why what is looked at belongs to the game no more.
 *  @param {import("./look.js").LookTable} table */
export function gone({ over, barred }) {
  const first = _("Another phone was first, and the game has moved on.");
  return { kind: "Gone", message: over ? _("The match ended before it was counted.") : barred || first };
}

/** An answered question as the server takes it.
 *  @param {{step: number, move: unknown}} question */
const amendment = ({ step, move }) => ({ step, moves: [move] });

/** The sentence for the phone that was second.
 *  @param {{text: string[], corrected: boolean}} overtaken @param {Kind} kind */
function first({ text, corrected }, kind) {
  const what = text.join("; ");
  const another = { pool: _("Is what you see here another roll?"), grid: _("Is what you see here another round?") }[String(kind)] ?? _("Is what you see here another turn?");
  if (corrected) return `${_("The step before was corrected: {what}.", { what })} ${another}`;
  if (kind === "grid") return _("This round is over: another phone has counted the board, but not as it is shown here.");
  return `${_("Another phone was first: {what}.", { what })} ${another}`;
}

/** The same sentence twice means the same board: eight lines with their cells and pips.
 *  @param {any} preview */
function newest(preview) {
  const lines = preview?.because[0]?.lines;
  return lines ? JSON.stringify(lines.map((/** @type {{text: string, cells: Cell[]}} */ { text, cells }) => [text, cells])) : null;
}

/** @param {Error} fault */
const sentence = (fault) =>
  fault instanceof Refusal ? fault.message : _("Something went wrong on this page. Reload it; the match is safe.");
