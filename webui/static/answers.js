/** What answers a watching camera: its question on every phone, and where it watches what it cannot see said.
 *
 *  They stand in the bar, in reach wherever the page is scrolled. Without scripts they stay in the tally.
 */

import { fragment, sending } from "./api.js";
import { byId, html } from "./dom.js";
import { redraw } from "./morph.js";

// Of the words of a move those that no camera sees: what was said, what follows, whole moves, and the way back.
const SAID = ["#say .sentence", "#say .words[role=group]", "#say .options", "#say .back"].join();
const MOST = 12; // of them to tap; more are chosen from on the page

export class Answers {
  /** @param tally holds the forms; @param stored hears that the match has changed */
  constructor(tally, stored) {
    this.tally = tally;
    this.stored = stored;
    this.box = byId("answers");
    this.box.addEventListener("submit", (event) => {
      if (!event.target.matches("[data-asked]")) return;
      event.preventDefault();
      this.answer(event.target, event.submitter);
    });
  }

  /** Bring into the bar what is answered now. */
  draw(watching) {
    for (const part of this.tally.querySelectorAll("[data-in-bar]")) part.hidden = part.toggleAttribute("data-in-bar");
    const asked = this.tally.querySelector("#asked form");
    const parts = asked ? [asked] : watching ? this.said() : [];
    redraw(this.box, ...(asked ? [html("p", {}, byId("asked-title").textContent)] : []), ...parts.map((part) => part.cloneNode(true)));
    for (const part of parts) part.hidden = part.toggleAttribute("data-in-bar");
    this.box.hidden = !parts.length;
    this.box.closest(".dock").classList.toggle("asking", Boolean(asked));
  }

  /** The words to tap, where they are in sight and few. */
  said() {
    const parts = [...this.tally.querySelectorAll(SAID)].filter((part) => part.checkVisibility());
    const tapped = parts.flatMap((part) => [...part.querySelectorAll("button, a")]);
    return tapped.length && tapped.length <= MOST ? parts : [];
  }

  /** Store the answer without leaving the page: its camera goes on. */
  async answer(form, button) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const sent = new FormData(form, button);
    try {
      await sending(button, () => fragment(form.action, sent));
    } catch (fault) {
      this.box.prepend(html("p", { class: "note wrong", role: "alert", "data-fault": fault.kind }, fault.message));
    }
    delete form.dataset.busy;
    await this.stored(null);
  }
}
