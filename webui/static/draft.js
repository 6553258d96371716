/** What lies there as far as the photo and the person say: dice that have not been counted.
 *
 *  A die is {value, colour, cell: [row, column]|null, quad: px|null, doubt: sentence|null}; `perhaps`
 *  are the quads of places where another may lie, about which nobody has answered yet, and `hint` is
 *  which of the `warnings` speaks of them. `since` is the newest step when it was begun, `instead`
 *  a question about an earlier step that was answered with yes. In a `pool` the dice lie on no board: none has a cell,
 *  and all of them count.
 */

import { counted } from "./dom.js";

const sameCell = (a, b) => a !== null && b !== null && a[0] === b[0] && a[1] === b[1];

export const cellName = ([row, column]) => `row ${row + 1}, column ${column + 1}`;

export class Draft {
  constructor(fields) {
    Object.assign(this, { tapped: false, pool: false, sighting: null, photo: null, views: [], corners: null, warnings: [], perhaps: [], hint: null, dice: [], since: null, instead: null }, fields);
  }

  /** The dice that the match already knows, to tap the others in. */
  static tapped(pieces, pool = false) {
    const dice = pieces.map(({ cell, value, colour }) => ({ value, colour, cell, quad: null, doubt: null }));
    return new Draft({ dice, pool, tapped: true });
  }

  /** The answer of the photo's upload (webui/api.py); `shown` is the address of the same photo. */
  static read({ sighting, photo, width, height, views, reading, proposal }, shown, pool = false) {
    const said = new Map(); // the place of a die among them: the sentences of its doubts
    for (const { piece, sentence } of proposal.doubts)
      if (piece?.[0] === "dice") said.set(piece[1], [...(said.get(piece[1]) ?? []), sentence]);
    const taken = new Map(proposal.doubts.filter((one) => one.taken).map((one) => [one.piece[1], one.taken]));
    const dice = reading.dice.map((die, place) => ({
      // What the rules take it for is shown: that is what would be counted, and is asked about.
      value: taken.get(place)?.[1] ?? die.value,
      colour: taken.get(place)?.[0] ?? die.color,
      doubts: proposal.doubts.filter(({ piece }) => piece?.[0] === "dice" && piece[1] === place).map((one) => one.sentence),
      cell: die.cell,
      quad: die.quad,
      doubt: ((die.cell || pool) && said.get(place)?.join("; ")) || null,
    }));
    return new Draft({
      sighting,
      dice,
      pool,
      photo: { href: shown, stored: photo, width, height },
      views: views.map((view) => ({ ...view, tags: tagsOf(view, reading) })),
      corners: reading.board?.corners ?? null,
      warnings: reading.warnings,
      perhaps: reading.perhaps ?? [], // a reading kept before they were told has none
      hint: reading.hint ?? null,
    });
  }

  on(cell) {
    return this.dice.filter((die) => sameCell(die.cell, cell));
  }

  get doubtful() {
    return this.dice.filter((die) => die.doubt);
  }

  get beside() {
    return this.pool ? [] : this.dice.filter((die) => die.cell === null);
  }

  /** Put what a person says lies on a cell; null is "no die here". One answer settles the cell. */
  settle(cell, answer) {
    const [old] = this.on(cell);
    this.dice = this.dice.filter((die) => !sameCell(die.cell, cell));
    if (answer) this.dice.push({ quad: old?.quad ?? null, ...answer, cell, doubt: null });
  }

  add(value, colour) {
    this.dice.push({ value, colour, cell: null, quad: null, doubt: null });
  }

  /** Put a die that lies on no cell where a person says, make it another one, or forget it. */
  move(die, answer) {
    if (answer && !answer.cell) Object.assign(die, answer, { doubt: null });
    else this.dice = this.dice.filter((other) => other !== die);
    if (answer?.cell) this.settle(answer.cell, { quad: die.quad, value: answer.value, colour: answer.colour });
  }

  /** Put what a person says lies where only perhaps a die was seen; null is "no die here". */
  found(quad, cell, answer) {
    this.perhaps = this.perhaps.filter((other) => other !== quad);
    if (cell) this.settle(cell, answer);
    else if (answer) this.add(answer.value, answer.colour);
    if (answer) this.dice.at(-1).quad = quad;
  }

  trust() {
    for (const die of this.dice) die.doubt = null;
  }

  /** The dice that count as the proposals take them; what lies beside a board does not. */
  sent() {
    const counted = this.pool ? this.dice : this.dice.filter((die) => die.cell);
    return counted.map(({ value, colour, cell }) => ({ value, colour, cell }));
  }
}

/** Dice tapped in stay; what the other phone has put down since comes first. */
export function merged(draft, board) {
  const fresh = Draft.tapped(board);
  for (const die of draft.dice) if (!fresh.on(die.cell).length) fresh.dice.push(die);
  return fresh;
}

// ---------------------------------------------------------------- kept over a reload

const key = (match) => `draft ${match}`;

export function keep(match, { photo, ...rest }) {
  const kept = { ...rest, photo: photo && { ...photo, href: photo.stored } };
  sessionStorage.setItem(key(match), JSON.stringify(kept));
}

/** Return the draft that was kept of a match, or null. */
export function kept(match) {
  const found = sessionStorage.getItem(key(match));
  return found && new Draft(JSON.parse(found));
}

export const forget = (match) => sessionStorage.removeItem(key(match));

/** Tags by the quad they belong to, which a die keeps when a person makes another one of it. */
function tagsOf({ dice, perhaps }, reading) {
  const quads = [...reading.dice.map(({ quad }) => quad), ...(reading.perhaps ?? [])];
  return Object.fromEntries([...dice, ...perhaps].map((tag, place) => [String(quads[place]), tag]));
}

export const diceWord = (number) => counted(number, "die", "dice");
