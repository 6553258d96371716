/** What a look asks about its pieces, and what the answers make of its draft. */

import { dieChoices, markChoices, tileChoices } from "./choices.js";
import { Chooser } from "./chooser.js";
import { byId } from "../page/dom.js";
import { groundOf } from "./pieces.js";
import { around } from "./quads.js";
import { _, dieName, markName, upper } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

export class LookPieces {
  /** @type {(() => HTMLElement | null) | null} */ asked = null; // what has the focus after the sheet

  /** @param {Look} look whose draft is corrected */
  constructor(look) {
    this.look = look;
    this.chooser = new Chooser();
    byId("chooser").addEventListener("close", () => this.asked?.()?.focus());
    byId("new-tile").addEventListener("click", () => this.newTile());
  }

  /** Show what a mark or a tile may be.
   *  @param {any} piece a Mark or a Tile */
  open(piece, focus = true) {
    const { draft } = this.look;
    const at = (piece.mark ? draft.marks : draft.tiles).indexOf(piece);
    const choices = piece.mark ? markChoices(piece, at) : tileChoices(piece, at);
    const name = piece.mark ? _("{cell}: how is it marked?", { cell: markName(piece.cell) }) : this.lies(piece);
    const more = piece.mark ? null : () => this.askTile(piece);
    this.look.offer(piece.mark ? piece.cell.join() : `tile ${at}`, { piece, said: name, choices, more, focus });
  }

  /** Show what lies on a cell of the photo, or ask which die does.
   *  @param {Cell} cell @param {boolean} [focus] */
  openCell(cell, focus) {
    const dice = this.look.draft.on(cell);
    if (!dice.length) return this.look.dice.askAbout(cell);
    const { doubled } = this.look.dice;
    if (doubled && doubled.cell.join() === cell.join()) return this.look.dice.askTwo(doubled);
    const place = this.look.nameOf(cell);
    const said = dice.length > 1 ? _("{place}: two dice were read. Which one is it?", { place }) : `${place}: ${dieName(dice[0].colour, dice[0].value)}`;
    const choices = dieChoices(this.look, dice, (draft, value) => draft.settle(cell, value));
    this.look.offer(cell.join(), { piece: dice.length > 1 ? {} : dice[0], said, choices, more: () => this.look.dice.askAbout(cell), focus });
  }

  /** Show what a die on no board may be.
   *  @param {Die} die @param {boolean} [focus] */
  openDie(die, focus) {
    const at = this.look.draft.dice.indexOf(die);
    const choices = dieChoices(this.look, [die], (draft, value) => draft.move(draft.dice[at], value));
    this.look.offer(`die ${at}`, { piece: die, said: dieName(die.colour, die.value), choices, more: () => this.look.dice.askInPool(die), focus });
  }

  /** Take a digit for the pips of a die, or Delete for none, and say whether that was one.
   *  @param {{key: string}} piece @param {string} pressed */
  digit({ key }, pressed) {
    const { dice, cell, kind } = this.look.view.pieces.find((piece) => piece.key === key) ?? {};
    const value = /^[1-6]$/.test(pressed) ? Number(pressed) : null;
    if (dice?.length !== 1 || kind === "beside" || !(value || ["Delete", "Backspace"].includes(pressed))) return false;
    const [die] = dice;
    const answer = value ? { value, colour: die.colour } : null;
    if (cell) this.look.draft.settle(cell, answer);
    else this.look.draft.move(die, answer);
    this.look.chips.close();
    this.look.changed(key);
    return true;
  }

  /** @param {Tile} tile */
  lies(tile) {
    const { halves } = tile;
    return this.look.draft.counts(tile) ? _("The tile {tile}", { tile: halves.join("-") }) : _("It lies apart from the others and does not count.");
  }

  /** What is asked of a tile: its name, the doubt about it, and its part of the photo.
   *  @param {string} title @param {Tile | null} piece @param {string} said @returns {{title: string, said: string, crop: Crop}} */
  question(title, piece, said) {
    const { photo } = this.look.draft;
    const crop = photo && piece?.quad ? { ...photo, box: around(piece.quad, 0.5) } : null;
    return { title: upper(title), said: upper(piece?.doubt ?? said), crop };
  }

  /** @param {Tile} tile */
  askTile(tile) {
    const name = tile.halves.join("-");
    const said = this.look.draft.counts(tile) ? _("Read as {die}.", { die: name }) : _("It lies apart from the others and does not count. Tap two cells to put it there.");
    this.ask(tile, tile, this.question(_("The tile {tile}", { tile: name }), tile, said));
  }

  get inHand() {
    return this.look.draft.kind === "hand";
  }

  /** Ask for a tile that was not seen. */
  newTile() {
    const said = this.inHand ? _("Which tile is this?") : _("Which tile is this, and on which two cells does it lie?");
    this.ask(null, { halves: [0, 0], cells: null, level: null }, this.question(_("A tile that was not seen"), null, said));
  }

  /** @param {Tile | null} tile @param {TileAnswer} shown @param {{title: string, said: string, crop: Crop}} question */
  ask(tile, shown, question) {
    const { draft, view } = this.look;
    this.asked = () => (tile ? view.placeOf(`tile ${draft.tiles.indexOf(tile)}`) : byId("new-tile"));
    const pipsAt = (/** @type {Cell} */ cell) => {
      const on = draft.top(cell);
      return on && on.tile !== tile ? on.tile.halves[on.half] : undefined;
    };
    this.chooser.most = this.look.table.equipment.largest ?? 6;
    this.chooser.askTile(question, shown, this.inHand ? null : groundOf(draft), pipsAt, (answer) => {
      if (answer?.cells) answer.level ??= this.heightOf(answer.cells, tile);
      draft.lay(tile, answer);
      this.look.changed();
    });
  }

  /** The level on which a tile comes to lie on two cells.
   *  @param {Cell[]} cells @param {Tile | null} tile */
  heightOf(cells, tile) {
    const below = cells.map((cell) => this.look.draft.top(cell)?.tile).filter((other) => other && other !== tile);
    return 1 + Math.max(0, ...below.map((tile) => tile?.level ?? 1));
  }
}
