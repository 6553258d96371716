/** A photo that is counted ahead: while the server is away, a person may count what this browser sees on it.
 *
 *  That waits with the photo, and counts when the server has read the same and asks nothing; what it reads otherwise is
 *  looked at as ever.
 */

import { byId } from "../page/dom.js";

/** @typedef {import("./look.js").Look} Look */

export class Ahead {
  /** @type {ShownFace[] | null} */ faces = null; // what this browser sees on the photo that is on its way
  /** @type {string | null} */ counted = null; // the dice that a person has counted of it

  /** @param {import("./incoming.js").Incoming} incoming keeps the photo @param {Look} look is to read it */
  constructor(incoming, look) {
    this.incoming = incoming;
    this.look = look;
    byId("ahead").addEventListener("click", () => this.count());
  }

  /** Begin anew with another photo, of which dice may have been `counted` before a reload.
   *  @param {string | null} counted */
  reset(counted = null) {
    this.faces = null;
    this.counted = counted;
    this.draw();
  }

  /** @param {ShownFace[] | null} faces */
  see(faces) {
    this.faces = faces;
    this.draw();
  }

  count() {
    this.counted = this.dice;
    this.incoming.keep();
    this.draw();
  }

  draw() {
    const away = this.look.sending.retry !== null;
    byId("ahead").hidden = !away || Boolean(this.counted) || !this.dice;
    byId("ahead-says").hidden = !away || !this.counted;
  }

  /** The dice in words, or null where this browser is not sure of all that are wanted. */
  get dice() {
    const { dice } = this.look.table.equipment;
    const sure = this.look.kind === "pool" && Number(dice) > 0 && this.faces?.length === dice && this.faces?.every((face) => face.sure);
    return sure && this.faces ? this.words(this.faces) : null;
  }

  /** Whether the server has read what was counted, and the rules have nothing against it.
   *  @param {import("./draft.js").Draft} draft @param {Record<string, any>} proposal */
  agrees({ dice, unsure, perhaps, since }, { moves, differences, questions = [], overtaken }) {
    const { seq } = this.look;
    const plain = moves.length && ![...differences, ...questions, ...unsure, ...perhaps].length && !overtaken && since === seq;
    return Boolean(this.counted && plain && this.words(dice) === this.counted);
  }

  /** Say dice in an order of their own; colours count where a game's pieces have some.
   *  @param {{value: number, colour: string}[]} dice */
  words(dice) {
    const coloured = Object.keys(this.look.table.equipment.colours ?? {}).length > 0;
    return dice.map(({ value, colour }) => (coloured ? `${colour} ${value}` : `${value}`)).sort().join();
  }
}
