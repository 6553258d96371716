/** What was entered on this phone and is not stored yet: one queue a match, in order, kept over a reload and a restart.
 *
 *  An entry is a step (`path`, `sent`), or the place of one that is still looked at (`photo`, `draft`), which the step
 *  confirmed there takes. Its `id` is that of its request: sent twice, it counts once. It is sent once the entry `behind`
 *  which it stands is stored, as following the step `after`; null is the newest. A step that is `refused` stops those
 *  behind it until a person sends it again or drops it.
 */

import { Refusal, call, formOf, newRequest } from "./api.js";
import { at } from "./root.js";
import { entries as shelf, written } from "./waiting.js";
import { _ } from "../page/words.js";

const AGAIN = 3000; // ms until a server that did not answer is tried again
const LATER = ["Offline", "Broken", "Busy", "Full", "TooOften", "CannotStore"]; // the same may do better then
const STOPPED = { kind: "Stopped", message: _("The step before it was not counted.") };
const WAITS = _("It is kept on this phone and sent once what was entered before it is counted.");
const LOCK = "queue"; // the tabs of one browser send one after the other
const NEW = { path: null, sent: null, form: false, photo: null, draft: null, open: false, behind: null, after: null, tried: false, refused: null };

/** @typedef {{kind: string, message: string, rule?: string}} Reason
 *  @typedef {{id: string, key: [string, number], path: string | null, sent: any, form: boolean, says?: string, pad?: string | null, whose?: string, photo: any,
 *    draft: any, open: boolean, behind: string | null, after: number | null, tried: boolean, refused: Reason | null, kind?: string, since?: number | null, spot?: number, place?: string, counted?: string | null}} Entry
 *  @typedef {{path: string, sent: any, form?: boolean, says?: string, pad?: string | null, whose?: string}} Step
 *  @typedef {{resolve: (stored: {seq: number}) => void, reject: (why: Refusal) => void, attended: () => boolean}} Waiter */

class Queue {
  /** @type {Entry[]} */
  entries = [];
  /** @type {string | null} */
  flying = null; // the id of the step that is on its way
  /** @type {Refusal | null} */
  away = null; // why the server did not take the last one, while that may change
  /** @type {Map<string, Waiter>} */
  #pending = new Map(); // who waits for an answer, by the entry's id
  /** @type {Promise<void> | null} */
  #loaded = null;
  /** @type {number | undefined} */
  #again;
  /** @type {BroadcastChannel | null} */
  #tabs = null; // the other tabs of this match
  #changes = 0; // made in this tab
  /** @type {Set<string>} */
  #loose = new Set(); // the ids of what the browser did not keep
  match = "";
  /** @type {{drawn: () => void, stored: (seq: number) => void}} */
  tell = { drawn: () => {}, stored: () => {} };

  /** `drawn` hears of each change, `stored` the number of a step for which nobody waits any more.
   *  @param {string} match @param {{drawn: () => void, stored: (seq: number) => void}} hears */
  begin(match, { drawn, stored }) {
    this.match = match;
    this.tell = { drawn, stored };
    this.entries = [];
    this.#tabs?.close();
    this.#tabs = new BroadcastChannel(`${LOCK} ${match}`);
    this.#tabs.onmessage = ({ data }) => this.#hear(data);
    this.#loaded = this.#load();
    return this.#loaded;
  }

