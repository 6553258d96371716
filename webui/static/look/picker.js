/** The chooser: which die lies on a place. It stands at the foot of the page, below what it asks about, and points there. */

import { all, byId, die, html, svg, targetOf } from "../page/dom.js";
import { ruleTag } from "../page/help.js";
import { redraw } from "../page/morph.js";
import { _, cellName, dieName, upper } from "../page/words.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const FACES = [1, 2, 3, 4, 5, 6];
const ROWS = 2; // colours that have a row of faces each; of more one is chosen first
const GAP = 16; // px between the chooser and its place

export class Picker {
  /** @type {string[]} */ colours = []; // that the game has now, by name
  asked = false; // an answer has asked the next question
  lastColour = "";
  question = /** @type {PickerQuestion} */ ({});
  /** @type {{value?: number, colour: string}} */ chosen = { colour: "" };
  /** @type {(answer: any) => void} */ answered = () => {};

  constructor() {
    this.dialog = byId("picker");
    this.dialog.addEventListener("keydown", (event) => this.press(event));
    this.dialog.addEventListener("close", () => this.mark());
    byId("picker-close").addEventListener("click", () => this.dialog.close());
    byId("picker-none").addEventListener("click", () => (this.question.other ? this.question.other() : this.answer(null)));
    addEventListener("resize", () => this.dialog.open && this.point());
    addEventListener("scroll", () => this.dialog.open && this.point(), { passive: true });
  }

  /** Ask about one place.
   *
   *  question: {title, said, crop: {href, box}|null, value, colour, rows, columns, free, owners, cell, place, left, progress};
   *  `free` is null, or the cells a die that lies beside the board can be put on; `owners` is null, or
   *  {names, of(colour), own(seat, colour)}: whose dice of a colour are, and who says that they are. `cell` is asked about on
   *  a board, `place()` returns its element, `left` has how many dice of a colour are to come, `progress` what is tapped in.
   *  answered({value, colour, cell}|null) may ask the next question; otherwise the chooser closes.
   *  @param {PickerQuestion} question @param {(answer: any) => void} answered
   */
  ask(question, answered) {
    this.asked = true;
    this.question = question;
    this.answered = answered;
    const { value, colour = "" } = question;
    this.chosen = { value, colour: this.colours.includes(colour) ? colour : this.usual }; // a foreign die has none of ours
    byId("picker-title").textContent = question.title;
    byId("picker-said").replaceChildren(question.said, ...(question.rule ? [" ", ruleTag(question.rule)] : []));
    byId("picker-said").classList.toggle("wrong", Boolean(question.mends));
    byId("picker-none").textContent = question.other ? _("Something else") : _("No die here");
    const [first, second = ""] = question.progress ?? [];
    byId("picker-progress").replaceChildren(...(first ? [first, html("small", {}, second)] : []));
    this.drawCrop();
    this.draw();
    if (!this.dialog.open) this.dialog.show();
    this.remark();
    const [face] = all(this.dialog, ".key");
    (all(this.dialog, '.key[aria-pressed="true"]')[0] ?? face).focus({ preventScroll: true });
  }

  /** The colour to begin with: the one chosen last. */
  get usual() {
    return this.colours.includes(this.lastColour) ? this.lastColour : this.colours[0];
  }

  /** @param {{value?: number, colour: string, cell?: Cell} | null} chosen */
  answer(chosen) {
    if (chosen?.colour) this.lastColour = chosen.colour;
    this.asked = false;
    this.answered(chosen);
    if (!this.asked) this.dialog.close();
  }

  /** Mark the place that is asked about, and point at it.
   *  @param {Element | null} [place] */
  mark(place) {
    for (const old of document.querySelectorAll(".asked-about")) old.classList.remove("asked-about");
    document.documentElement.style.setProperty("--picker", place ? `${this.dialog.offsetHeight}px` : "0px");
    place?.classList.add("asked-about");
    this.point();
  }

  /** What is asked about has been drawn anew, and may have moved. */
  remark() {
    if (!this.dialog.open) return;
    const place = this.question.place?.();
    this.mark(place);
    if (place) this.reveal(place.getBoundingClientRect(), this.dialog.getBoundingClientRect());
    this.point();
  }

  /** Bring the place in sight above the chooser.
   *  @param {DOMRect} at @param {DOMRect} sheet */
  reveal(at, sheet) {
    const below = at.right > sheet.left && at.left < sheet.right; // not beside it, as on a phone on its side
    const top = byId("strip").getBoundingClientRect().bottom + GAP;
    const bottom = below ? sheet.top - GAP : innerHeight;
    if (at.bottom > bottom) scrollBy(0, at.bottom - bottom);
    else if (at.top < top) scrollBy(0, at.top - top);
  }

  point() {
    const at = document.querySelector(".asked-about")?.getBoundingClientRect();
    const sheet = this.dialog.getBoundingClientRect();
    this.dialog.classList.toggle("pointing", Boolean(at));
    if (!at) return;
    this.dialog.style.setProperty("--tip", `${at.left + at.width / 2 - sheet.left}px`);
    this.dialog.style.setProperty("--tip-down", `${at.top + at.height / 2 - sheet.top}px`);
  }

