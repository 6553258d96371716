/** Dice that are tapped in any order as they lie, and which of them are kept; what they bring is in the rules' own table. */

import { die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, ngettext } from "../page/words.js";

/** @typedef {{move: any, button: string, small: string, least: number, why: string, rule: string}} Keeping
 *  @typedef {{number: number, lying: number[], roll: any, worth: Record<string, number>, before: number, score: number, why: string, rule: string, keeps: Keeping[]}} DiceData
 *  @typedef {{main: string, small?: string, words: string, moves?: unknown[], act?: () => void}} FootButton */

const ALL = 6; // dice that are rolled once all are kept

/** @param {number[]} pips */
const sorted = (pips) => [...pips].sort((a, b) => a - b);

/** What dice bring together; 0 where one of them counts for nothing.
 *  @param {Record<string, number>} worth @param {number[]} pips */
export const points = (worth, pips) => worth[sorted(pips).join("")] ?? 0;

/** Which of the dice bring most, and of those as few as possible.
 *  @param {Record<string, number>} worth @param {number[]} pips @returns {boolean[]} */
export function best(worth, pips) {
  let most = pips.map(() => false);
  let found = [0, 0];
  for (let choice = 1; choice < 1 << pips.length; choice++) {
    const kept = pips.map((_pips, at) => Boolean(choice & (1 << at)));
    const some = pips.filter((_pips, at) => kept[at]);
    const brings = [points(worth, some), -some.length];
    if (brings[0] > found[0] || (brings[0] === found[0] && brings[0] > 0 && brings[1] > found[1])) [most, found] = [kept, brings];
  }
  return most;
}

export class Dice {
  /** @type {number[]} */ pips = []; // in the order of the taps
  /** @type {boolean[]} */ kept = [];
  chosen = false; // a person has said what is kept

  /** @param {HTMLElement} pad @param {() => void} changed */
  constructor(pad, changed) {
    this.pad = pad;
    this.changed = changed;
    /** @type {DiceData} */
    this.data = JSON.parse(String(pad.dataset.dice));
    this.pips = [...this.data.lying];
    this.propose();
  }

  get tapped() {
    return this.chosen || this.pips.length > this.data.lying.length;
  }

  propose() {
    this.chosen = false;
    this.kept = best(this.data.worth, this.pips);
  }

  /** A face: one more die lies there.
   *  @param {number} pips */
  add(pips) {
    if (this.pips.length >= this.data.number) return;
    this.pips.push(pips);
    if (this.chosen) this.kept.push(false);
    else this.propose();
    this.changed();
  }

  /** @param {number} at */
  toggle(at) {
    this.chosen = true;
    this.kept[at] = !this.kept[at];
    this.changed();
  }

  removeLast() {
    this.pips.pop();
    this.propose();
    this.changed();
  }

  get keptPips() {
    return this.pips.filter((_pips, at) => this.kept[at]);
  }

  get missing() {
    return this.data.number - this.pips.length;
  }

  /** What is said of the dice: [words, kind, rule].
   *  @returns {[string, string, string?]} */
  get says() {
    const { data, keptPips } = this;
    const shown = sorted(keptPips).join(" ");
    const brings = points(data.worth, keptPips);
    if (keptPips.length && !brings) return [data.why.replace("{dice}", shown), "wrong", data.rule];
    if (brings) return [`${shown}: ${brings}`, "good"];
    if (!this.pips.length || this.missing) return ["", ""];
    return best(data.worth, this.pips).some(Boolean) ? [_("Tap the dice that are kept."), ""] : [_("Nothing counts."), ""];
  }

  /** @returns {FootButton[]} */
  get buttons() {
    const { data, keptPips, missing } = this;
    const brings = points(data.worth, keptPips);
    if (keptPips.length && !brings) {
      const useless = this.pips.filter((pips, at) => this.kept[at] && !best(data.worth, keptPips)[keptPips.indexOf(pips)]);
      return [{ main: _("Leave the {dice}", { dice: [...new Set(useless)].join(" ") }), words: _("Leave what does not count"), act: () => this.mend() }];
    }
    if (missing) return this.pips.length ? [{ main: ngettext("Tap {n} more die", "Tap {n} more dice", missing), words: ngettext("Tap {n} more die", "Tap {n} more dice", missing) }] : [];
    const roll = data.roll ? [{ ...data.roll, dice: sorted(this.pips) }] : [];
    if (!best(data.worth, this.pips).some(Boolean)) return [{ main: _("Count it"), small: _("Nothing counts."), words: _("Count it"), moves: roll }];
    return brings ? data.keeps.map((keeping) => this.keep(keeping, roll, brings)) : [];
  }

  /** @param {Keeping} keeping @param {unknown[]} roll @param {number} brings @returns {FootButton} */
  keep({ move, button, small, least, why, rule }, roll, brings) {
    const total = this.data.before + brings;
    const parts = /** @type {Record<string, string | number>} */ ({ left: this.data.number - this.keptPips.length || ALL, total });
    const fill = (/** @type {string} */ text) => text.replace(/{(\w+)}/g, (_found, name) => String(parts[name]));
    const then = small ? fill(small) : `${this.data.score} → ${this.data.score + total}`;
    if (brings < least) return { main: fill(button), small: `${why} (${rule})`, words: `${fill(button)}: ${why} (${rule})` };
    return { main: fill(button), small: then, words: `${fill(button)}: ${then}`, moves: [...roll, { ...move, dice: sorted(this.keptPips) }] };
  }

  /** Keep of what was chosen only what counts. */
  mend() {
    const counts = best(this.data.worth, this.keptPips);
    let place = 0;
    this.kept = this.kept.map((kept) => kept && counts[place++]);
    this.changed();
  }

  draw() {
    const [slots] = this.pad.querySelectorAll(".slots");
    const illegal = this.keptPips.length > 0 && !points(this.data.worth, this.keptPips);
    const slot = (/** @type {number} */ at) => {
      if (at >= this.pips.length) return html("span", { class: "slot empty", "aria-hidden": "true" }, "?");
      const words = this.kept[at] ? _("{pips}, kept", { pips: this.pips[at] }) : _("{pips}, left", { pips: this.pips[at] });
      return html("button", { type: "button", class: `slot ${illegal && this.kept[at] ? "bad" : ""}`, "data-at": `slot ${at}`, "aria-pressed": String(this.kept[at]), "aria-label": words, click: () => this.toggle(at) }, die(this.pips[at], "white"));
    };
    const label = html("p", { class: "label" }, _("Lit dice are kept; tap one to leave it."), this.pips.length > this.data.lying.length ? html("button", { type: "button", class: "plain", "data-at": "last", click: () => this.removeLast() }, _("Remove the last")) : null);
    redraw(/** @type {Element} */ (slots), label, ...Array.from({ length: this.data.number }, (_none, at) => slot(at)));
  }
}
