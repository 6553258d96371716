/** The sheet that asks about a tile: what it is, how it is turned, and where it lies. */

import { all, byId, die, html, svg } from "../page/dom.js";
import { sameCell } from "./draft.js";
import { redraw } from "../page/morph.js";
import { _, cellName } from "../page/words.js";

export class Chooser {
  most = 6; // pips on half a tile
  asked = false; // an answer has asked the next question
  /** @type {TileAnswer} */ tile = { halves: [0, 0], cells: null, level: null };
  /** @type {Cell | null} */ first = null; // the cell of the first half, while the second is awaited
  /** @type {number[][] | null} */ cells = null; // those it may lie on; null: anywhere
  /** @type {(cell: Cell) => number | undefined} */ pipsAt = () => undefined; // those seen on one
  /** @type {(answer: TileAnswer | null) => void} */ answered = () => {};

  constructor() {
    this.dialog = byId("chooser");
    this.body = byId("chooser-body");
    byId("chooser-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // a tap beside the sheet
    });
  }

  /** Show a question {title, said, crop: {href, width, height, box}|null}, and the controls that answer it.
   *  @param {{title: string, said: string, crop: Crop}} question @param {HTMLElement[]} controls */
  open({ title, said, crop }, ...controls) {
    byId("chooser-title").textContent = title;
    byId("chooser-said").textContent = said;
    const window = byId("chooser-crop");
    window.toggleAttribute("hidden", !crop);
    if (crop) {
      window.setAttribute("viewBox", crop.box.join(" "));
      window.replaceChildren(svg("image", { href: crop.href, width: crop.width, height: crop.height }));
    }
    this.body.replaceChildren(...controls);
    this.asked = true;
    if (!this.dialog.open) this.dialog.showModal();
    (all(this.body, '[aria-pressed="true"]')[0] ?? all(this.body, "button")[0]).focus();
  }

  /** Close the sheet, unless the answer has asked the next question.
   *  @param {(answer: TileAnswer | null) => void} answered @param {TileAnswer | null} value */
  answer(answered, value) {
    this.asked = false;
    answered(value);
    if (!this.asked) this.dialog.close();
  }

  /** Ask about a tile {halves, cells, level}, or a new one. `cells` are those it may lie on, null if anywhere, `pipsAt(cell)`
   *  tells the pips that are seen on one; answered({halves, cells, level}|null) hears the answer.
   *  @param {{title: string, said: string, crop: Crop}} question @param {TileAnswer} tile @param {number[][] | null} cells
   *  @param {(cell: Cell) => number | undefined} pipsAt @param {(answer: TileAnswer | null) => void} answered */
  askTile(question, tile, cells, pipsAt, answered) {
    this.tile = { halves: [...tile.halves], cells: tile.cells && [...tile.cells], level: tile.level };
    this.first = null;
    this.cells = cells;
    this.pipsAt = pipsAt;
    this.answered = answered;
    this.open(question, ...this.tileControls());
  }

  drawTile() {
    redraw(this.body, ...this.tileControls());
  }

  tileControls() {
    const { halves, cells, level } = this.tile;
    const change = (/** @type {Partial<TileAnswer>} */ fields) => () => {
      Object.assign(this.tile, fields);
      this.drawTile();
    };
    const high = level ?? 0;
    const step = (/** @type {number} */ by, /** @type {string} */ words) =>
      html(
        "button",
        { type: "button", "data-at": words, "aria-label": words, "aria-disabled": high + by < 1 ? "true" : null, click: () => high + by >= 1 && change({ level: high + by })() },
        by > 0 ? "+" : "−",
      );
    const turned = change({ halves: [halves[1], halves[0]] });
    const anywhere = !this.cells;
    const whole = anywhere || (cells && !this.first);
    const lies = [
      html(
        "div",
        { class: "row" },
        html("button", { type: "button", class: "grow", "data-at": "turn", click: turned }, _("Turn it")),
        html("div", { class: "level", role: "group", "aria-label": _("Height") }, step(-1, _("one level lower")), html("span", { role: "status" }, level === null ? _("height unknown") : _("level {level}", { level })), step(1, _("one level higher"))),
      ),
      html("p", { class: "small soft", role: "status" }, this.first ? _("Now tap the cell of the second half.") : _("Is it somewhere else? Tap the cell of its first half, then of the second.")),
    ];
    return [
      this.half(0, _("First half")),
      this.half(1, _("Second half")),
      ...(anywhere ? [] : lies.slice(0, 1)),
      html(
        "div",
        { class: "row" },
        html("button", { type: "button", class: "grow", click: () => this.answer(this.answered, null) }, _("No tile here")),
        html(
          "button",
          { type: "button", class: "main grow", "aria-disabled": whole ? null : "true", click: () => whole && this.answer(this.answered, this.tile) },
          _("Take {piece}", { piece: halves.join("-") }),
        ),
      ),
      ...(anywhere ? [] : [lies[1], this.where(cells)]),
    ];
  }

  /** @param {number} at @param {string} words */
  half(at, words) {
    const button = (/** @type {number} */ pips) =>
      html(
        "button",
        {
          type: "button",
          class: "face",
          "data-at": `half ${at} ${pips}`,
          "aria-pressed": String(this.tile.halves[at] === pips),
          "aria-label": `${words}: ${pips}`,
          click: () => {
            this.tile.halves[at] = pips;
            this.drawTile();
          },
        },
        die(pips, "white"),
      );
    return html("div", { class: "faces of-tile", role: "group", "aria-label": words }, Array.from({ length: this.most + 1 }, (none, pips) => button(pips)));
  }

  /** The cells around, to put the tile on: two that share a side.
   *  @param {Cell[] | null} cells */
  where(cells) {
    const around = this.cells ?? [];
    const [rows, columns] = [0, 1].map((axis) => around.map((cell) => cell[axis]));
    const across = Math.max(...columns) - Math.min(...columns) + 1;
    const box = html("div", { class: "where on-ground", role: "group", "aria-label": _("Where it lies") });
    box.style.setProperty("--columns", String(across));
    box.append(...around.map((cell) => this.target(cell, cells, Math.min(...rows), Math.min(...columns))));
    return html("div", { class: "scroll" }, box);
  }

  /** @param {number[]} cell @param {Cell[] | null} cells @param {number} up @param {number} left */
  target(cell, cells, up, left) {
    const half = this.first ? (sameCell(cell, this.first) ? 0 : -1) : (cells ?? []).findIndex((one) => sameCell(one, cell));
    const near = !this.first || Math.abs(cell[0] - Number(this.first[0])) + Math.abs(cell[1] - Number(this.first[1])) === 1;
    const pips = half >= 0 ? this.tile.halves[half] : this.pipsAt(cell);
    const there = half >= 0 ? _("the {pips}", { pips: Number(pips) }) : pips === undefined ? _("empty") : _("a {pips} lies there", { pips });
    const words = `${cellName(cell[0] - up, cell[1] - left)}: ${there}`;
    return html(
      "button",
      { type: "button", "data-at": cell.join(), "aria-label": words, "aria-pressed": String(half >= 0), "aria-disabled": near || half >= 0 ? null : "true", click: () => this.put(cell, near) },
      pips === undefined ? "·" : die(pips, "white"),
    );
  }

  /** @param {Cell} cell @param {boolean} near */
  put(cell, near) {
    if (sameCell(cell, this.first)) this.first = null;
    else if (!this.first) this.first = cell;
    else if (near) {
      this.tile.cells = [this.first, cell];
      this.first = null;
    }
    this.drawTile();
  }
}
