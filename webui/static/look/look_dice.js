/** What a look asks about its dice with the sheet of all values, and what the answers make of its draft. */

import { byId } from "../page/dom.js";
import { around, cellUnder, quadOf } from "./quads.js";
import { _, dieName, ngettext, upper } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

/** @param {DieAnswer} die */
const shownAs = ({ colour, value }) => _("Shown as {die}.", { die: dieName(colour, value) });

/** @typedef {import("./draft.js").Draft} Draft
 *  @typedef {{step: number[], arrow: string, title: string, said: (place: string) => string}} Side */

/** Where the empty cell is. @type {Side[]} */
const SIDES = [
  { step: [-1, 0], arrow: "↑", title: _("Which one belongs above?"), said: (place) => _("{place} holds two dice; above it is empty.", { place }) },
  { step: [1, 0], arrow: "↓", title: _("Which one belongs below?"), said: (place) => _("{place} holds two dice; below it is empty.", { place }) },
  { step: [0, -1], arrow: "←", title: _("Which one belongs at the left?"), said: (place) => _("{place} holds two dice; left of it is empty.", { place }) },
  { step: [0, 1], arrow: "→", title: _("Which one belongs at the right?"), said: (place) => _("{place} holds two dice; right of it is empty.", { place }) },
];

export class LookDice {
  /** @type {(() => HTMLElement | null) | null} */ asked = null; // what has the focus after the sheet

  /** @param {Look} look whose draft is corrected */
  constructor(look) {
    this.look = look;
    byId("picker").addEventListener("close", () => look.chips.piece || this.asked?.()?.focus());
  }

  /** @param {Cell} cell @param {() => void} [following] */
  askAbout(cell, following) {
    const [die, second] = this.look.draft.on(cell);
    const nothing = this.look.draft.photo ? _("Nothing was seen here.") : "";
    const said = second
      ? _("Two dice were read on this cell. Which one is it?")
      : die?.doubt ?? (die ? shownAs(die) : following ? _("The next empty cell follows by itself.") : nothing);
    this.asked = () => this.look.view.placeOf(cell.join());
    this.look.picker.ask({ ...this.question(cell, die, said), ...this.onBoard(cell) }, (answer) => {
      this.look.draft.settle(cell, answer);
      if (!following) return this.look.changed(cell.join());
      this.look.sending.notice = null;
      this.look.propose();
      following();
    });
  }

  /** @param {Cell | null} cell @param {Partial<Die> | null | undefined} die @param {string} said @param {{cell: Cell, taken: boolean}[] | null} free
   *  @returns {PickerQuestion} */
  question(cell, die, said, free = null) {
    const place = cell ? `${this.look.nameOf(cell)}: ` : "";
    return {
      said: upper(said.startsWith(place) ? said.slice(place.length) : said),
      free,
      title: cell ? _("{cell}: which die?", { cell: upper(this.look.nameOf(cell)) }) : this.look.draft.loose ? _("One of the dice") : _("A die beside the board"),
      value: die?.value,
      colour: die?.colour,
      columns: this.look.columns,
      crop: this.crop(cell, die),
    };
  }

  /** The first cell that holds two dice beside an empty one, with that: what one tap puts right.
   *  @returns {{cell: Cell, dice: Die[], side: Side, empty: Cell} | undefined} */
  get doubled() {
    const { look } = this;
    const [draft, cells] = [look.draft, look.cells()];
    return cells
      .filter((cell) => draft.on(cell).length === 2)
      .flatMap((cell) => SIDES.map((side) => ({ cell, dice: draft.on(cell), side, empty: [Number(cell[0]) + side.step[0], Number(cell[1]) + side.step[1]] })))
      .find(({ empty }) => cells.some((cell) => cell.join() === empty.join()) && !draft.on(empty).length);
  }

