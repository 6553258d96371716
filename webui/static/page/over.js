/** Pages that ask before something is done, shown in a dialog over what one was doing: nothing that was typed, tapped or
 *  photographed is lost by looking. A link or form with `data-over` leads to one; without scripts it is a page.
 */

import { Refusal, later, lost } from "../net/api.js";
import { all, html, targetOf } from "./dom.js";
import { tell } from "./forms.js";
import { _ } from "./words.js";

const DONE = "done"; // a step was stored, or waits in the queue
const QUEUE = "#waiting, #undecided"; // the page below shows it

/** Listen for what leads to such a page; `stored(seq)` hears of a step that needed no question.
 *  @param {(seq: number) => Later<unknown>} stored */
export function listen(stored) {
  document.body.addEventListener("click", (event) => {
    const link = targetOf(event).closest("a[data-over]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask(link.href).catch((fault) => tell(link.parentElement ?? link, fault));
  });
  document.body.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches("[data-over]")) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    try {
      const reset = (/** @type {number} */ seq) => (form.reset(), stored(seq));
      await ask(form.action, { form: new FormData(form, event.submitter), stored: reset });
    } catch (fault) {
      tell(form, fault);
    }
    delete form.dataset.busy;
  });
}

/** Show the page at an address, or that a `form` leads to, and return whether what it asks was done.
 *  @param {string} path @param {{form?: FormData | null, stored?: (seq: number) => Later<unknown>}} [step] */
export async function ask(path, { form = null, stored = () => {} } = {}) {
  const answer = await fetched(path, form);
  if ("seq" in answer) {
    await stored(answer.seq);
    return true;
  }
  const dialog = html("dialog", { class: "stack over" });
  const done = new Promise((close) => dialog.addEventListener("close", () => close(dialog.returnValue === DONE)));
  listenWithin(dialog);
  document.body.append(dialog);
  await show(dialog, answer);
  dialog.showModal();
  focusSafe(dialog);
  const was = await done;
  dialog.remove();
  return was;
}

/** @typedef {{main: HTMLElement, url: string}} Shown */

/** Return {seq} where the step was stored without a question, else the page {main, url}.
 *  @param {string} path @param {FormData | null} [body] @returns {Promise<{seq: number} | Shown>} */
async function fetched(path, body) {
  let response, text;
  try {
    response = await fetch(path, { headers: { Accept: "application/json" }, ...(body && { method: "POST", body }) });
    text = await response.text();
  } catch (fault) {
    throw lost(fault);
  }
  if (!response.headers.get("Content-Type")?.startsWith("application/json")) {
    const main = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    if (!main) throw new Refusal("Broken", _("The server's answer could not be read. Reload the page."));
    return { main, url: response.url };
  }
  const { seq, error } = JSON.parse(text);
  if (error) throw new Refusal(error.kind, error.sentence, error.rule);
  return { seq };
}

/** Show a page once its panel hears taps.
 *  @param {HTMLDialogElement} dialog @param {Shown} page */
async function show(dialog, { main, url }) {
  for (const one of main.querySelectorAll(QUEUE)) one.remove();
  for (const one of main.querySelectorAll("form:not([action])")) one.setAttribute("action", url);
  main.querySelector("h1")?.setAttribute("tabindex", "-1");
  dialog.ariaLabel = main.querySelector("h1")?.textContent ?? "";
  await drawPanel(main);
  dialog.replaceChildren(...main.childNodes);
}

/** Draw the entry panel of a correction; its script comes with it.
 *  @param {HTMLElement} page */
export async function drawPanel(page) {
  const root = all(page, ".correction").at(0);
  if (!root) return;
  try {
    const { Panel } = await later("panel.js", () => import("../match/panel.js"));
    new Panel(root).begin();
  } catch (fault) {
    tell(page, fault);
  }
}

/** Links and questions that lead on stay in the dialog; the way back to the match closes it.
 *  @param {HTMLDialogElement} dialog */
function listenWithin(dialog) {
  const go = async (/** @type {string} */ path) => {
    try {
      await show(dialog, /** @type {Shown} */ (await fetched(path)));
      dialog.querySelector("h1")?.focus();
    } catch (fault) {
      tell(dialog, fault);
    }
  };
  dialog.addEventListener("click", (event) => {
    const link = targetOf(event).closest("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target) return;
    event.stopPropagation();
    if ("photo" in link.dataset) return; // of the step, on the match's page
    event.preventDefault();
    if ("back" in link.dataset) dialog.close();
    else go(link.href);
  });
  dialog.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "get") return; // its step goes through the queue
    event.preventDefault();
    event.stopPropagation();
    go(`${form.action.split("?")[0]}?${new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)))}`);
  });
}

/** Focus the answer that changes nothing.
 *  @param {HTMLDialogElement} dialog */
function focusSafe(dialog) {
  /** @type {HTMLElement | null} */ (dialog.querySelector("a[data-back]"))?.focus();
}
