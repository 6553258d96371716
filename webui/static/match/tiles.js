/** Dominoes seen from above: a tile of the hand is laid on a cell by tap, by drag or by keyboard, and turned there.
 *  What every place leads to, and why it is refused, is in the rules' own table (scorer/entry.py).
 */

import { all, die, html, listen } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, cellName, ngettext } from "../page/words.js";

/** @typedef {[number, number]} Spot
 *  @typedef {{says: string, rule: string, button: string, score: string, worth: string}} Outcome
 *  @typedef {{cells: [Spot, Spot], leads: Outcome}} Way
 *  @typedef {[Spot, Spot, number[]]} Place with the outcome of each tile of the hand
 *  @typedef {[[number, number], [Spot, Spot], number]} Lying with its level
 *  @typedef {{hand: [number, number][], lying: Lying[], move: object, outcomes: Outcome[], places: Place[]}} TileData
 *  @typedef {import("./pieces.js").FootButton} FootButton */

const LIFT = 8; // px of a drag; less is a tap
const SIZES = [0.5, 0.7, 1, 1.4, 2]; // of the table; at the usual one each half has room for a thumb
let size = 2; // which of them, as long as the page is there

/** @param {Spot} a @param {Spot} b */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** Return the ways to lay a tile of the hand over a cell: those that are legal first.
 *  @param {TileData} data @param {number} tile @param {Spot} cell @returns {Way[]} */
export function ways({ hand, places, outcomes }, tile, cell) {
  const double = hand[tile][0] === hand[tile][1];
  return places
    .filter(([first, second]) => same(first, cell) || (!double && same(second, cell)))
    .map(([first, second, made]) => ({ cells: /** @type {[Spot, Spot]} */ ([first, second]), leads: outcomes[made[tile]] }))
    .sort((a, b) => Number(Boolean(a.leads.rule)) - Number(Boolean(b.leads.rule)));
}

export class Tiles {
  /** @type {number} */ tile = -1; // of the hand
  /** @type {Spot | null} */ cell = null;
  padName = "";
  turned = 0; // which of the ways

  /** @param {HTMLElement} pad @param {() => void} changed */
  constructor(pad, changed) {
    this.pad = pad;
    this.changed = changed;
    /** @type {TileData} */
    this.data = JSON.parse(String(pad.dataset.tiles));
    listen(all(pad, "[data-rotate]")[0], "click", () => this.rotate());
    for (const key of all(pad, ".key")) listen(key, "pointerdown", (/** @type {PointerEvent} */ event) => this.lift(event, key));
    for (const button of all(pad, "[data-zoom]")) listen(button, "click", () => this.zoom(Number(button.dataset.zoom)));
    if (this.data.hand.length === 1) this.tile = 0;
    const [table] = all(pad, ".table");
    requestAnimationFrame(() => table.scrollLeft || table.scrollTop || table.scrollTo((table.scrollWidth - table.clientWidth) / 2, (table.scrollHeight - table.clientHeight) / 2));
  }

  get tapped() {
    return this.cell !== null || (this.tile >= 0 && this.data.hand.length > 1);
  }

  get progress() {
    return { tile: this.tile, cell: this.cell, turned: this.turned };
  }

  set progress(half) {
    Object.assign(this, half);
    requestAnimationFrame(() => all(this.pad, '.key[aria-pressed="true"]')[0]?.scrollIntoView({ block: "nearest", inline: "center" }));
  }

  /** A tile of the hand; the same one again is put back.
   *  @param {string} name */
  add(name) {
    const tile = this.place(name);
    [this.tile, this.cell] = [tile === this.tile && !this.cell ? -1 : tile, null];
    this.changed();
    requestAnimationFrame(() => this.reveal());
  }

  /** Push the table so far that every place of the tile is whole in sight, where it has room for all. */
  reveal() {
    const [table] = all(this.pad, ".table");
    const boxes = all(table, ".place.free").map((one) => one.getBoundingClientRect());
    if (!boxes.length) return;
    const view = table.getBoundingClientRect();
    const needed = (/** @type {"top" | "left"} */ near, /** @type {"bottom" | "right"} */ far) => {
      const [first, last] = [Math.min(...boxes.map((box) => box[near])), Math.max(...boxes.map((box) => box[far]))];
      if (last - first > view[far] - view[near]) return 0;
      return Math.min(first - view[near], 0) || Math.max(last - view[far], 0);
    };
    table.scrollBy(needed("left", "right"), needed("top", "bottom"));
  }

