/** "What would be best?": asked when it is opened, and again after each step while it stays open. */

import { fragment } from "./api.js";
import { byId } from "./dom.js";

/** Listen within `tally`, whose content is replaced after each step. */
export function listen(tally) {
  tally.addEventListener("toggle", ({ target }) => target.id === "advice" && target.open && show(), true);
  tally.addEventListener("submit", (event) => {
    if (!event.target.matches("#advice [data-hand]")) return;
    event.preventDefault();
    show(new FormData(event.target));
  });
}

async function show(hand) {
  const box = byId("advice");
  const shown = box.querySelector("div");
  shown.setAttribute("aria-busy", "true");
  try {
    shown.innerHTML = await fragment(box.dataset.advice, hand);
    if (hand) byId("hand")?.focus();
  } catch (fault) {
    shown.textContent = fault.message;
  } finally {
    shown.removeAttribute("aria-busy");
  }
}
