/** What a look asks about marks and tiles, and what the answers make of its draft. */

import { tileChoices, markChoices } from "./choices.js";
import { Chooser } from "./chooser.js";
import { byId } from "./dom.js";
import { groundOf } from "./pieces.js";
import { around } from "./quads.js";
import { _, markName, upper } from "./words.js";

export class LookPieces {
  /** @param look whose draft is corrected */
  constructor(look) {
    this.look = look;
    this.chooser = new Chooser();
    byId("chooser").addEventListener("close", () => this.asked?.()?.focus());
    byId("new-tile").addEventListener("click", () => this.newTile());
  }

  /** Show what a mark or a tile may be. */
  open(piece, focus = true) {
    const { draft } = this.look;
    const at = (piece.mark ? draft.marks : draft.tiles).indexOf(piece);
    const choices = piece.mark ? markChoices(piece, at) : tileChoices(piece, at);
    const name = piece.mark ? _("{cell}: how is it marked?", { cell: markName(piece.cell) }) : this.lies(piece);
    const more = piece.mark ? null : () => this.askTile(piece);
    this.look.offer(piece.mark ? piece.cell.join() : `tile ${at}`, { piece, said: name, choices, more, focus });
  }

  lies({ halves, cells }) {
    return cells ? _("The tile {tile}", { tile: halves.join("-") }) : _("It lies apart from the others and does not count.");
  }

  /** What is asked of a tile: its name, the doubt about it, and its part of the photo. */
  question(title, piece, said) {
    const { photo } = this.look.draft;
    const crop = photo && piece?.quad ? { ...photo, box: around(piece.quad, 0.5) } : null;
    return { title: upper(title), said: upper(piece?.doubt ?? said), crop };
  }

  askTile(tile) {
    const name = tile.halves.join("-");
    const said = tile.cells ? _("Read as {die}.", { die: name }) : _("It lies apart from the others and does not count. Tap two cells to put it there.");
    this.ask(tile, tile, this.question(_("The tile {tile}", { tile: name }), tile, said));
  }

  /** Ask for a tile that was not seen. */
  newTile() {
    const said = _("Which tile is this, and on which two cells does it lie?");
    this.ask(null, { halves: [0, 0], cells: null, level: null }, this.question(_("A tile that was not seen"), null, said));
  }

  ask(tile, shown, question) {
    const { draft, view } = this.look;
    this.asked = () => (tile ? view.placeOf(`tile ${draft.tiles.indexOf(tile)}`) : byId("new-tile"));
    const pipsAt = (cell) => {
      const on = draft.top(cell);
      return on && on.tile !== tile ? on.tile.halves[on.half] : undefined;
    };
    this.chooser.askTile(question, shown, groundOf(draft), pipsAt, (answer) => {
      if (answer) answer.level ??= this.heightOf(answer.cells, tile);
      draft.lay(tile, answer);
      this.look.changed();
    });
  }

  /** The level on which a tile comes to lie on two cells. */
  heightOf(cells, tile) {
    const below = cells.map((cell) => this.look.draft.top(cell)?.tile).filter((other) => other && other !== tile);
    return 1 + Math.max(0, ...below.map(({ level }) => level ?? 1));
  }
}
