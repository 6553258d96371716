/** Dice that several players show, tapped die by die; how many count leads to what the rules say of that number. */

import { all, die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, ngettext } from "../page/words.js";

/** @typedef {{who: string, colour: string, number: number, move: object}} Hand
 *  @typedef {import("./pieces.js").FootButton} FootButton */

const FACES = [1, 2, 3, 4, 5, 6];

export class Hands {
  padName = "";
  open = false;
  at = 0; // whose dice are tapped
  /** @type {number[][]} */ shown;

  /** @param {HTMLElement} pad @param {() => void} changed */
  constructor(pad, changed) {
    this.pad = pad;
    this.changed = changed;
    /** @type {{hands: Hand[], counting: number[], before: number, ends: string[]}} */
    this.data = JSON.parse(String(pad.dataset.hands));
    this.shown = this.data.hands.map(() => []);
  }

  get tapped() {
    return this.shown.some(({ length }) => length);
  }

  get progress() {
    return { open: this.open, at: this.at, shown: this.shown };
  }

  set progress(half) {
    Object.assign(this, half);
  }

  get found() {
    return this.shown.flat().filter((pips) => this.data.counting.includes(pips)).length;
  }

  /** One more die; after the last of a player come those of the next.
   *  @param {string} pips */
  add(pips) {
    if (!this.missing(this.at)) return;
    this.shown[this.at].push(Number(pips));
    const next = this.data.hands.findIndex((_hand, at) => this.missing(at) > 0);
    if (!this.missing(this.at) && next >= 0) this.at = next;
    this.changed();
  }

  /** @param {number} at */
  missing = (at) => this.data.hands[at].number - this.shown[at].length;

  /** @returns {[string, string]} */
  get says() {
    if (!this.open) return ["", ""];
    return [ngettext("{n} die counts so far.", "{n} dice count so far.", this.data.before + this.found), ""];
  }

  /** @returns {FootButton[]} */
  get buttons() {
    if (!this.open) return [];
    const { hands, ends } = this.data;
    const more = this.missing(this.at);
    const words = ngettext("Tap {n} more of {who}", "Tap {n} more of {who}", more, { who: hands[this.at].who });
    if (more) return [{ main: words, words }];
    const moves = hands.map(({ move }, at) => ({ ...move, dice: this.shown[at].toSorted((a, b) => a - b) }));
    return [{ main: ends[this.found], words: ends[this.found], moves }];
  }

  toggle() {
    this.open = !this.open;
    this.changed();
  }

  draw() {
    for (const pad of all(/** @type {HTMLElement} */ (this.pad.parentElement), "[data-pad]")) pad.hidden = this.open;
    const toggle = html("button", { type: "button", class: "plain", "data-at": "toggle", click: () => this.toggle() }, this.open ? _("Just count") : _("Die by die"));
    redraw(this.pad, ...(this.open ? [this.players(), this.slots(), this.faces()] : []), toggle);
  }

  players() {
    const chip = (/** @type {Hand} */ { who, number }, /** @type {number} */ at) =>
      html("button", { type: "button", "data-at": `player ${at}`, "aria-pressed": String(at === this.at), click: () => ((this.at = at), this.changed()) }, _("{who}: {n} of {number}", { who, n: this.shown[at].length, number }));
    return html("div", { class: "keys who", role: "group", "aria-label": _("Whose dice") }, this.data.hands.map(chip));
  }

  slots() {
    const { colour, number } = this.data.hands[this.at];
    const shown = this.shown[this.at];
    const slot = (/** @type {number} */ at) => {
      if (at >= shown.length) return html("span", { class: "slot empty", "aria-hidden": "true" }, "?");
      const counts = this.data.counting.includes(shown[at]);
      const words = counts ? _("{pips}, counts; take it away", { pips: shown[at] }) : _("{pips}; take it away", { pips: shown[at] });
      return html("button", { type: "button", class: `slot ${counts ? "counts" : ""}`, "data-at": `slot ${at}`, "aria-label": words, click: () => (shown.splice(at, 1), this.changed()) }, die(shown[at], colour));
    };
    return html("div", { class: "slots keys", role: "group", "aria-label": _("The dice of {who}", { who: this.data.hands[this.at].who }) }, Array.from({ length: number }, (_none, at) => slot(at)));
  }

  faces() {
    const { who, colour } = this.data.hands[this.at];
    const key = (/** @type {number} */ pips) => html("button", { type: "button", class: "key", "data-key": pips, "aria-label": _("{who}: a {pips}", { who, pips }) }, die(pips, colour));
    return html("div", { class: "keys", role: "group", "aria-label": _("What {who} shows", { who }) }, html("p", { class: "label", "aria-hidden": "true" }, _("What {who} shows", { who })), FACES.map(key));
  }
}