  /** Ask which of two dice on a cell belongs on the empty one beside it, and say whether there are two.
   *  @param {LookDice["doubled"]} doubled */
  askTwo(doubled) {
    if (!doubled) return false;
    const { cell, dice, side, empty } = doubled;
    const { draft, picker, scores } = this.look;
    const place = () => this.look.view.placeOf(cell.join());
    const put = (/** @type {Draft} */ on, /** @type {Die} */ die) => on.move(on.dice[draft.dice.indexOf(die)], { value: die.value, colour: die.colour, cell: empty });
    const mends = dice.map((die) => ({ arrow: side.arrow, value: die.value, colour: die.colour, words: dieName(die.colour, die.value), answer: die, leads: "…", make: (/** @type {Draft} */ on) => put(on, die) }));
    const said = side.said(upper(this.look.nameOf(cell)));
    const other = () => this.askAbout(cell);
    this.asked = place;
    const tap = _("Tap the {a} or the {b}", { a: dice[0].value, b: dice[1].value });
    picker.ask({ title: side.title, said, rule: this.look.sending.differences[0]?.rule, crop: null, free: null, cell, rows: this.look.rows, columns: this.look.columns, place, mends, other, progress: [tap] }, (/** @type {Die} */ die) => {
      scores.stop();
      put(draft, die);
      this.look.changed(cell.join());
    });
    scores.each(mends, (mend, { short, words }) => {
      mend.leads = words || short;
      if (picker.question.mends === mends) picker.draw();
    });
    return true;
  }

  /** What the chooser shows of a cell: where it is, which dice are left, how many are tapped in.
   *  @param {Cell} cell */
  onBoard(cell) {
    const { draft, rows, columns, table } = this.look;
    const { dice: all = 0, colours = {} } = table.equipment;
    const lying = draft.dice.filter((die) => die.cell);
    const left = Object.entries(colours).map(([colour, most]) => [colour, Math.max(0, most - lying.filter((die) => die.colour === colour).length)]);
    const missing = rows * columns - lying.length;
    const progress = !draft.tapped || all !== rows * columns ? [] : [_("{n} of {all} cells", { n: lying.length, all }), ngettext("{n} more to tap", "{n} more to tap", missing)];
    return { rows, cell, progress, left: draft.tapped ? Object.fromEntries(left) : undefined, place: () => this.look.view.placeOf(cell.join()) };
  }

  /** @param {Cell | null} cell @param {Partial<Die> | null | undefined} die @returns {Crop} */
  crop(cell, die) {
    const { photo } = this.look.draft;
    const quad = die?.quad ?? quadOf(this.look.draft, this.look, cell);
    return photo && quad ? { ...photo, box: around(quad, die?.quad ? 0.35 : 0.05) } : null;
  }

  /** @param {Die} die */
  askBeside(die) {
    const cells = this.look.cells().map((cell) => ({ cell, taken: this.look.draft.on(cell).length > 0 }));
    const free = cells.some(({ taken }) => !taken) ? cells : null;
    const said = _("Read as {die}. It is beside the board and does not count.", { die: dieName(die.colour, die.value) });
    this.look.picker.ask(this.question(null, die, said, free), (answer) => {
      this.look.draft.move(die, answer);
      this.look.propose();
    });
  }

  /** Ask about a place where a die may lie that was not read.
   *  @param {Quad} quad */
  askPerhaps(quad) {
    const cell = cellUnder(this.look.draft, this.look, quad);
    const asked = this.question(cell, { quad }, _("There may be a die here. Which one is it?"));
    this.look.picker.ask({ ...asked, title: _("Perhaps another die") }, (answer) => {
      this.look.draft.found(quad, cell, answer);
      this.look.propose();
    });
  }

  /** @param {Die} die */
  askInPool(die) {
    const key = `die ${this.look.draft.dice.indexOf(die)}`;
    this.asked = () => this.look.view.placeOf(key);
    const said = die.doubt ?? shownAs(die);
    this.look.picker.ask({ ...this.question(null, die, said), owners: this.owners(die) }, (answer) => {
      this.look.draft.move(die, answer);
      this.look.changed(key);
    });
  }

  /** Whose the dice of a colour are, where a game has it told: by a tap on one of them.
   *  @param {Die} die */
  owners({ colour: shown }) {
    const { own, names, colours } = this.look.table;
    if (!own || this.look.kind !== "pool") return null;
    const foreign = !(shown in (this.look.table.equipment.colours ?? {}));
    return {
      names,
      of: (/** @type {string} */ colour) => (colours ?? []).indexOf(colour),
      own: (/** @type {number} */ seat, /** @type {string} */ colour) => this.look.sending.own({ move: own, seat, colour: foreign ? shown : colour }),
    };
  }
}
