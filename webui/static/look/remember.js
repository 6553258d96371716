/** "These are our dice: remember them": what a person confirmed on a photo is learned. */

import { Refusal, call } from "../net/api.js";
import { byId } from "../page/dom.js";
import { inWords, settled } from "../net/jobs.js";
import { quadOf } from "./quads.js";
import { _, ngettext } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

const LEARNING = 60000; // ms that it may take to learn two photos
const BUSY = _("Learning these dice …");

export class Remember {
  /** @type {string | null} */ learned = null; // the dice that were, in JSON
  /** @type {string | null} */ asked = null; // the dice that were to be: what is said is of them
  learning = false;

  /** @param {Look} look whose draft is learned */
  constructor(look) {
    this.look = look;
    this.button = byId("remember");
    this.button.addEventListener("click", () => this.learn());
  }

  /** Offer it once no die of the photo is doubtful; each photo is learned once. */
  draw() {
    const { draft, table } = this.look;
    const ready = table.learns && draft.sighting && !draft.unsure.length && this.dice().length > 0;
    const offered = ready && this.learned !== this.key();
    if (!offered && document.activeElement === this.button) byId("look-title").focus({ preventScroll: true }); // no key is lost
    this.button.hidden = !offered;
    if (this.asked !== this.key() && !this.learning) this.say("");
  }

  key() {
    const { draft } = this.look;
    return JSON.stringify([draft.sighting, draft.sent()]);
  }

  /** The dice that count, with their middles on the photo. */
  dice() {
    const { draft } = this.look;
    return draft.counted.dice.flatMap(({ value, colour, cell, quad }) => {
      const at = quad ?? quadOf(draft, this.look, cell);
      return at ? [{ value, colour, center: middle(at) }] : [];
    });
  }

  async learn() {
    if (this.learning) return;
    const key = (this.asked = this.key());
    const { draft } = this.look;
    const say = (/** @type {string} */ words) => this.look.draft === draft && this.say(words); // not of the photo that came after it
    this.learning = true;
    this.say(BUSY);
    try {
      const { path } = this.look;
      const sent = await call(`${path}/pieces`, { sighting: draft.sighting, dice: this.dice() }, undefined, LEARNING);
      const answer = await settled(path, sent, (place) => say(inWords(place, BUSY)));
      this.learned = key;
      byId("pieces").textContent = answer.says;
      say(`${ngettext("{n} die is remembered.", "{n} dice are remembered.", answer.faces)} ${answer.says}`);
    } catch (fault) {
      say(fault instanceof Refusal ? fault.message : _("That did not work. Reload the page; the match is safe."));
    }
    this.learning = false;
    if (this.look.draft) this.draw();
  }

  /** @param {string} words */
  say(words) {
    const shown = byId("remember-says");
    if (shown.textContent !== words) shown.textContent = words;
  }
}

/** Where the diagonals of a quad cross.
 *  @param {Quad} quad */
function middle([[ax, ay], [bx, by], [cx, cy], [dx, dy]]) {
  const across = (cx - ax) * (dy - by) - (cy - ay) * (dx - bx);
  const t = ((bx - ax) * (dy - by) - (by - ay) * (dx - bx)) / across;
  return [ax + t * (cx - ax), ay + t * (cy - ay)];
}
