/** The question of a watching camera stands in the bar, in reach wherever the page is scrolled. Without scripts it stays
 *  in the tally. */

import { all, byId, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";

export class Answers {
  /** @param {HTMLElement} tally holds the form */
  constructor(tally) {
    this.tally = tally;
    this.box = byId("answers");
  }

  /** Bring into the bar what is asked. */
  draw() {
    const [asked] = all(this.tally, "#asked form");
    redraw(this.box, ...(asked ? [html("p", {}, byId("asked-title").textContent), asked.cloneNode(true)] : []));
    if (asked) asked.hidden = true;
    this.box.hidden = !asked;
    this.box.closest(".dock")?.classList.toggle("asking", Boolean(asked));
  }
}
