/** The panel "Enter the move" without reloads: words are fetched, a whole sentence is played. */

import { Refusal, fragment, sending } from "../net/api.js";
import { all, byId, fields, html, targetOf } from "../page/dom.js";
import { ruleTag } from "../page/help.js";
import { morph, settle } from "../page/morph.js";
import { queue } from "../net/queue.js";
import { at } from "../net/root.js";
import { _ } from "../page/words.js";

/** The moves of the numbers that were typed into a form.
 *  @param {HTMLFormElement} form */
function typedMoves(form) {
  const [numbers, made] = ["number", "made"].map((name) => fields(form, `[name="${name}"]`));
  const told = numbers.map(({ value }, at) => ({ value, ...JSON.parse(made[at].value) }));
  return told.filter(({ value }) => value.trim()).map(({ value, move, field }) => ({ ...move, [field]: Number(value) }));
}

/** Listen on the page, `shown()` hears of other words, `stored(seq)` of a move made here, null where others moved.
 *  @param {HTMLElement} page @param {string} match
 *  @param {{shown: () => void, stored: (seq: number | null) => Later<unknown>}} hears */
export function listen(page, match, { shown, stored }) {
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
      tell(fault);
    }
  }

  /** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
  async function play(form, button) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    try {
      const moves = button.value ? [JSON.parse(button.value)] : typedMoves(form);
      if (!moves.length) return fields(form, '[name="number"]')[0].focus();
      const sent = { after: Number(fields(form, '[name="after"]')[0].value), moves };
      const says = button.ariaLabel ?? String(button.textContent).trim();
      const { seq } = await sending(button, () => queue.add({ path: at(`/api/matches/${match}/moves`), sent, says }));
      form.reset();
      await stored(seq);
      if (!byId("result-title")) firstKey()?.focus({ preventScroll: true });
    } catch (fault) {
      if (fault.kind === "Offline") form.reset(); // it waits in the queue
      if (fault.kind === "Stale") await stored(null);
      tell(fault, form.closest("#answers") ?? undefined);
    } finally {
      delete form.dataset.busy;
    }
  }

  /** Return the first key of the panel, where the next move is said. */
  function firstKey() {
    const keys = ["#answers", "#say"].map((panel) => all(document, `${panel} :is(.word, [data-play] :is(input:not([type=hidden]), button))`)[0]);
    return keys.find((key) => key?.checkVisibility());
  }

  /** @param {Fault} fault @param {Element} panel */
  function tell(fault, panel = byId("say")) {
    byId("say-notice")?.remove();
    const words = fault instanceof Refusal ? fault.message : _("Something went wrong on this page. Reload it; the match is safe.");
    panel?.prepend(html("p", { id: "say-notice", class: "note wrong", role: "alert", "data-fault": fault.kind }, words, fault.rule ? ruleTag(fault.rule) : null));
  }
}
