/** The sheet of Dice Wide Shut: tap the dice taken; their best cells are checked, and a dashed one takes a check by a tap.
 *
 *  What may be taken and marked comes from the rules (scorer/entry.py, SheetPad). Cells are as the photo would show them: a
 *  tap checks a blank one, or fills in a checked 6. Of the two halves the one that is marked is open.
 */

import { call } from "../net/api.js";
import { at } from "../net/root.js";
import { byId, die, figure, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { countIt } from "../look/scores.js";
import { HALF_NAMES, SIX, _, dieName, markName, upper } from "../page/words.js";

/** @typedef {import("./pieces.js").FootButton} FootButton
 *  @typedef {["red" | "blue", number, number]} Square
 *  @typedef {{dice: [string, number][], colour: "red" | "blue" | "", best: Square[], cells: Square[]}} Taking
 *  @typedef {{takes: Taking[], sums: Record<string, number[]>, spot: number, steps: object[]}} SheetPad */

/** @type {Record<string, string>} */
const STEPS = { blank: "checked", checked: "blackened" };
/** @type {Record<string, string>} */
const SHOWN = { blank: _("blank"), checked: _("checked"), struck: _("crossed out, split"), blackened: _("spent") };
const TAKEN = 2; // dice a turn

/** The number printed in a cell.
 *  @param {Square} cell */
const numberOf = ([colour, row, column]) => (column === SIX ? 6 : (colour === "red" ? column : row) + 1);

/** @param {[string, number][]} dice */
const known = (dice) => JSON.stringify([...dice].map(([colour, value]) => `${colour} ${value}`).sort());

export class Sheet {
  padName = "";
  /** @type {Map<string, string>} */ marks = new Map(); // new ones by cell
  /** @type {number[]} */ taken = []; // places in the pool
  /** @type {AbortController | null} */ asking = null;
  /** @type {[string, string, string?]} */ answer = ["", ""]; // of the rules to what was tapped
  /** @type {FootButton[]} */ buttons = [];

  /** @param {HTMLElement} pad @param {() => void} changed */
  constructor(pad, changed) {
    this.pad = pad;
    this.changed = changed;
    /** @type {SheetPad} */
    this.data = JSON.parse(String(pad.dataset.sheet));
    /** @type {Table} */
    this.table = JSON.parse(String(/** @type {HTMLElement} */ (pad.closest("[data-table]")).dataset.table));
    /** @type {{title: string, board: DieAnswer[], marks: {cell: Square, mark: string}[]}} */
    this.spot = this.table.equipment.spots[this.data.spot];
    this.printed = new Map(this.spot.marks.map(({ cell, mark }) => [cell.join(), mark]));
    this.taking = this.data.takes.some(({ dice }) => dice.length);
    this.option = this.taking ? undefined : this.data.takes[0];
    this.open = this.option?.colour || "red";
  }

  get tapped() {
    return this.marks.size > 0 || this.taken.length > 0;
  }

  get progress() {
    return { taken: this.taken, marks: [...this.marks], open: this.open };
  }

  set progress(half) {
    [this.taken, this.open] = [half.taken, half.open];
    this.option = this.taking ? this.fitting : this.option;
    this.marks = new Map(half.marks);
    this.propose();
  }

  /** @returns {[string, string, string?]} */
  get says() {
    if (this.tapped) return this.answer;
    return [this.taking ? _("Tap the dice that are taken.") : _("Tap the cells that are checked. A checked 6 is spent by tapping it."), ""];
  }

  /** A die of the pool is taken, or put back; its best cells are checked.
   *  @param {string} key */
  add(key) {
    const place = Number(key);
    if (this.taken.includes(place)) this.taken.splice(this.taken.indexOf(place), 1);
    else this.taken.push(place);
    if (this.taken.length > TAKEN) this.taken.shift();
    this.option = this.fitting;
    this.open = this.option?.colour || this.open;
    this.marks = new Map(this.option?.best.map((cell) => [cell.join(), "checked"]));
    this.propose();
  }

  /** What the dice that are taken may mark: in the half that is open, if they may. */
  get fitting() {
    const { board } = this.spot;
    const dice = known(this.taken.map((place) => [board[place].colour, board[place].value]));
    const fits = this.data.takes.filter((one) => known(one.dice) === dice);
    return fits.find(({ colour }) => colour === this.open) ?? fits[0];
  }

  /** @param {Square} cell */
  mark(cell) {
    const key = cell.join();
    if (!this.marks.delete(key)) {
      if (this.isDue(cell)) this.makeRoom(numberOf(cell));
      this.marks.set(key, STEPS[String(this.printed.get(key))]);
    }
    this.propose();
  }

  /** Whether a die that is taken may check a cell.
   *  @param {Square} cell */
  isDue(cell) {
    return Boolean(this.option?.cells.some((one) => one.join() === cell.join()));
  }

  /** A check moves from the cell that has it to the one that is tapped.
   *  @param {number} number */
  makeRoom(number) {
    const { board, marks } = this.spot;
    const same = marks.filter(({ cell }) => numberOf(cell) === number && this.marks.get(cell.join()) === "checked");
    const most = this.taking ? this.taken.filter((place) => board[place].value === number).length : 1;
    if (same.length && same.length >= most) this.marks.delete(same[0].cell.join());
  }

  /** Ask the rules what was tapped means. */
  async propose() {
    this.asking?.abort();
    this.asking = new AbortController();
    this.answer = ["", ""];
    this.buttons = [];
    this.changed();
    if (!this.tapped) return;
    const dice = this.taken.map((place) => ({ value: this.spot.board[place].value, colour: this.spot.board[place].colour }));
    const marks = this.spot.marks.map(({ cell, mark }) => ({ cell, mark: this.marks.get(cell.join()) ?? mark }));
    const { seq, replaces } = this.table;
    const sent = { after: seq, spot: this.data.spot, ...(replaces ? { replaces } : {}), dice, ...(this.marks.size ? { marks } : {}) };
    try {
      this.learn(await call(at(`/api/matches/${byId("main").dataset.match}/proposals`), sent, this.asking.signal));
    } catch (fault) {
      if (fault.name === "AbortError") return;
      if (!fault.kind) reportError(fault);
      this.answer = [fault.message, "wrong"];
      if (fault.kind === "Offline") this.goUnasked();
    }
    this.changed();
  }

  /** Without network as many checks as there may be can be counted: the rules look at them when it is back. */
  goUnasked() {
    const cells = [...this.marks.keys()].map((key) => this.option?.cells.find((cell) => cell.join() === key));
    if (!this.option || !cells.length || cells.length !== this.option.best.length || cells.includes(undefined)) return;
    const { dice, colour } = this.option;
    this.answer = [_("The rules are asked when the network is back."), "doubt"];
    const moves = this.data.steps.map((step) => ("dice" in step ? { ...step, dice, colour } : { ...step, cells }));
    const main = _("Count it");
    const named = dice.length ? dice.map(([body, value]) => dieName(body, value)) : cells.map((cell) => markName(/** @type {Square} */ (cell)));
    this.buttons = [{ main, words: `${main}: ${named.join(", ")}`, moves }];
  }

  /** @param {{moves: unknown[], doubts: {sentence: string}[], differences: {sentence: string, rule?: string}[], preview: Preview}} proposal */
  learn({ moves, doubts, differences, preview }) {
    const said = upper([...(preview?.text ?? []), ...doubts.map(({ sentence }) => sentence)].join("; "));
    if (differences.length) this.answer = [upper(differences[0].sentence), "wrong", differences[0].rule];
    else this.answer = [said, doubts.length ? "doubt" : ""];
    if (!moves.length || differences.length) return;
    const main = countIt(preview, this.table);
    this.buttons = [{ main, words: `${main}: ${said}`, moves }];
  }

  draw() {
    const [box] = this.pad.querySelectorAll(".sheets");
    const other = this.open === "red" ? "blue" : "red";
    redraw(/** @type {Element} */ (box), html("h2", { class: "unseen" }, upper(this.spot.title)), ...(this.taking ? [this.pool()] : []), this.half(this.open), this.folded(other));
  }

  pool() {
    const key = (/** @type {DieAnswer} */ { value, colour }, /** @type {number} */ place) =>
      html("button", { type: "button", class: "key slot", "data-key": place, "aria-pressed": String(this.taken.includes(place)), "aria-label": _("take {die}", { die: dieName(colour, value) }) }, die(value, colour));
    return html("div", { class: "keys of-pool", role: "group", "aria-label": _("The dice: tap those that are taken") }, this.spot.board.map(key));
  }

  /** A half that is folded to the points of its columns.
   *  @param {"red" | "blue"} colour */
  folded(colour) {
    const points = this.data.sums[colour] ?? [];
    const sum = points.reduce((before, one) => before + one, 0);
    const unfold = () => {
      this.open = colour;
      this.changed();
    };
    const [name, each, all] = [upper(_(colour)), points.map(figure).join(" · "), points.length ? figure(sum) : ""];
    const words = [name, each, all, HALF_NAMES[colour]].filter(Boolean).join(": ");
    return html("button", { type: "button", class: `folded ${colour}`, "data-at": `half ${colour}`, "aria-expanded": "false", "aria-label": words, click: unfold }, html("b", {}, name), html("span", {}, each), html("b", {}, all));
  }

  /** @param {"red" | "blue"} colour */
  half(colour) {
    const cells = this.spot.marks.filter(({ cell }) => cell[0] === colour);
    return html("div", { class: `sheet ${colour}`, role: "group", "aria-label": HALF_NAMES[colour] }, cells.map(({ cell }) => this.square(cell)));
  }

  /** @param {Square} cell */
  square(cell) {
    const key = cell.join();
    const [number, six] = [numberOf(cell), cell[2] === SIX];
    const looks = String(this.marks.get(key) ?? this.printed.get(key));
    const free = this.printed.get(key) === "blank" || (six && this.printed.get(key) === "checked");
    return html(
      "button",
      {
        type: "button",
        class: `square ${looks} ${six ? "six" : ""} ${this.marks.has(key) ? "new" : this.isDue(cell) ? "due" : ""}`,
        "data-at": key,
        "aria-label": six ? `${markName(cell)}: ${SHOWN[looks]}` : _("{cell}, a {number}: {mark}", { cell: markName(cell), number, mark: SHOWN[looks] }),
        "aria-disabled": free ? null : "true",
        click: () => free && this.mark(cell),
      },
      String(number),
    );
  }
}