  /** Take over what any tab has kept; our own objects stay, as others hold them. What is changed here while the
   *  shelf is read is newer: it is read again. What the shelf did not take is only here. */
  async #load() {
    let kept, changes;
    do {
      changes = this.#changes;
      kept = await shelf.below(this.match);
    } while (changes !== this.#changes);
    if (kept) {
      const ours = this.entries.filter(({ id }) => this.#loose.has(id));
      const shared = kept.filter((/** @type {Entry} */ { id }) => !this.#loose.has(id));
      this.entries = [...shared.map((/** @type {Entry} */ entry) => Object.assign(this.find(entry.id) ?? {}, entry)), ...ours];
    }
    this.#draw();
  }

  /** Take over a change of another tab, and what came of a step of ours that it has sent.
   *  @param {{id?: string, seq?: number}} news */
  async #hear({ id, seq }) {
    if (id && seq) this.#take(id)?.resolve({ seq });
    await this.#load();
    for (const { id: stopped, refused } of this.entries) if (refused) this.#take(stopped)?.reject(new Refusal(refused.kind, refused.message));
  }

  /** Let the other tabs hear of a change once it is kept.
   *  @param {{id?: string, seq?: number}} news */
  #spread(news = {}) {
    this.#changes += 1;
    written().then(() => this.#tabs?.postMessage(news));
  }

  // -------------------------------------------------------------- entered

  /** Store a step {path, sent, form, says} and return {seq}; raise Offline where it waits, else what the server has
   *  against it. Where nobody attends to it any more, that is kept for a person to decide.
   *  @param {Step} step */
  async add(step, attended = () => true) {
    await this.#loaded;
    return this.#answer(this.#put(newRequest(), { ...step, after: Number(step.sent.after) }), attended);
  }

  /** Keep what is looked at in its place.
   *  @param {string} id @param {Partial<Entry>} fields */
  async hold(id, fields) {
    await this.#loaded;
    const entry = this.find(id);
    if (entry) this.#change(entry, fields);
    else this.#put(id, { open: true, ...fields });
  }

  /** Put a step in the place of what was looked at, and store it.
   *  @param {string} id @param {Step} step @param {() => boolean} attended */
  async fill(id, step, attended) {
    await this.#loaded;
    const after = this.find(this.find(id)?.behind) ? null : Number(step.sent.after);
    await this.hold(id, { ...step, after, open: false, refused: null });
    return this.#answer(this.#at(id), attended);
  }

  /** Let go of the place of what was looked at.
   *  @param {string} id */
  async release(id) {
    await this.#loaded;
    if (this.find(id)?.path === null) await this.drop(id);
  }

  // -------------------------------------------------------------- decided

  /** Forget an entry; each step behind it is asked about.
   *  @param {string} id */
  drop(id) {
    const entry = this.#at(id);
    this.#stopBehind(entry);
    for (const next of this.#followers(entry)) this.#change(next, { behind: null, after: null });
    return this.#remove(entry);
  }

  /** Send again what was refused, as following the newest step.
   *  @param {string} id */
  retry(id) {
    this.#change(this.#at(id), { refused: null, behind: null, after: null });
    return this.send();
  }

  /** Drop the newest step that never left this phone, and return whether there was one. */
  takeBack() {
    const newest = this.entries.findLast(({ path, refused }) => path && !refused);
    if (!newest || newest.tried) return false;
    this.drop(newest.id);
    return true;
  }

  // -------------------------------------------------------------- looked up

  /** @param {string | null | undefined} id */
  find(id) {
    return this.entries.find((entry) => entry.id === id);
  }

  /** @param {string} id of an entry that is there */
  #at = (id) => /** @type {Entry} */ (this.find(id));

  /** What was looked at when the page was left. */
  get open() {
    return this.entries.findLast(({ open }) => open);
  }

  /** Whether a step waits that is not refused. */
  get waits() {
    return this.entries.some(({ path, refused }) => path && !refused);
  }

  /** Whether a person waits for its answer.
   *  @param {Entry} entry */
  attends = ({ id }) => this.#pending.has(id);

  /** Whether nothing goes before it.
   *  @param {Entry} entry */
  isFirst = ({ behind }) => !this.find(behind);

  /** @param {Entry} entry */
  #followers = ({ id }) => this.entries.filter(({ behind }) => behind === id);

  // -------------------------------------------------------------- sent

  /** Send what stands before an entry; raise Offline where that has to wait. What is only on its way is not waited for.
   *  @param {string} id */
  async reach(id) {
    await this.#loaded;
    const waits = () => {
      const before = this.find(this.find(id)?.behind);
      return before && (this.away || !before.path || before.refused);
    };
    if (waits()) await this.send();
    if (waits()) throw new Refusal("Offline", WAITS);
  }

  /** Send all that can be sent, one after the other; another tab that sends goes first.
   *  A page without https has no locks: a step that two tabs send counts once, by its id. */
  async send() {
    if (!navigator.locks) return this.#send();
    return navigator.locks.request(`${LOCK} ${this.match}`, async () => {
      await this.#load();
      await this.#send();
      await written(); // what is stored waits for the next tab no more
    });
  }

  async #send() {
    if (this.flying) return;
    clearTimeout(this.#again);
    for (const entry of this.entries) if (entry.refused) this.#stopBehind(entry); // the page was left before that was kept
    for (let next; (next = this.entries.find((entry) => entry.path && !entry.refused && this.isFirst(entry))); ) {
      this.flying = next.id;
      try {
        const { seq } = await this.#post(next);
        this.#stored(next, seq);
      } catch (fault) {
        if (LATER.includes(fault.kind)) return this.#putOff(fault);
        this.#refuse(next, fault);
      }
    }
  }

  /** @param {Entry} entry */
  async #post(entry) {
    this.#change(entry, { tried: true });
    const match = at(`/api/matches/${this.match}`);
    const after = entry.after ?? (await call(match)).seq;
    const sent = { ...entry.sent, after, request: entry.id };
    return call(String(entry.path), entry.form ? formOf(sent) : sent);
  }

  /** @param {Entry} entry @param {number} seq */
  #stored(entry, seq) {
    this.flying = this.away = null;
    for (const next of this.#followers(entry)) this.#change(next, { behind: null, after: seq, refused: null });
    this.#remove(entry);
    this.#spread({ id: entry.id, seq });
    const waiter = this.#take(entry.id);
    if (waiter) waiter.resolve({ seq });
    else this.tell.stored(seq);
  }

  /** @param {Entry} entry @param {Refusal} fault */
  #refuse(entry, fault) {
    this.flying = this.away = null;
    const waiter = this.#take(entry.id);
    const seen = waiter?.attended();
    if (seen && entry.draft) this.#change(entry, { path: null, open: true, tried: false });
    else if (seen && !this.#followers(entry).length) this.#remove(entry);
    else this.#stop(entry, { kind: fault.kind, message: fault.message, rule: fault.rule });
    waiter?.reject(fault);
  }

  /** @param {Entry} entry @param {Reason} refused */
  #stop(entry, refused) {
    this.#change(entry, { refused, tried: false });
    this.#stopBehind(entry);
  }