  drawCrop() {
    const { crop, cell, rows = 0, columns } = this.question;
    const window = byId("picker-crop");
    const small = !crop && cell && rows > 1;
    window.classList.toggle("of-grid", Boolean(small));
    window.toggleAttribute("hidden", !crop && !small);
    if (crop) {
      window.setAttribute("viewBox", crop.box.join(" "));
      window.replaceChildren(svg("image", { href: crop.href, width: crop.width, height: crop.height }));
    } else if (small) {
      window.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
      const cells = Array.from({ length: rows * columns }, (_none, place) => [Math.floor(place / columns), place % columns]);
      window.replaceChildren(...cells.map(([y, x]) => svg("rect", { class: y === cell[0] && x === cell[1] ? "here" : "", x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8, rx: 0.15 })));
    }
  }

  draw() {
    const { value, colour } = this.chosen;
    const several = this.colours.length > ROWS && !this.question.mends;
    const chip = (/** @type {string} */ name) =>
      html("button", { type: "button", class: "chip", "aria-pressed": String(name === colour), "data-chip": name, click: () => this.recolour(name) }, die(value ?? 5, name), _(name));
    byId("picker-colours").hidden = !several;
    redraw(byId("picker-colours"), ...(several ? this.colours.map(chip) : []));
    const { mends } = this.question;
    redraw(byId("picker-faces"), ...(mends ? [this.mending(mends)] : (several ? [colour] : this.colours).map((name) => this.row(name))));
    this.drawWhere();
    this.drawOwners(colour);
  }

  /** What one tap puts right, each with what that leads to.
   *  @param {Mend[]} mends */
  mending(mends) {
    const key = (/** @type {Mend} */ { arrow, value, colour, words, leads = "…", answer }) =>
      html("button", { type: "button", class: "key", "aria-label": `${upper(words)}: ${leads}`, click: () => this.answer(answer) }, html("span", { class: "pair" }, arrow, die(value, colour)), html("span", { class: "word" }, upper(words)), html("small", {}, leads));
    return html("div", { class: "keys mends", role: "group", "aria-label": this.question.title }, mends.map(key));
  }

  /** The faces of a colour, with how many of its dice are to come.
   *  @param {string} colour */
  row(colour) {
    const left = this.question.left?.[colour];
    const label = left === undefined ? upper(_(colour)) : _("{colour} · {n} left to place", { colour: upper(_(colour)), n: left });
    const key = (/** @type {number} */ value) =>
      html(
        "button",
        {
          type: "button",
          class: "key",
          "aria-pressed": String(value === this.chosen.value && colour === this.chosen.colour),
          "aria-label": dieName(colour, value),
          "data-colour": colour,
          "data-value": value,
          click: () => this.answer({ value, colour }),
        },
        die(value, colour),
      );
    return html("div", { class: "keys", role: "group", "aria-label": label }, html("p", { class: "label", "aria-hidden": "true" }, label), FACES.map(key));
  }

  drawWhere() {
    const { free, columns } = this.question;
    const where = byId("picker-where");
    where.hidden = !free;
    if (!free) return;
    const [cells] = all(where, ":scope > :last-child");
    cells.style.setProperty("--columns", String(columns));
    cells.replaceChildren(
      ...free.map(({ cell: [row, column], taken }) =>
        html(
          "button",
          {
            type: "button",
            "aria-label": cellName(Number(row), Number(column)) + (taken ? _(", taken") : ""),
            "aria-disabled": taken ? "true" : null,
            click: () => taken || this.answer({ ...this.chosen, cell: [row, column] }),
          },
          taken ? "•" : "+",
        ),
      ),
    );
  }

  /** Whose dice of this colour are: a tap on a name says it.
   *  @param {string} colour */
  drawOwners(colour) {
    const { owners } = this.question;
    const box = byId("picker-owners");
    box.hidden = !owners;
    if (!owners) return;
    const [said, chips] = box.children;
    said.textContent = _("Whose are the {colour} dice?", { colour: _(colour) });
    const chip = (/** @type {string} */ name, /** @type {number} */ seat) =>
      html(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-pressed": String(owners.of(colour) === seat),
          click: () => {
            this.asked = false;
            this.dialog.close();
            owners.own(seat, colour);
          },
        },
        name,
      );
    chips.replaceChildren(...owners.names.map(chip));
  }

  /** @param {string} colour */
  recolour(colour) {
    this.chosen.colour = colour;
    this.draw();
  }

  /** Digits answer, arrows walk along a row of buttons, Delete takes the die away, Escape leaves it as it is.
   *  @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const colour = targetOf(event).dataset.colour ?? this.chosen.colour;
    if (FACES.includes(Number(event.key))) this.answer({ colour, value: Number(event.key) });
    else if (event.key === "Delete" || event.key === "Backspace") this.answer(null);
    else if (event.key === "Escape") this.dialog.close();
    else if (!(event.key in STEPS) || !this.walk(event, STEPS[event.key])) return;
    event.preventDefault();
  }

  /** Go along a row of buttons, and say whether there is one.
   *  @param {Event} event @param {number} step */
  walk(event, step) {
    const group = targetOf(event).closest("#picker-faces, .chips");
    if (!group) return false;
    const buttons = all(group, "button");
    const place = buttons.indexOf(targetOf(event)) + step;
    buttons[(place + buttons.length) % buttons.length].focus();
    return true;
  }
}
