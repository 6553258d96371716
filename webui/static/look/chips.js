/** The likely values of one piece, as chips beside it on the photo, each with the score that it leads to. */

import { all, byId, die, html, targetOf } from "../page/dom.js";
import { _, upper } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

const GAP = 10; // CSS px between a piece and its chips
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
/** @type {Record<string, string>} */
const SIGNS = { blank: "", checked: "✕", struck: "╱", blackened: "■" };

/** @typedef {import("./choices.js").Choice} Choice
 *  @typedef {{key: string, doubt?: unknown}} Keyed */

export class Chips {
  /** @type {Keyed | null} */ piece = null; // whose values are shown
  /** @type {(choice: Choice) => void} */ answered = () => {};
  /** @type {(() => void) | null | undefined} */ more = null;

  /** @param {Look} look whose pieces they are @param {(piece: Keyed) => HTMLElement | null} anchor returns the element of a piece on the photo */
  constructor(look, anchor) {
    this.look = look;
    this.anchor = anchor;
    this.box = byId("chips");
    byId("overlay").addEventListener("click", (event) => targetOf(event).closest("[data-key]") || this.close()); // beside all pieces
    this.box.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.reveal()).observe(this.box); // the dock below is measured when both are first shown
  }

  /** Show the `choices` of a piece, each {words, faces|sign, current, make}; `answered(choice)` hears the one that
   *  is taken, and `more`, if any, opens the sheet with all there is. `said` are the sentences about the piece.
   *  @param {Keyed} piece @param {{said: string[], choices: Choice[], answered: (choice: Choice) => void, more?: (() => void) | null}} question */
  open(piece, { said, choices, answered, more }, focus = true) {
    Object.assign(this, { piece, choices, answered, more });
    byId("chips-says").replaceChildren(...said.map((line) => html("p", {}, upper(line))));
    byId("chips-choices").replaceChildren(...choices.map((choice) => this.chip(choice)), ...(more ? [this.moreButton()] : []));
    this.box.classList.toggle("doubtful", Boolean(piece.doubt));
    this.box.hidden = false;
    this.place();
    this.look.scores.each(choices, (choice, score) => this.score(choice, score));
    if (focus) (all(this.box, '[aria-pressed="true"]')[0] ?? all(this.box, "button")[0]).focus({ preventScroll: true });
    this.reveal();
  }

  /** Bring all of it in sight, above the dock. */
  reveal() {
    this.box.scrollIntoView({ block: "nearest" });
  }

  /** @param {Choice} choice */
  chip(choice) {
    const drawn = choice.faces ? choice.faces.map(([value, colour]) => die(value, colour)) : html("span", { class: "sign", "aria-hidden": "true" }, SIGNS[String(choice.sign)]);
    const button = html(
      "button",
      { type: "button", class: "value", "aria-pressed": String(Boolean(choice.current)), "data-digit": choice.digit, click: () => this.answer(choice) },
      html("span", { class: "pair" }, drawn),
      html("span", {}, choice.short, html("small", { class: "leads" }, "…")),
    );
    choice.button = button;
    button.setAttribute("aria-label", choice.words);
    return button;
  }

  moreButton() {
    return html("button", { type: "button", class: "value more", "aria-label": _("Another value, or nothing here"), click: () => this.all() }, "⋯");
  }

  /** Say what a choice leads to.
   *  @param {Choice} choice @param {{short: string, words: string}} leads */
  score(choice, { short, words }) {
    if (!choice.button) return;
    all(choice.button, ".leads")[0].textContent = short;
    choice.button.setAttribute("aria-label", words ? `${choice.words}: ${words}` : choice.words);
  }

  /** @param {Choice} choice */
  answer(choice) {
    const { answered } = this;
    this.close();
    answered(choice);
  }

  /** Leave the chips for the sheet that has every value. */
  all() {
    const { more } = this;
    this.close();
    more?.();
  }

  close(back = false) {
    const { piece } = this;
    this.piece = null;
    this.box.hidden = true;
    this.look.view.zoom.back();
    this.look.scores.stop();
    if (back && piece) this.anchor(piece)?.focus({ preventScroll: true });
  }

  /** Stand below the piece, or above it where the dock would cover that. */
  place() {
    if (this.box.hidden) return;
    const around = this.box.offsetParent?.getBoundingClientRect();
    const at = this.piece && this.anchor(this.piece)?.getBoundingClientRect();
    if (!around || !at) return;
    const [top, bottom] = [at.top - around.top, at.bottom - around.top].map((place) => Math.min(Math.max(place, 0), around.height)); // it may be out of sight
    const high = this.box.offsetHeight;
    const least = Math.min(innerHeight, all(document, "#look .dock")[0].getBoundingClientRect().top);
    const above = at.bottom + GAP + high > least && top - GAP - high >= 0;
    this.box.classList.toggle("above", above);
    this.box.style.setProperty("--top", `${above ? top - GAP - high : bottom + GAP}px`);
    const middle = at.left + at.width / 2 - around.left;
    const left = Math.min(Math.max(middle - this.box.offsetWidth / 2, 0), Math.max(around.width - this.box.offsetWidth, 0));
    this.box.style.setProperty("--left", `${left}px`);
    this.box.style.setProperty("--tip", `${Math.min(Math.max(middle - left, 28), this.box.offsetWidth - 28)}px`);
  }

  /** Digits answer, arrows walk along the chips, Escape leaves them.
   *  @param {KeyboardEvent} event */
  press(event) {
    const buttons = all(byId("chips-choices"), ":scope > *");
    if (event.key === "Escape") this.close(true);
    else if (event.key in STEPS) {
      const place = buttons.findIndex((button) => button === document.activeElement) + STEPS[event.key];
      buttons[(place + buttons.length) % buttons.length].focus();
    } else if (!this.piece || !this.look.pieces.digit(this.piece, event.key)) return;
    event.preventDefault();
  }
}
