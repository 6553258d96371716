/** What lies there as far as the photo and the person say: pieces that have not been counted.
 *
 *  A die is {value, colour, cell|null}, a tile {halves, cells|null, level|null}, a mark {cell, mark}; each has
 *  quad: px|null, doubt: sentence|null and `likely`, what else it was thought to be. A doubt that is `drawn` is only marked
 *  on its piece: to confirm what is shown there settles it. `perhaps` are the quads of places where another may lie, about which
 *  nobody has answered yet, and `hint` is which of the `warnings` speaks of them. `since` is the newest step when
 *  it was begun, `earlier` what was read before the board's corners were set, `instead` a question about an earlier step that was answered with yes, `replaces` the stored step in whose place it comes. `kind` tells the surface
 *  (kindOf): in a pool and beside a sheet dice have no cell, and all of them count.
 */

import { at } from "../net/root.js";
import { ngettext } from "../page/words.js";

/** @param {Cell | null | undefined} a @param {Cell | null | undefined} b */
export const sameCell = (a, b) => Boolean(a && b && a.join() === b.join());

/** Return which surface an equipment asks for: "grid", "sheet", "track", "tiles", the "pool" of loose dice or a "hand"
 *  of loose tiles. A track that only lies beside the dice has places, but is no board that is asked for.
 *  @param {Equipment} equipment @returns {Kind} */
export function kindOf({ board, tiles, places, loose }) {
  if (board?.startsWith("sheet:")) return "sheet";
  if (board && places.length) return "track";
  if (tiles) return loose ? "hand" : "tiles";
  return board ? "grid" : "pool";
}

export class Draft {
  /** @type {Kind} */ kind = "pool";
  tapped = false;
  /** @type {number | null} */ sighting = null;
  /** @type {DraftPhoto | null} */ photo = null;
  /** @type {any[]} */ views = [];
  /** @type {Quad | null} */ corners = null;
  /** @type {Printed[]} */ cells = [];
  /** @type {number | null} */ since = null;
  /** @type {any} */ instead = null;
  /** @type {any} */ earlier = null;
  /** @type {any} */ replaces = null;
  /** @type {Die[]} */ dice = [];
  /** @type {Tile[]} */ tiles = [];
  /** @type {Mark[]} */ marks = [];
  /** @type {Quad[]} */ perhaps = [];
  /** @type {Quad[]} */ unread = []; // pieces without a value
  /** @type {string | null} */ hint = null;
  /** @type {string[]} */ warnings = [];
  touched = false; // a person has put a piece right, or in
  pressed = false; // of dice that are tapped in: a person has asked what is missing

  /** @param {Partial<Draft>} fields */
  constructor(fields) {
    Object.assign(this, fields);
  }

  /** The dice that the match already knows, to tap the others in.
   *  @param {DieAnswer[]} pieces @param {Kind} kind */
  static tapped(pieces, kind) {
    const dice = pieces.map(({ cell = null, value, colour }) => ({ value, colour, cell, quad: null, doubt: null }));
    return new Draft({ dice, kind, tapped: true });
  }

  /** The answer of the photo's upload (webui/api/matches.py); `shown` is an address of the same photo in this
   *  browser, if it has one.
   *  @param {any} answer @param {Kind} kind @param {string | null} shown */
  static read({ sighting, photo, width, height, views, cells = [], reading, proposal }, kind, shown = null) {
    const asked = (/** @type {string} */ name, /** @type {number} */ place) => /** @type {any[]} */ (proposal.doubts).filter(({ piece }) => piece?.[0] === name && piece[1] === place);
    const doubtOf = (/** @type {string} */ name, /** @type {number} */ place) => {
      const found = asked(name, place);
      const doubts = found.map((one) => one.sentence);
      return { doubts, doubt: doubts.join("; ") || null, drawn: found.every((one) => one.drawn) };
    };
    const loose = kind === "pool" || kind === "sheet";
    const dice = /** @type {any[]} */ (reading.dice).map(({ value, color, cell, quad, ...more }, place) => {
      // What the rules take it for is shown: that is what would be counted, and is asked about.
      const taken = asked("dice", place).findLast((one) => one.taken)?.taken;
      const die = { colour: taken?.[0] ?? color, value: taken?.[1] ?? value, cell: loose ? null : placeOf(cell), on: kind === "pool" ? placeOf(cell) : null, quad, likely: likelyDice(value, color, more) };
      return { ...die, ...doubtOf("dice", place), ...(cell || loose ? {} : { doubt: null }) };
    });
    /** @type {Tile[]} */
    const tiles = [];
    let placed = 0; // the rules know those that count alone
    for (const { halves, cells: on, level, quad, alternatives = [] } of /** @type {any[]} */ (reading.tiles ?? [])) {
      const asking = on || kind === "hand" ? doubtOf("tiles", placed++) : { doubts: [], doubt: null };
      tiles.push({ halves, cells: on, level: level === null ? null : level + 1, quad, likely: likeliest(alternatives), ...asking });
    }
    const printed = /** @type {Printed[]} */ (cells);
    const quads = new Map(printed.map(({ cell, quad }) => [cell.join(), quad]));
    const marks = /** @type {any[]} */ (reading.marks ?? []).map(({ cell, mark, alternatives = [] }, place) => ({
      ...{ cell, mark, quad: quads.get(cell.join()) ?? null, likely: likeliest(alternatives) },
      ...doubtOf("marks", place),
    }));
    return new Draft({
      sighting,
      dice,
      tiles,
      marks,
      kind,
      photo: { href: shown ?? at(photo), stored: at(photo), width, height },
      views: views.map((/** @type {any} */ view) => ({ ...view, tags: tagsOf(view, reading) })),
      corners: reading.board?.corners ?? null,
      cells: printed.map(({ cell, quad }) => ({ cell: /** @type {Cell} */ (placeOf(cell)), quad })),
      warnings: reading.warnings,
      perhaps: reading.perhaps ?? [], // a reading kept before there were any has none
      unread: (reading.unread ?? []).map((/** @type {{quad: Quad}} */ { quad }) => quad),
      hint: reading.hint ?? null,
    });
  }

