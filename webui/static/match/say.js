/** The panel "Say the move" without reloads: words are fetched, a whole sentence is played. */

import { Refusal, fragment, sending } from "../net/api.js";
import { byId, html } from "../page/dom.js";
import { ruleTag } from "../page/help.js";
import { morph, settle } from "../page/morph.js";
import { queue } from "../net/queue.js";
import { at } from "../net/root.js";
import { _ } from "../page/words.js";

/** The moves of the numbers that were typed into a form. */
function typedMoves(form) {
  const [numbers, made] = ["number", "made"].map((name) => [...form.querySelectorAll(`[name="${name}"]`)]);
  const told = numbers.map(({ value }, at) => ({ value, ...JSON.parse(made[at].value) }));
  return told.filter(({ value }) => value.trim()).map(({ value, move, field }) => ({ ...move, [field]: Number(value) }));
}

/** Listen on the page, `shown()` hears of other words, `stored(seq)` of a move made here, null where others moved. */
export function listen(page, match, { shown, stored }) {
  let asked = 0; // the newest question: an answer to an older one must not undo what was typed since

  page.addEventListener("input", (event) => {
    if (event.target.closest("[data-search]")) asked += 1;
  });
  page.addEventListener("click", (event) => {
    const step = event.target.closest("a[data-step]");
    if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.querySelector("#say [data-search]")?.reset();
    show(new URL(step.href).search);
  });
  page.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-search]")) {
      event.preventDefault();
      settle(form);
      show(`?${new URLSearchParams(new FormData(form))}`);
    } else if (form.matches("[data-play]")) {
      event.preventDefault();
      play(form, event.submitter);
    }
  });

  async function show(query) {
    asked += 1;
    const mine = asked;
    try {
      const text = await fragment(byId("say").dataset.say + query);
      if (mine !== asked) return;
      morph(byId("say"), text);
      shown();
      (firstKey() ?? byId("say-title")).focus();
    } catch (fault) {
      tell(fault);
    }
  }

  async function play(form, button) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    try {
      const moves = button.value ? [JSON.parse(button.value)] : typedMoves(form);
      if (!moves.length) return form.querySelector('[name="number"]').focus();
      const sent = { after: Number(form.elements.after.value), moves };
      const says = button.ariaLabel ?? button.textContent.trim();
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
    const keys = ["#answers", "#say"].map((panel) => document.querySelector(`${panel} :is(.word, [data-play] :is(input:not([type=hidden]), button))`));
    return keys.find((key) => key?.checkVisibility());
  }

  function tell(fault, panel = byId("say")) {
    byId("say-notice")?.remove();
    const words = fault instanceof Refusal ? fault.message : _("Something went wrong on this page. Reload it; the match is safe.");
    panel?.prepend(html("p", { id: "say-notice", class: "note wrong", role: "alert", "data-fault": fault.kind }, words, fault.rule ? ruleTag(fault.rule) : null));
  }
}
