/** What helps while a match is played: the rule behind a point or a refusal, what may be done, and what would be best. */

import { fragment } from "../net/api.js";
import { all, byId, html, targetOf } from "./dom.js";
import { faulty } from "./forms.js";
import { morph, parsed, redraw, settle } from "./morph.js";
import { at } from "../net/root.js";
import { putBack } from "./typed.js";

/** @type {Promise<unknown> | null} */
let styled = null;
const newest = new WeakMap(); // the last question of each box

/** Return a link to the rule that forbids something; with scripts it opens over the page.
 *  @param {string} rule */
export const ruleTag = (rule) =>
  html("a", { class: "rule", href: at(`/m/${byId("main").dataset.match}/rules#${rule}`), target: "_blank" }, html("span", {}, rule));

/** Ask again where answers are shown. */
export function ask() {
  for (const box of all(document, "[data-ask][open]")) show(box);
}

/** Show the phones at the table anew; where the host has changed what this one may do, its page is another. One that
 *  may play and has missed the change is told so by its next step.
 *  @param {string} kind */
export async function phones(kind) {
  const box = byId("phones");
  if (box.open) await show(box);
  if (kind === "joined" || (kind === "live" && !byId("main").matches("[data-watches], [data-shut]"))) return;
  const text = await fragment(String(box.dataset.ask)).catch(() => null); // its next step says so
  const parts = text ? [...parsed(text)].map((node) => (node instanceof HTMLElement ? node.dataset : {})) : [];
  const [now, { watches, shut = "" }] = [parts.find(({ role }) => role), byId("main").dataset];
  if (now && ((now.role === "watcher") !== (watches !== undefined) || (now.shut ?? "") !== shut)) location.reload();
}

/** Listen within `tally`, whose content is replaced after each step, and for rules on the whole page.
 *  @param {HTMLElement} tally */
export function listen(tally) {
  tally.addEventListener("toggle", ({ target }) => target instanceof HTMLDetailsElement && target.dataset.ask && target.open && show(target), true);
  tally.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.closest("#phones")) change(event);
    if (!form.matches("[data-hand]")) return;
    event.preventDefault();
    const hand = new FormData(form); // sent for one answer alone
    settle(form);
    if (form.dataset.card) coach(hand, form);
    else show(byId("advice"), hand);
  });
  document.body.addEventListener("click", (event) => {
    const link = targetOf(event).closest("a.rule");
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showRule(link);
  });
  byId("rule-close").addEventListener("click", () => byId("rule").close());
  ask(); // what was opened before the scripts were there
}

/** Show a rule over the page, which keeps what was typed and photographed.
 *  @param {HTMLAnchorElement} link */
async function showRule(link) {
  const { pathname, hash } = new URL(link.href);
  const shown = byId("rule-body");
  byId("rule-all").href = link.href;
  try {
    const text = await latest(shown, `${pathname}/${hash.slice(1)}`);
    if (text === null) return;
    shown.innerHTML = text;
  } catch (fault) {
    shown.replaceChildren(faulty(fault));
  }
  if (!byId("rule").open) byId("rule").showModal();
  shown.querySelector("section")?.focus();
}

/** Fetch once what the pictures of rules are drawn with; without it they are plain. */
function drawable() {
  if (!styled) {
    const link = html("link", { rel: "stylesheet", href: byId("rule").dataset.style });
    styled = new Promise((ready) => {
      link.onload = link.onerror = ready;
    });
    document.head.append(link);
  }
  return styled;
}

/** Return the answer to the last question of a box, null for one to an older question.
 *  @param {HTMLElement} box @param {string} path @param {FormData} [hand] */
async function latest(box, path, hand) {
  const question = {};
  newest.set(box, question);
  await drawable();
  const text = await fragment(path, hand);
  return newest.get(box) === question ? text : null;
}

/** @param {HTMLElement} box @param {FormData} [hand] */
async function show(box, hand) {
  const shown = /** @type {HTMLElement} */ (box.querySelector("div"));
  shown.setAttribute("aria-busy", "true");
  try {
    const text = await latest(box, String(box.dataset.ask), hand);
    if (text !== null) redraw(shown, ...parsed(text));
    putBack();
  } catch (fault) {
    if (!("adds" in box.dataset)) shown.replaceChildren(faulty(fault)); // what stands there is true without pictures
  } finally {
    shown.removeAttribute("aria-busy");
  }
}

/** Do what the host says of a phone, and show them all anew; a new key is shown on a page of its own.
 *  @param {SubmitEvent} event */
async function change(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLButtonElement} */ (event.submitter);
  if (submitter.value === "key") return;
  event.preventDefault();
  const sent = new FormData(form);
  sent.append(submitter.name, submitter.value);
  try {
    await fragment(form.action, sent);
    await show(byId("phones"));
  } catch (fault) {
    form.append(faulty(fault));
  }
}

/** Show what the coach does with the hand that was typed for it.
 *  @param {FormData} hand @param {HTMLFormElement} form */
async function coach(hand, form) {
  const card = byId("coach");
  try {
    const text = await latest(card, String(form.dataset.card), hand);
    if (text === null) return;
    morph(card, text);
    /** @type {HTMLElement} */ (byId("coach").querySelector("[data-play] button") ?? byId("coach-hand")).focus();
  } catch (fault) {
    card.querySelector("[role=status]")?.replaceChildren(faulty(fault));
  }
}