  /** Whether it is a photo that has not been read yet. */
  get waits() {
    return !this.tapped && !this.sighting;
  }

  /** Whether dice count wherever they lie. */
  get loose() {
    return this.kind === "pool" || this.kind === "sheet";
  }

  /** @param {Cell} cell */
  on(cell) {
    return this.dice.filter((die) => sameCell(die.cell, cell));
  }

  /** @param {Cell} cell */
  mark(cell) {
    return this.marks.find((mark) => sameCell(mark.cell, cell));
  }

  /** The uppermost tile on a cell, and which of its halves lies there.
   *  @param {Cell} cell */
  top(cell) {
    const there = this.tiles.filter((tile) => tile.cells?.some((one) => sameCell(one, cell)));
    const tile = there.sort((a, b) => (a.level ?? 0) - (b.level ?? 0)).at(-1);
    return tile && { tile, half: sameCell(tile.cells?.[0], cell) ? 0 : 1 };
  }

  /** The pieces that may be something else than they are shown as. */
  get unsure() {
    return [...this.dice, ...this.tiles, ...this.marks].filter((piece) => piece.doubt);
  }

  /** Those that have to be answered for before anything is counted. */
  get doubtful() {
    return this.unsure.filter(({ drawn }) => !drawn);
  }

  /** Those that are only marked with a question mark. */
  get marked() {
    return this.unsure.filter(({ drawn }) => drawn);
  }

  get beside() {
    return this.loose ? [] : this.dice.filter((die) => die.cell === null);
  }

  /** Whether a tile counts: on its cells, or in a hand wherever it lies.
   *  @param {Tile} tile */
  counts(tile) {
    return this.kind === "hand" || Boolean(tile.cells);
  }

  /** Put what a person says lies on a cell; null is "no die here". One answer settles the cell.
   *  @param {Cell} cell @param {DieAnswer | null} answer */
  settle(cell, answer) {
    this.touched = true;
    const lying = this.on(cell);
    const old = lying.find(({ value, colour }) => value === answer?.value && colour === answer.colour) ?? lying[0];
    this.dice = this.dice.filter((die) => !sameCell(die.cell, cell));
    if (answer) this.dice.push({ quad: old?.quad ?? null, likely: old?.likely, ...answer, cell, doubt: null });
  }

  /** @param {number} value @param {string} colour */
  add(value, colour) {
    this.touched = true;
    this.dice.push({ value, colour, cell: null, quad: null, doubt: null });
  }

  /** Put a die that lies on no cell where a person says, make it another one, or forget it.
   *  @param {Die} die @param {DieAnswer | null} answer */
  move(die, answer) {
    this.touched = true;
    if (answer && !answer.cell) Object.assign(die, answer, { doubt: null });
    else this.dice = this.dice.filter((other) => other !== die);
    if (answer?.cell) this.settle(answer.cell, { quad: die.quad, value: answer.value, colour: answer.colour });
  }

  /** Make a tile what a person says it is, {halves, cells, level}; null takes it away.
   *  @param {Tile | null} tile @param {Pick<Tile, "halves" | "cells" | "level"> | null} answer */
  lay(tile, answer) {
    this.touched = true;
    if (!answer) this.tiles = this.tiles.filter((other) => other !== tile);
    else if (tile) Object.assign(tile, answer, { doubt: null });
    else this.tiles.push({ quad: null, ...answer, doubt: null });
  }

