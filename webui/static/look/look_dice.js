/** What a look asks about its dice with the sheet of all values, and what the answers make of its draft. */

import { byId } from "../page/dom.js";
import { around, cellUnder, quadOf } from "./quads.js";
import { _, dieName, upper } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

/** @param {DieAnswer} die */
const shownAs = ({ colour, value }) => _("Shown as {die}.", { die: dieName(colour, value) });

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
    const said = second
      ? _("Two dice were read on this cell. Which one is it?")
      : die?.doubt ?? (die ? shownAs(die) : this.look.draft.photo ? _("Nothing was seen here.") : _("Which die is here?"));
    this.asked = () => this.look.view.placeOf(cell.join());
    this.look.picker.ask(this.question(cell, die, said), (answer) => {
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
      title: cell ? upper(this.look.nameOf(cell)) : this.look.draft.loose ? _("One of the dice") : _("A die beside the board"),
      value: die?.value,
      colour: die?.colour,
      columns: this.look.columns,
      crop: this.crop(cell, die),
    };
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
