/** "What would be best?": asked when it is opened, and again after each step while it stays open.
 *  A hand that is typed is sent for one answer alone. */

import { fragment } from "./api.js";
import { byId, html } from "./dom.js";
import { morph, parsed, redraw } from "./morph.js";

/** Ask again where the answer is shown. */
export function ask() {
  if (byId("advice")?.open) show();
}

/** Listen within `tally`, whose content is replaced after each step. */
export function listen(tally) {
  tally.addEventListener("toggle", ({ target }) => target.id === "advice" && ask(), true);
  tally.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-hand]")) return;
    event.preventDefault();
    (event.target.dataset.card ? coach : show)(new FormData(event.target), event.target);
  });
}

async function show(hand) {
  const box = byId("advice");
  const shown = box.querySelector("div");
  shown.setAttribute("aria-busy", "true");
  try {
    redraw(shown, ...parsed(await fragment(box.dataset.advice, hand)));
  } catch (fault) {
    shown.replaceChildren(faulty(fault));
  } finally {
    shown.removeAttribute("aria-busy");
  }
}

/** Show what the coach does with the hand that was typed for it. */
async function coach(hand, form) {
  const card = byId("coach");
  try {
    morph(card, await fragment(form.dataset.card, hand));
    (byId("coach").querySelector("[data-play] button") ?? byId("coach-hand")).focus();
  } catch (fault) {
    card.querySelector("[role=status]").replaceChildren(faulty(fault));
  }
}

/** What went wrong; match.js takes away what is true no longer. */
const faulty = (fault) => html("span", { "data-fault": fault.kind }, fault.message);
