/** A roll of dice by colour, tapped in any order; a tap on a die takes it away again. */

import { die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, dieName, ngettext } from "../page/words.js";

/** @typedef {import("./pieces.js").FootButton} FootButton
 *  @typedef {{colour: string, value: number}} Fallen */

export class Roll {
  padName = "";
  /** @type {Fallen[]} */ dice = []; // in the order of the taps

  /** @param {HTMLElement} pad @param {() => void} changed */
  constructor(pad, changed) {
    this.pad = pad;
    this.changed = changed;
    /** @type {{colours: Record<string, number>, roll: object}} */
    this.data = JSON.parse(String(pad.dataset.roll));
    this.colours = Object.keys(this.data.colours);
  }

  get tapped() {
    return this.dice.length > 0;
  }

  get progress() {
    return { dice: this.dice };
  }

  set progress(half) {
    Object.assign(this, half);
  }

  /** How many dice of a colour are still to be tapped in.
   *  @param {string} colour */
  left(colour) {
    return this.data.colours[colour] - this.dice.filter((one) => one.colour === colour).length;
  }

  /** @param {string} face @param {string} colour */
  add(face, colour) {
    if (!this.left(colour)) return;
    this.dice.push({ value: Number(face), colour });
    this.changed();
  }

  /** @param {number} at */
  remove(at) {
    this.dice.splice(at, 1);
    this.changed();
  }

  /** What is said of the dice: [words, kind, rule].
   *  @returns {[string, string, string?]} */
  get says() {
    return ["", ""];
  }

  /** @returns {FootButton[]} */
  get buttons() {
    const missing = this.colours.reduce((sum, colour) => sum + this.left(colour), 0);
    const more = ngettext("Tap {n} more die", "Tap {n} more dice", missing);
    if (missing) return this.tapped ? [{ main: more, words: more }] : [];
    const dice = [...this.dice].sort((a, b) => a.colour.localeCompare(b.colour) || a.value - b.value).map(({ colour, value }) => [colour, value]);
    return [{ main: _("Count it"), words: _("Count it"), moves: [{ ...this.data.roll, dice }] }];
  }

  draw() {
    const all = this.colours.flatMap((colour) => {
      const lying = this.dice.filter((one) => one.colour === colour);
      return [...lying, ...Array.from({ length: this.left(colour) }, () => null)];
    });
    const slot = (/** @type {Fallen | null} */ one, /** @type {number} */ place) =>
      one
        ? html("button", { type: "button", class: "slot", "data-at": `slot ${place}`, "aria-label": _("take {die} away", { die: dieName(one.colour, one.value) }), click: () => this.remove(this.dice.indexOf(one)) }, die(one.value, one.colour))
        : html("span", { class: "slot empty", "aria-hidden": "true" }, "?");
    const [slots] = this.pad.querySelectorAll(".slots");
    redraw(/** @type {Element} */ (slots), ...all.map(slot));
    for (const key of /** @type {NodeListOf<HTMLElement>} */ (this.pad.querySelectorAll(".key"))) key.setAttribute("aria-disabled", String(!this.left(String(key.dataset.colour))));
  }
}