  /** @param {string} name */
  place = (name) => this.data.hand.findIndex((halves) => halves.join("-") === name);

  /** @param {Spot} cell */
  put(cell) {
    if (this.tile < 0) return;
    if (this.way?.cells.some((half) => same(half, cell))) return this.rotate();
    [this.cell, this.turned] = [cell, 0];
    this.changed();
  }

  /** Make the table larger or smaller, and leave in its middle what is there.
   *  @param {number} step */
  zoom(step) {
    const [table] = all(this.pad, ".table");
    const middle = [(table.scrollLeft + table.clientWidth / 2) / table.scrollWidth, (table.scrollTop + table.clientHeight / 2) / table.scrollHeight];
    size = Math.min(Math.max(size + step, 0), SIZES.length - 1);
    this.draw();
    table.scrollTo(middle[0] * table.scrollWidth - table.clientWidth / 2, middle[1] * table.scrollHeight - table.clientHeight / 2);
  }

  rotate() {
    this.turned += 1;
    this.changed();
  }

  get ways() {
    const found = this.tile >= 0 && this.cell ? ways(this.data, this.tile, this.cell) : [];
    const legal = found.filter(({ leads }) => !leads.rule);
    return legal.length ? legal : found;
  }

  /** @returns {Way | undefined} */
  get way() {
    return this.ways[this.turned % this.ways.length];
  }

  get name() {
    return this.data.hand[this.tile]?.join("-") ?? "";
  }

  /** @param {string} text */
  fill = (text) => text.replaceAll("{tile}", this.name);

  /** What is said of the tile: [words, kind, rule].
   *  @returns {[string, string, string?]} */
  get says() {
    const leads = this.way?.leads;
    if (!this.name) return [_("Tap a tile, then its place; or drag it there."), ""];
    const { places, outcomes } = this.data;
    if (places.every(([, , made]) => outcomes[made[this.tile]].rule)) return [_("This tile fits nowhere."), "doubt"];
    if (!leads) return [_("The numbers are the score at each place."), ""];
    return leads.rule ? [this.fill(leads.says), "wrong", leads.rule] : [leads.says, "good"];
  }

  /** @returns {FootButton[]} */
  get buttons() {
    if (!this.name) return [];
    const { way } = this;
    const choose = _("Choose a place");
    if (!way || way.leads.rule) return [{ main: choose, words: choose }];
    const { button, score } = way.leads;
    const main = this.fill(button);
    const move = { ...this.data.move, tile: this.data.hand[this.tile], cells: way.cells };
    return [{ main, small: score, words: `${main}: ${score}`, moves: [move] }];
  }

  // -------------------------------------------------------------- dragging

