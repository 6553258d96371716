/** What answers a watching camera: its question on every phone, and where it watches the moves that it cannot see.
 *
 *  They stand in the bar, in reach wherever the page is scrolled. Without scripts they stay in the tally.
 */

import { fragment, sending } from "./api.js";
import { byId, html } from "./dom.js";

const MOST = 8; // moves; more of them are chosen from on the page

export class Answers {
  form = null; // that is in the bar
  place = null; // where it was taken from

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
    this.putBack();
    const asked = this.tally.querySelector("#asked form");
    const moves = watching ? this.tally.querySelector("#say .options") : null;
    const form = asked ?? (moves?.checkVisibility() && moves.querySelectorAll("button").length <= MOST ? moves : null);
    this.box.replaceChildren(...(asked ? [html("p", {}, byId("asked-title").textContent)] : []), ...(form ? [this.take(form)] : []));
    this.box.hidden = !form;
    this.box.closest(".bar").classList.toggle("asking", Boolean(asked));
  }

  take(form) {
    this.form = form;
    this.place = document.createComment("in the bar");
    form.replaceWith(this.place);
    return form;
  }

  putBack() {
    if (this.place?.isConnected) this.place.replaceWith(this.form);
    this.form = this.place = null;
  }

  /** Store the answer without leaving the page: its camera goes on. */
  async answer(form, button) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const sent = new FormData(form, button);
    try {
      await sending(button, () => fragment(form.action, sent));
    } catch (fault) {
      this.box.prepend(html("p", { class: "notice wrong", role: "alert", "data-fault": fault.kind }, fault.message));
    }
    delete form.dataset.busy;
    await this.stored(null);
  }
}
