/** The panel "Enter the move" without reloads: words are fetched, a whole sentence is played. */

import { fragment } from "../net/api.js";
import { all, byId, fields, targetOf } from "../page/dom.js";
import { morph, settle } from "../page/morph.js";

/** The moves of the numbers that were typed into a form.
 *  @param {HTMLFormElement} form */
function typedMoves(form) {
  const [numbers, made] = ["number", "made"].map((name) => fields(form, `[name="${name}"]`));
  const told = numbers.map(({ value }, at) => ({ value, ...JSON.parse(made[at].value) }));
  return told.filter(({ value }) => value.trim()).map(({ value, move, field }) => ({ ...move, [field]: Number(value) }));
}

/** Listen on the page; `shown()` hears of other words.
 *  @param {HTMLElement} page @param {import("./entry.js").Entry} entry stores moves @param {() => void} shown */
export function listen(page, entry, shown) {
  let asked = 0; // the newest question: an answer to an older one must not undo what was typed since

  page.addEventListener("input", (event) => {
    if (targetOf(event).closest("[data-search]")) asked += 1;
  });
  page.addEventListener("click", (event) => {
    const step = targetOf(event).closest("a[data-step]");
    if (!(step instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    /** @type {HTMLFormElement | null} */ (page.querySelector("#say [data-search]"))?.reset();
    show(new URL(step.href).search);
  });
  page.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.matches("[data-search]")) {
      event.preventDefault();
      settle(form);
      show(`?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`);
    } else if (form.matches("[data-play]")) {
      event.preventDefault();
      play(form, /** @type {HTMLButtonElement} */ (event.submitter));
    }
  });

  /** @param {string} query */
  async function show(query) {
    asked += 1;
    const mine = asked;
    try {
      const text = await fragment(`${byId("say").dataset.say}${query}`);
      if (mine !== asked) return;
      morph(byId("say"), text);
      shown();
      (firstKey() ?? byId("say-title")).focus();
    } catch (fault) {
      entry.tell(fault);
    }
  }

  /** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
  async function play(form, button) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const moves = [...typedMoves(form), ...(button.value ? [JSON.parse(button.value)] : [])];
    const words = button.ariaLabel ?? String(button.textContent).trim();
    if (!moves.length) fields(form, '[name="number"]')[0].focus();
    else await entry.play({ moves, words, after: Number(fields(form, '[name="after"]')[0].value), sent: () => form.reset() }, button);
    delete form.dataset.busy;
  }

  /** Return the first key of the words. */
  const firstKey = () => all(byId("say"), ".word, [data-play] :is(input:not([type=hidden]), button)").find((key) => key.checkVisibility());
}
