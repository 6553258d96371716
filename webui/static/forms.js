/** Forms that store a step: they wait for the network as a confirm does (steps.js), on the match's page and on those
 *  beside it. `data-waits` is where to go once it is stored.
 */

import { sending } from "./api.js";
import { byId, html } from "./dom.js";
import { play } from "./steps.js";

/** Listen on the page of a match; `stored(then)` hears that a form's step was stored. */
export function listen(match, stored) {
  document.body.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("[data-waits]")) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    try {
      const sent = Object.fromEntries(new FormData(form, submitter));
      const says = saysOf(form, submitter);
      const action = new URL(form.getAttribute("action") ?? "", location);
      await sending(submitter, () => play(match, sent, says, action.pathname + action.search));
      await stored(form.dataset.waits);
    } catch (fault) {
      tell(form, fault);
    }
    delete form.dataset.busy;
  });
}

/** What is pressed and typed, in words. */
function saysOf(form, button) {
  const typed = [...form.elements].filter(({ type, value }) => type === "text" && value && button.name !== "remove").map(({ value }) => value);
  return [button.textContent.trim(), ...typed].join(": ");
}

export function tell(form, fault) {
  byId("form-fault")?.remove();
  form.prepend(html("p", { id: "form-fault", class: "note wrong", role: "alert", "data-fault": fault.kind }, fault.message));
}