  /** A pointer takes a tile; a tap is none.
   *  @param {PointerEvent} event @param {HTMLElement | null} key of the hand, null: it lies on the table */
  lift(event, key) {
    const from = [event.clientX, event.clientY];
    const shown = html("span", { class: "domino lifted", "aria-hidden": "true" });
    const box = /** @type {HTMLElement} */ (event.currentTarget);
    /** @param {PointerEvent} moved */
    const drag = (moved) => {
      if (!shown.isConnected && Math.hypot(moved.clientX - from[0], moved.clientY - from[1]) < LIFT) return;
      if (!shown.isConnected) this.take(shown, key);
      shown.style.translate = `${moved.clientX}px ${moved.clientY}px`;
      const under = document.elementFromPoint(moved.clientX, moved.clientY)?.closest(".entry [data-tiles] .place");
      const cell = under && spotOf(/** @type {HTMLElement} */ (under));
      if (cell && !(this.cell && same(cell, this.cell))) [this.cell, this.turned] = [cell, 0];
      this.changed();
    };
    const drop = () => {
      removeEventListener("pointermove", drag);
      if (!shown.isConnected) return;
      shown.remove();
      addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true }); // it was no tap
      setTimeout(() => box.isConnected && this.changed());
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", drop, { once: true });
    addEventListener("pointercancel", drop, { once: true });
  }

  /** @param {HTMLElement} shown @param {HTMLElement | null} key */
  take(shown, key) {
    if (key) [this.tile, this.cell] = [this.place(String(key.dataset.key)), null];
    shown.append(...this.data.hand[this.tile].map((half) => die(half, "white")));
    document.body.append(shown);
  }

  // -------------------------------------------------------------- what is shown

  draw() {
    for (const key of all(this.pad, ".key")) key.setAttribute("aria-pressed", String(this.place(String(key.dataset.key)) === this.tile));
    const [rotate] = all(this.pad, "[data-rotate]");
    rotate.hidden = this.ways.length < 2;
    const { places, lying } = this.data;
    const cells = [...new Map(places.flatMap(([first, second]) => [first, second]).map((cell) => [cell.join(), cell])).values()];
    const [up, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    const [laid] = all(this.pad, ".laid");
    laid.style.setProperty("--zoom", String(SIZES[size]));
    for (const button of all(this.pad, "[data-zoom]")) button.ariaDisabled = String(!((size + Number(button.dataset.zoom)) in SIZES));
    laid.style.setProperty("--columns", String(Math.max(...cells.map(([, column]) => column)) - left + 1));
    laid.style.setProperty("--rows", String(Math.max(...cells.map(([row]) => row)) - up + 1));
    const corner = /** @type {Spot} */ ([up, left]);
    const ghost = this.way && this.domino([this.data.hand[this.tile], this.way.cells, 1 + this.levelAt(this.way.cells[0])], corner, this.way.leads.rule ? "ghost refused" : "ghost");
    redraw(laid, ...lying.map((tile) => this.domino(tile, corner, "")), ...(ghost ? [ghost] : []), ...cells.map((cell) => this.target(cell, corner)));
    for (const piece of all(laid, "[data-area]")) piece.style.gridArea = String(piece.dataset.area);
  }

  /** @param {Spot} cell */
  levelAt = (cell) => Math.max(0, ...this.data.lying.filter(([, cells]) => cells.some((one) => same(one, cell))).map(([, , level]) => level));

  /** @param {Lying} tile @param {Spot} corner @param {string} kind */
  domino([halves, cells, level], [up, left], kind) {
    const turned = cells[0][0] > cells[1][0] || cells[0][1] > cells[1][1];
    const [first] = turned ? [cells[1]] : cells;
    const upright = cells[0][1] === cells[1][1];
    const shown = turned ? [halves[1], halves[0]] : halves;
    const box = `${first[0] - up + 1} / ${first[1] - left + 1} / span ${upright ? 2 : 1} / span ${upright ? 1 : 2}`;
    const height = level > 1 ? html("span", { class: "height" }, String(level)) : null;
    return html("span", { class: `domino ${upright ? "upright" : ""} ${kind}`, "data-area": box, "aria-hidden": "true" }, shown.map((half) => die(half, "white")), height);
  }

  /** A cell to tap.
   *  @param {Spot} cell @param {Spot} corner */
  target(cell, [up, left]) {
    const [row, column] = cell;
    const best = this.tile >= 0 ? ways(this.data, this.tile, cell)[0]?.leads : null;
    const free = best && !best.rule ? best : null;
    const over = this.way?.cells.some((half) => same(half, cell));
    const [halves, cells, level] = this.data.lying.filter(([, all_]) => all_.some((one) => same(one, cell))).at(-1) ?? [];
    const lies = halves && cells ? ngettext("a {pips}, {n} tile high", "a {pips}, {n} tiles high", Number(level), { pips: halves[same(cells[0], cell) ? 0 : 1] }) : _("empty");
    const words = [`${cellName(row - up, column - left)}: ${lies}`, free ? `${this.fill(free.button)}, ${free.score}` : ""].filter(Boolean).join(". ");
    const box = `${row - up + 1} / ${column - left + 1}`;
    return html("button", { type: "button", class: `place ${free ? "free" : ""} ${halves ? "on" : ""} ${over ? "over" : ""}`, "data-area": box, "data-at": cell.join(), "aria-label": words, tabindex: free || over ? null : "-1", click: () => this.put(cell), pointerdown: (/** @type {PointerEvent} */ event) => over && this.lift(event, null) }, free && !over ? html("span", { class: "height" }, free.worth) : null);
  }
}

/** @param {HTMLElement} place @returns {Spot} */
const spotOf = (place) => /** @type {Spot} */ (String(place.dataset.at).split(",").map(Number));
