/** The likely values of one piece, as chips beside it on the photo, each with the score that it leads to. */

import { byId, die, html } from "../page/dom.js";
import { _, upper } from "../page/words.js";

const GAP = 10; // CSS px between a piece and its chips
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const SIGNS = { blank: "", checked: "✕", struck: "╱", blackened: "■" };

export class Chips {
  piece = null; // whose values are shown

  /** @param look whose pieces they are; @param anchor returns the element of a piece on the photo */
  constructor(look, anchor) {
    this.look = look;
    this.anchor = anchor;
    this.box = byId("chips");
    byId("overlay").addEventListener("click", ({ target }) => target.closest("[data-key]") || this.close()); // beside all pieces
    this.box.addEventListener("keydown", (event) => this.press(event));
  }

  /** Show the `choices` of a piece, each {words, faces|sign, current, make}; `answered(choice)` hears the one that
   *  is taken, and `more`, if any, opens the sheet with all there is. `said` are the sentences about the piece. */
  open(piece, { said, choices, answered, more }, focus = true) {
    Object.assign(this, { piece, choices, answered, more });
    byId("chips-says").replaceChildren(...said.map((line) => html("p", {}, upper(line))));
    byId("chips-choices").replaceChildren(...choices.map((choice) => this.chip(choice)), ...(more ? [this.moreButton()] : []));
    this.box.classList.toggle("doubtful", Boolean(piece.doubt));
    this.box.hidden = false;
    this.place();
    this.look.scores.each(choices, (choice, score) => this.score(choice, score));
    if (focus) (this.box.querySelector('[aria-pressed="true"]') ?? this.box.querySelector("button")).focus({ preventScroll: true });
    this.box.scrollIntoView({ block: "nearest" });
  }

  chip(choice) {
    const drawn = choice.faces ? choice.faces.map(([value, colour]) => die(value, colour)) : html("span", { class: "sign", "aria-hidden": "true" }, SIGNS[choice.sign]);
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

  /** Say what a choice leads to. */
  score(choice, { short, words }) {
    choice.button.querySelector(".leads").textContent = short;
    choice.button.setAttribute("aria-label", words ? `${choice.words}: ${words}` : choice.words);
  }

  answer(choice) {
    const { answered } = this;
    this.close();
    answered(choice);
  }

  /** Leave the chips for the sheet that has every value. */
  all() {
    const { more } = this;
    this.close();
    more();
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
    const least = Math.min(innerHeight, document.querySelector("#look .dock").getBoundingClientRect().top);
    const above = at.bottom + GAP + high > least && top - GAP - high >= 0;
    this.box.classList.toggle("above", above);
    this.box.style.setProperty("--top", `${above ? top - GAP - high : bottom + GAP}px`);
    const middle = at.left + at.width / 2 - around.left;
    const left = Math.min(Math.max(middle - this.box.offsetWidth / 2, 0), Math.max(around.width - this.box.offsetWidth, 0));
    this.box.style.setProperty("--left", `${left}px`);
    this.box.style.setProperty("--tip", `${Math.min(Math.max(middle - left, 28), this.box.offsetWidth - 28)}px`);
  }

  /** Digits answer, arrows walk along the chips, Escape leaves them. */
  press(event) {
    const buttons = [...byId("chips-choices").children];
    if (event.key === "Escape") this.close(true);
    else if (event.key in STEPS) {
      const place = buttons.indexOf(document.activeElement) + STEPS[event.key];
      buttons[(place + buttons.length) % buttons.length].focus();
    } else if (!this.look.pieces.digit(this.piece, event.key)) return;
    event.preventDefault();
  }
}
