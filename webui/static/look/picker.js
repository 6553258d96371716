/** The sheet that asks what lies on one cell: big faces, colours by name, "no die here". */

import { all, byId, die, html, svg, targetOf } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, cellName, dieName } from "../page/words.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const FACES = [1, 2, 3, 4, 5, 6];

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
    byId("picker-close").addEventListener("click", () => this.dialog.close());
    byId("picker-none").addEventListener("click", () => this.answer(null));
    byId("picker-keep").addEventListener("click", () => this.answer(this.chosen));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // a tap beside the sheet
    });
  }

  /** Ask about one place.
   *
   *  question: {title, said, crop: {href, box}|null, value, colour, rows, columns, free, owners}; `free`
   *  is null, or the cells a die that lies beside the board can be put on; `owners` is null, or
   *  {names, of(colour), own(seat, colour)}: whose dice of a colour are, and who says that they are.
   *  answered({value, colour, cell}|null) may ask the next question; otherwise the sheet closes.
   *  @param {PickerQuestion} question @param {(answer: any) => void} answered
   */
  ask(question, answered) {
    this.asked = true;
    this.question = question;
    this.answered = answered;
    const { value, colour = "" } = question;
    this.chosen = { value, colour: this.colours.includes(colour) ? colour : this.usual }; // a foreign die has none of ours
    byId("picker-title").textContent = question.title;
    byId("picker-said").textContent = question.said;
    this.drawCrop();
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
    const [face] = all(this.dialog, ".face");
    (all(this.dialog, '.face[aria-pressed="true"]')[0] ?? face).focus();
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

  drawCrop() {
    const { crop } = this.question;
    const window = byId("picker-crop");
    window.toggleAttribute("hidden", !crop);
    if (!crop) return;
    window.setAttribute("viewBox", crop.box.join(" "));
    window.replaceChildren(
      svg("image", { href: crop.href, width: crop.width, height: crop.height }),
    );
  }

  draw() {
    const { value, colour } = this.chosen;
    const chip = (/** @type {string} */ name) =>
      html(
        "button",
        { type: "button", class: "chip", "aria-pressed": String(name === colour), "data-colour": name, click: () => this.recolour(name) },
        die(value ?? 5, name),
        _(name),
      );
    const face = (/** @type {number} */ pips) =>
      html(
        "button",
        {
          type: "button",
          class: "face",
          "aria-pressed": String(pips === value),
          "aria-label": dieName(colour, pips),
          "data-value": pips,
          click: () => this.answer({ ...this.chosen, value: pips }),
        },
        die(pips, colour),
      );
    byId("picker-colours").hidden = this.colours.length < 2;
    redraw(byId("picker-colours"), ...this.colours.map(chip));
    redraw(byId("picker-faces"), ...FACES.map(face));
    this.drawWhere();
    this.drawOwners(colour);
    const keep = byId("picker-keep");
    keep.hidden = !value;
    if (!value) return;
    const same = colour === this.question.colour;
    keep.textContent = same ? _("Yes, {piece}", { piece: dieName(colour, value) }) : _("Take {piece}", { piece: dieName(colour, value) });
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

  /** Digits answer, arrows walk along a row of buttons, Delete takes the die away.
   *  @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (FACES.includes(Number(event.key))) {
      event.preventDefault();
      this.answer({ ...this.chosen, value: Number(event.key) });
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.answer(null);
    } else if (event.key in STEPS) {
      this.walk(event, STEPS[event.key]);
    }
  }

  /** @param {Event} event @param {number} step */
  walk(event, step) {
    const group = targetOf(event).closest(".faces, .chips");
    if (!group) return;
    event.preventDefault();
    const buttons = all(group, ":scope > *");
    const place = buttons.indexOf(targetOf(event)) + step;
    buttons[(place + buttons.length) % buttons.length].focus();
  }
}
