/** Dice that are tapped in any order as they lie, and which of them are kept; what they bring is in the rules' own table. */

import { die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, ngettext } from "../page/words.js";

/** @typedef {import("./pieces.js").FootButton} FootButton
 *  @typedef {{move: any, button: string, small: string, least: number, why: string, rule: string}} Keeping
 *  @typedef {{number: number, anew: number, lying: number[], roll: any, worth: Record<string, number>, before: number, score: number, asks: boolean, why: string, rule: string, keeps: Keeping[]}} DiceData */

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
  padName = "";
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

  get progress() {
    return { pips: this.pips, kept: this.kept, chosen: this.chosen };
  }

  set progress(half) {
    Object.assign(this, half);
  }

  propose() {
    this.chosen = false;
    this.kept = best(this.data.worth, this.pips);
  }

  /** A face: one more die lies there.
   *  @param {string} pips */
  add(pips) {
    if (this.pips.length >= this.data.number) return;
    this.pips.push(Number(pips));
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

  get brings() {
    return points(this.data.worth, this.keptPips);
  }

  /** Whether one of the kept dice counts for nothing. */
  get illegal() {
    return this.keptPips.length > 0 && !this.brings;
  }

  /** Whether something may be kept at all. */
  get worthless() {
    return !best(this.data.worth, this.pips).some(Boolean);
  }

  /** Which dice are kept and count, by place. */
  get counting() {
    const counts = best(this.data.worth, this.keptPips);
    let place = 0;
    return this.kept.map((kept) => kept && counts[place++]);
  }

  /** What is said of the dice: [words, kind, rule].
   *  @returns {[string, string, string?]} */
  get says() {
    const shown = sorted(this.keptPips).join(" ");
    if (this.illegal) return [this.data.why.replace("{dice}", shown), "wrong", this.data.rule];
    if (this.brings) return [`${shown}: ${this.brings}`, "good"];
    if (!this.pips.length || this.missing) return ["", ""];
    return [this.worthless ? _("Nothing counts.") : _("Tap the dice that are kept."), ""];
  }

  /** @returns {FootButton[]} */
  get buttons() {
    const { data, missing } = this;
    if (this.illegal) {
      const { counting } = this;
      const useless = this.pips.filter((_pips, at) => this.kept[at] && !counting[at]);
      const stays = points(data.worth, this.pips.filter((_pips, at) => counting[at]));
      const small = stays ? _("{points} still count", { points: stays }) : "";
      return [{ main: _("Leave the {dice}", { dice: [...new Set(useless)].join(" ") }), small, words: _("Leave what does not count"), act: () => this.mend() }];
    }
    const more = ngettext("Tap {n} more die", "Tap {n} more dice", missing);
    if (missing) return this.pips.length ? [{ main: more, words: more }] : [];
    const roll = this.rolled;
    if (this.worthless) return [{ main: _("Count it"), small: _("Nothing counts."), words: _("Count it"), moves: roll }];
    if (!data.keeps.length) return [{ main: _("Count the roll"), words: _("Count the roll"), moves: roll }];
    return this.brings ? data.keeps.map((keeping) => this.keep(keeping, roll)) : [];
  }

  /** The move of the roll, once all of its dice lie there. */
  get rolled() {
    const { roll } = this.data;
    return roll && !this.missing ? [{ ...roll, dice: sorted(this.pips) }] : [];
  }

  /** @param {Keeping} keeping @param {unknown[]} roll @returns {FootButton} */
  keep({ move, button, small, least, why, rule }, roll) {
    const { data, brings, keptPips } = this;
    const total = data.before + brings;
    const parts = /** @type {Record<string, string | number>} */ ({ left: data.number - keptPips.length || data.anew, total });
    const fill = (/** @type {string} */ text) => text.replace(/{(\w+)}/g, (_found, name) => String(parts[name]));
    const main = fill(button);
    const refused = `${why} (${rule})`;
    if (brings < least) return { main, small: refused, words: `${main}: ${refused}` };
    const then = small ? fill(small) : `${data.score} → ${data.score + total}`;
    return { main, small: then, words: `${main}: ${then}`, moves: [...roll, { ...move, dice: sorted(keptPips) }] };
  }

  /** Keep of what was chosen only what counts. */
  mend() {
    this.kept = this.counting;
    this.changed();
  }

  draw() {
    const [slots] = this.pad.querySelectorAll(".slots");
    const { illegal, counting } = this;
    const slot = (/** @type {number} */ at) => {
      if (at >= this.pips.length) return html("span", { class: "slot empty", "aria-hidden": "true" }, "?");
      const words = this.kept[at] ? _("{pips}, kept", { pips: this.pips[at] }) : _("{pips}, left", { pips: this.pips[at] });
      return html("button", { type: "button", class: `slot ${illegal && this.kept[at] && !counting[at] ? "bad" : ""}`, "data-at": `slot ${at}`, "aria-pressed": String(this.kept[at]), "aria-label": words, click: () => this.toggle(at) }, die(this.pips[at], "white"));
    };
    const label = html("p", { class: "label" }, this.data.keeps.length ? _("Lit dice are kept; tap one to leave it.") : null, this.pips.length > this.data.lying.length ? html("button", { type: "button", class: "plain", "data-at": "last", click: () => this.removeLast() }, _("Remove the last")) : null);
    const [roll] = this.data.asks && !this.worthless ? this.rolled : [];
    const ask = roll && html("p", { class: "label" }, html("button", { class: "plain", "data-at": "ask", name: "move", value: JSON.stringify(roll) }, _("Count the roll, then ask")));
    redraw(/** @type {Element} */ (slots), label, ...Array.from({ length: this.data.number }, (_none, at) => slot(at)), ...(ask ? [ask] : []));
  }
}
