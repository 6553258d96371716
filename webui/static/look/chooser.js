/** The sheet that asks about a tile: what it is, how it is turned, and where it lies. */

import { byId, die, html, svg } from "../page/dom.js";
import { sameCell } from "./draft.js";
import { redraw } from "../page/morph.js";
import { _, cellName } from "../page/words.js";

export class Chooser {
  most = 6; // pips on half a tile

  constructor() {
    this.dialog = byId("chooser");
    this.body = byId("chooser-body");
    byId("chooser-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // a tap beside the sheet
    });
  }

  /** Show a question {title, said, crop: {href, width, height, box}|null}, and the controls that answer it. */
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
    (this.body.querySelector('[aria-pressed="true"]') ?? this.body.querySelector("button")).focus();
  }

  /** Close the sheet, unless the answer has asked the next question. */
  answer(answered, value) {
    this.asked = false;
    answered(value);
    if (!this.asked) this.dialog.close();
  }

  /** Ask about a tile {halves, cells, level}, or a new one. `cells` are those it may lie on, null if anywhere, `pipsAt(cell)`
   *  tells the pips that are seen on one; answered({halves, cells, level}|null) hears the answer. */
  askTile(question, tile, cells, pipsAt, answered) {
    this.tile = { halves: [...tile.halves], cells: tile.cells && [...tile.cells], level: tile.level };
    this.first = null; // the cell of the first half, while the second is awaited
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
    const change = (fields) => () => {
      Object.assign(this.tile, fields);
      this.drawTile();
    };
    const step = (by, words) =>
      html(
        "button",
        { type: "button", "data-at": words, "aria-label": words, "aria-disabled": level + by < 1 ? "true" : null, click: () => level + by >= 1 && change({ level: level + by })() },
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

  half(at, words) {
    const button = (pips) =>
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

  /** The cells around, to put the tile on: two that share a side. */
  where(cells) {
    const [rows, columns] = [0, 1].map((axis) => this.cells.map((cell) => cell[axis]));
    const across = Math.max(...columns) - Math.min(...columns) + 1;
    const box = html("div", { class: "where on-ground", role: "group", "aria-label": _("Where it lies") });
    box.style.setProperty("--columns", across);
    box.append(...this.cells.map((cell) => this.target(cell, cells, Math.min(...rows), Math.min(...columns))));
    return html("div", { class: "scroll" }, box);
  }

  target(cell, cells, up, left) {
    const half = this.first ? (sameCell(cell, this.first) ? 0 : -1) : (cells ?? []).findIndex((one) => sameCell(one, cell));
    const near = !this.first || Math.abs(cell[0] - this.first[0]) + Math.abs(cell[1] - this.first[1]) === 1;
    const pips = half >= 0 ? this.tile.halves[half] : this.pipsAt(cell);
    const there = half >= 0 ? _("the {pips}", { pips }) : pips === undefined ? _("empty") : _("a {pips} lies there", { pips });
    const words = `${cellName(cell[0] - up, cell[1] - left)}: ${there}`;
    return html(
      "button",
      { type: "button", "data-at": cell.join(), "aria-label": words, "aria-pressed": String(half >= 0), "aria-disabled": near || half >= 0 ? null : "true", click: () => this.put(cell, near) },
      pips === undefined ? "·" : die(pips, "white"),
    );
  }

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
