/** What answers a watching camera: its question on every phone, and where it watches what it cannot see said.
 *
 *  They stand in the bar, in reach wherever the page is scrolled. Without scripts they stay in the tally.
 */

import { all, byId, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";

// Of the words of a move those that no camera sees: what was said, what follows, whole moves, and the way back.
const SAID = ["#say .sentence", "#say .words[role=group]", "#say .options", "#say .back"].join();
const MOST = 12; // of them to tap; more are chosen from on the page

export class Answers {
  /** @param {HTMLElement} tally holds the forms */
  constructor(tally) {
    this.tally = tally;
    this.box = byId("answers");
  }

  /** Bring into the bar what is answered now.
   *  @param {boolean} watching */
  draw(watching) {
    for (const part of all(this.tally, "[data-in-bar]")) part.hidden = part.toggleAttribute("data-in-bar");
    const [asked] = all(this.tally, "#asked form");
    const parts = asked ? [asked] : watching ? this.said() : [];
    redraw(this.box, ...(asked ? [html("p", {}, byId("asked-title").textContent)] : []), ...parts.map((part) => part.cloneNode(true)));
    for (const part of parts) part.hidden = part.toggleAttribute("data-in-bar");
    this.box.hidden = !parts.length;
    this.box.closest(".dock")?.classList.toggle("asking", Boolean(asked));
  }

  /** The words to tap, where they are in sight and few. */
  said() {
    const parts = all(this.tally, SAID).filter((part) => part.checkVisibility());
    const tapped = parts.flatMap((part) => [...part.querySelectorAll("button, a")]);
    return tapped.length && tapped.length <= MOST ? parts : [];
  }
}
