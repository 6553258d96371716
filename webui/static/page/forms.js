/** Forms that store a step: they go through the queue (queue.js), on the match's page and on those beside it.
 *  `data-waits` is where to go once it is stored.
 */

import { sending } from "../net/api.js";
import { byId, html } from "./dom.js";
import { queue } from "../net/queue.js";
import { _ } from "./words.js";

const OVERTAKEN = ["Stale", "Asked"]; // the page shows an older match

/** Listen on the page of a match; `stored(then, seq)` hears that a form's step was stored, or that others were.
 *  @param {(then: string, seq: number | null) => Later<unknown>} stored */
export function listen(stored) {
  document.body.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const submitter = /** @type {HTMLButtonElement} */ (event.submitter);
    if (!form.matches("[data-waits]")) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const { pathname, search } = new URL(form.getAttribute("action") ?? "", location.href);
    const sent = Object.fromEntries(new FormData(form, submitter));
    const step = { path: pathname + search, sent, form: true, says: saysOf(form, submitter) };
    try {
      const { seq } = await sending(submitter, () => queue.add(step));
      form.reset();
      form.closest("dialog")?.close("done");
      await stored(form.dataset.waits ?? "", seq);
    } catch (fault) {
      if (OVERTAKEN.includes(fault.kind)) await stored("", null);
      if (fault.kind === "Offline") form.reset(); // it waits in the queue
      const dialog = form.closest("dialog");
      if (fault.kind === "Offline" && dialog) dialog.close("done");
      else tell(form, fault);
    }
    delete form.dataset.busy;
  });
}

/** What is pressed and typed, in words.
 *  @param {HTMLFormElement} form @param {HTMLButtonElement} button */
function saysOf(form, button) {
  const typed = [.../** @type {Iterable<HTMLInputElement>} */ (form.elements)].filter(({ type, value }) => type === "text" && value && button.name !== "remove").map(({ value }) => value);
  return [String(button.textContent).trim(), ...typed].join(": ");
}

/** Say in a form, or beside what led to nothing, what went wrong.
 *  @param {Element} form @param {Fault} fault */
export function tell(form, fault) {
  byId("form-fault")?.remove();
  form.prepend(html("p", { id: "form-fault", class: "note wrong", role: "alert", "data-fault": fault.kind }, wordsOf(fault)));
}

/** What went wrong; match.js takes away what is true no longer.
 *  @param {Said} fault */
export const faulty = (fault) => html("span", { "data-fault": fault.kind }, wordsOf(fault));

/** @typedef {{kind?: string, message: string}} Said
 *  @param {Said} fault */
const wordsOf = ({ kind, message }) => [message, kind === "Old" ? html("button", { type: "button", class: "wide", click: () => location.reload() }, _("Load the page again")) : null];
