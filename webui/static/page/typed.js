/** What is typed or chosen in a form and not sent: it is there again after a way to another page and back, and a reload.
 *
 *  It stays in this tab. What only one answer may see, as a hand, is not kept.
 */

import { byId, fields } from "./dom.js";
import { entered } from "./morph.js";

const SHELF = `typed ${location.pathname}${location.search}`;
const KEPT = "form:not([data-hand], [data-sent]) :is(input:not([type=hidden], [type=file]), textarea, select)[id]";

/** @typedef {{checked?: boolean, value?: string, later: boolean}} Held `later`: by a part that is fetched when it is opened */

/** @param {HTMLInputElement} field @returns {Held} */
function held(field) {
  const { type, checked, value } = field;
  return { ...(["checkbox", "radio"].includes(type) ? { checked } : { value }), later: Boolean(field.closest("[data-ask]")) };
}

/** @type {Record<string, Held>} */
let typed = JSON.parse(sessionStorage.getItem(SHELF) ?? "{}"); // by the ids of fields that are not shown yet

/** Put what was typed back into the fields that the page has by now; what has no field any more is gone. */
export function putBack() {
  const found = Object.entries(typed).map(([id, put]) => ({ id, put, field: /** @type {HTMLInputElement | null} */ (byId(id)) }));
  typed = Object.fromEntries(found.filter(({ put, field }) => put.later && !field).map(({ id, put }) => [id, put]));
  for (const { put: { later, ...values }, field } of found) {
    if (!field || entered(field)) continue;
    Object.assign(field, values);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function keep() {
  const shown = fields(document, KEPT).filter(entered).map((field) => [field.id, held(field)]);
  sessionStorage.setItem(SHELF, JSON.stringify({ ...typed, ...Object.fromEntries(shown) }));
}

for (const leaves of ["pagehide", "visibilitychange"]) addEventListener(leaves, keep); // of a phone that is put away only the second is heard
addEventListener("submit", ({ target, defaultPrevented }) => {
  if (!defaultPrevented) /** @type {HTMLFormElement} */ (target).dataset.sent = "";
});
putBack();