  /** Stop the steps behind one that is not counted.
   *  @param {Entry} entry */
  #stopBehind(entry) {
    for (const next of this.#followers(entry).filter(({ path, refused }) => path && !refused)) {
      this.#take(next.id)?.reject(new Refusal(STOPPED.kind, STOPPED.message));
      this.#stop(next, STOPPED);
    }
  }

  /** Nobody waits any longer for what the server may take later.
   *  @param {Refusal} fault */
  #putOff(fault) {
    this.flying = null;
    this.away = new Refusal("Offline", fault.message);
    this.#letGo([...this.#pending.keys()], this.away);
    this.#again = setTimeout(() => this.send(), AGAIN);
  }

  /** Say of entries why they wait, once a reload does not lose them.
   *  @param {string[]} ids @param {Refusal} why */
  async #letGo(ids, why) {
    await written();
    for (const id of ids) this.#take(id)?.reject(why);
    this.#draw();
  }

  /** Return the answer to an entry; of one that must wait that it does.
   *  @param {Entry} entry @param {() => boolean} attended @returns {Promise<{seq: number}>} */
  #answer(entry, attended) {
    const answer = new Promise((resolve, reject) => this.#pending.set(entry.id, { resolve, reject, attended }));
    const held = this.#blocked(entry);
    const why = held ? new Refusal("Offline", WAITS) : this.away;
    if (why) this.#letGo([entry.id], why);
    this.#draw();
    this.send();
    return answer;
  }

  /** Whether a person has to look at something before it.
   *  @param {Entry} entry @returns {boolean} */
  #blocked({ behind }) {
    const before = this.find(behind);
    return before !== undefined && (!before.path || this.#blocked(before));
  }

  /** @param {string} id */
  #take(id) {
    const waiter = this.#pending.get(id);
    this.#pending.delete(id);
    return waiter;
  }

  // -------------------------------------------------------------- kept

  /** @param {string} id @param {Partial<Entry>} fields */
  #put(id, fields) {
    const last = this.entries.findLast(({ refused, open }) => !refused && !open);
    const place = Math.max(Date.now(), (this.entries.at(-1)?.key[1] ?? 0) + 1);
    /** @type {Entry} */
    const entry = { ...NEW, id, key: [this.match, place], behind: last?.id ?? null, ...fields };
    this.entries.push(entry);
    this.#keep(entry);
    return entry;
  }

  /** @param {Entry} entry @param {Partial<Entry>} fields */
  #change(entry, fields) {
    Object.assign(entry, fields);
    if (this.entries.includes(entry)) this.#keep(entry); // else it was dropped on its way
    this.#draw();
  }

  /** @param {Entry} entry */
  #keep(entry) {
    shelf.keep(entry.key, entry).then((kept) => (kept ? this.#loose.delete(entry.id) : this.#loose.add(entry.id)));
    this.#spread();
  }

  /** @param {Entry} entry */
  #remove(entry) {
    this.entries = this.entries.filter((one) => one !== entry);
    const forgotten = shelf.forget(entry.key);
    this.#spread();
    this.#draw(); // as gone once a reload does not bring it back
    return forgotten;
  }

  /** Show what waits once a reload does not lose it. */
  #draw() {
    written().then(() => this.tell.drawn());
  }
}

/** The queue of the match that this page shows. */
export const queue = new Queue();