  /** @param {number} at @param {string} mark that a person sees there */
  tick(at, mark) {
    this.touched = true;
    Object.assign(this.marks[at], { mark, doubt: null });
  }

  /** Put what a person says lies where only perhaps a die was seen; null is "no die here".
   *  @param {Quad} quad @param {Cell | null} cell @param {DieAnswer | null} answer */
  found(quad, cell, answer) {
    this.touched = true;
    this.perhaps = this.perhaps.filter((other) => other !== quad);
    if (cell) this.settle(cell, answer);
    else if (answer) this.add(answer.value, answer.colour);
    if (answer) this.dice[this.dice.length - 1].quad = quad;
  }

  trust() {
    for (const piece of this.unsure) piece.doubt = null;
  }

  /** The pieces that count, as the rules number them; what lies beside a board does not. */
  get counted() {
    const dice = this.loose ? this.dice : this.dice.filter((die) => die.cell);
    return { dice, tiles: this.tiles.filter((tile) => this.counts(tile)), marks: this.marks };
  }

  /** The same as the proposals take them. */
  sent() {
    const { dice, tiles, marks } = this.counted;
    return {
      // Loose dice have no cell to be moved to; that one lies on a track beside them is reported all the same.
      dice: dice.map(({ value, colour, cell, on }) => ({ value, colour, cell: cell ?? on ?? null })),
      tiles: tiles.map(({ halves, cells, level }) => ({ halves, cells, level })),
      marks: marks.map(({ cell, mark }) => ({ cell, mark })),
    };
  }
}

/** @typedef {[any, number]} Share */

/** Return what else a piece was thought to be.
 *  @param {Share[]} alternatives */
const likeliest = (alternatives) => alternatives.map(([other]) => other);

/** What else a die was thought to be, the likeliest first; a reading kept by an older page has none.
 *  @param {number} value @param {string} colour @param {{alternatives?: Share[], color_alternatives?: Share[]}} die */
function likelyDice(value, colour, { alternatives = [], color_alternatives = [] }) {
  const values = alternatives.map(([pips, share]) => ({ value: pips, colour, share }));
  const colours = color_alternatives.map(([name, share]) => ({ value, colour: name, share }));
  return [...values, ...colours].sort((a, b) => b.share - a.share).map(({ value: pips, colour: name }) => ({ value: pips, colour: name }));
}

/** A place of a track is a cell of one row, as the rules name it; lost dice lie in the next one.
 *  @param {Cell | null} cell */
function placeOf(cell) {
  const row = ["place", "lost"].indexOf(String(cell?.[0]));
  return cell && row >= 0 ? [row, cell[1]] : cell;
}

/** Dice tapped in stay; what the other phone has put down since comes first.
 *  @param {Draft} draft @param {DieAnswer[]} board */
export function merged(draft, board) {
  const fresh = Draft.tapped(board, draft.kind);
  for (const die of draft.dice) if (!die.cell || !fresh.on(die.cell).length) fresh.dice.push(die);
  return fresh;
}

// ---------------------------------------------------------------- kept over a reload

/** Return a draft as it is kept: its photo by the server's address.
 *  @param {Draft} draft */
export function toKeep({ photo, ...rest }) {
  return JSON.parse(JSON.stringify({ ...rest, photo: photo && { ...photo, href: photo.stored } }));
}

/** Tags by the quad they belong to, which a piece keeps when a person makes another one of it.
 *  @param {any} view @param {any} reading */
function tagsOf({ dice, tiles = [], perhaps }, reading) {
  /** @type {Piece[]} */
  const pieces = [...reading.dice, ...(tiles.length ? reading.tiles : [])];
  const quads = [...pieces.map(({ quad }) => quad), ...(reading.perhaps ?? [])];
  return Object.fromEntries([...dice, ...tiles, ...perhaps].map((tag, place) => [String(quads[place]), tag]));
}

/** Return "2 dice", "1 mark", "3 pieces": so many of the pieces of a draft.
 *  @param {object[]} pieces */
export function piecesWord(pieces) {
  const kinds = new Set(pieces.map((piece) => ("halves" in piece ? "tile" : "mark" in piece ? "mark" : "die")));
  const [kind] = kinds.size === 1 ? kinds : ["piece"];
  const n = pieces.length;
  if (kind === "die") return ngettext("{n} die", "{n} dice", n);
  if (kind === "tile") return ngettext("{n} tile", "{n} tiles", n);
  if (kind === "mark") return ngettext("{n} mark", "{n} marks", n);
  return ngettext("{n} piece", "{n} pieces", n);
}
