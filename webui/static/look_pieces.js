/** What a look asks about marks and tiles, and what the answers make of its draft. */

import { Chooser } from "./chooser.js";
import { byId } from "./dom.js";
import { groundOf, statesOf } from "./laid.js";
import { around } from "./overlay.js";
import { _, markName, upper } from "./words.js";

export class LookPieces {
  /** @param look whose draft is corrected */
  constructor(look) {
    this.look = look;
    this.chooser = new Chooser();
    byId("chooser").addEventListener("close", () => this.asked?.()?.focus());
  }

  /** What is asked of a piece: its name, the doubt about it, and its part of the photo. */
  question(title, piece, said) {
    const { photo } = this.look.draft;
    const crop = photo && piece?.quad ? { ...photo, box: around(piece.quad, 0.5) } : null;
    return { title: upper(title), said: upper(piece?.doubt ?? said), crop };
  }

  focusOn(cell) {
    this.asked = () => byId("laid").querySelector(`[data-at="${cell}"]`);
  }

  /** Take an answer, ask the rules again, and walk on. */
  changed(following) {
    this.look.sending.notice = null;
    this.look.propose();
    following?.();
  }

  nextMark(mark) {
    const states = statesOf(mark.cell);
    mark.mark = states[(states.indexOf(mark.mark) + 1) % states.length];
    this.changed();
  }

  askMark(mark, following) {
    this.focusOn(mark.cell);
    const states = [...new Set([...statesOf(mark.cell), mark.mark])];
    this.chooser.askMark(this.question(markName(mark.cell), mark, _("How is it marked?")), mark.mark, states, (answer) => {
      Object.assign(mark, { mark: answer, doubt: null });
      this.changed(following);
    });
  }

  askTile(tile, following) {
    this.focusOn(tile.cells?.[0]);
    const said = tile.cells ? _("Read as {die}.", { die: tile.halves.join("-") }) : _("It lies apart from the others and does not count. Tap two cells to put it there.");
    this.ask(tile, tile, this.question(_("The tile {tile}", { tile: tile.halves.join("-") }), tile, said), following);
  }

  /** Ask for a tile that was not seen, with its first half on a cell. */
  newTile(cell) {
    this.focusOn(cell);
    this.ask(null, { halves: [0, 0], cells: null, level: null }, this.question(_("A tile that was not seen"), null, _("Which tile is this?")));
    this.chooser.put(cell, true);
  }

  ask(tile, shown, question, following) {
    const { draft } = this.look;
    const pipsAt = (cell) => {
      const on = draft.top(cell);
      return on && on.tile !== tile ? on.tile.halves[on.half] : undefined;
    };
    this.chooser.askTile(question, shown, groundOf(draft), pipsAt, (answer) => {
      if (answer) answer.level ??= this.heightOf(answer.cells, tile);
      draft.lay(tile, answer);
      this.changed(following);
    });
  }

  /** The level on which a tile comes to lie on two cells. */
  heightOf(cells, tile) {
    const below = cells.map((cell) => this.look.draft.top(cell)?.tile).filter((one) => one && one !== tile);
    return 1 + Math.max(0, ...below.map(({ level }) => level ?? 1));
  }
}
