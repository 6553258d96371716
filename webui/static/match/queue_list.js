/** Shows the queue: what waits, in order, and what a person has to decide about. */

import { all, byId, html } from "../page/dom.js";
import { ruleTag } from "../page/help.js";
import { redraw } from "../page/morph.js";
import { queue } from "../net/queue.js";
import { _ } from "../page/words.js";

const MANY = 3; // refused steps from which all can be dropped with one tap

/** @typedef {import("../net/queue.js").Entry} Entry */

/** `look` takes up again what was looked at; null where a page has no photos.
 *  @param {((entry: Entry) => void) | null} look */
export function drawQueue(look) {
  const shown = queue.entries.filter((entry) => !entry.open && !queue.attends(entry));
  const asks = shown.filter((entry) => entry.refused || (look && !entry.path && queue.isFirst(entry)));
  const waits = shown.filter((entry) => !asks.includes(entry));
  const refused = asks.filter((entry) => entry.refused);
  const all = refused.length >= MANY ? [html("li", { id: "drop-all" }, html("button", { type: "button", click: () => dropAll(refused) }, _("Drop all {count}", { count: refused.length })))] : [];
  fill("undecided", [...asks.map((entry) => asked(entry, look)), ...all]);
  fill("waiting", waits.map(waiting));
}

/** Drop steps, the last first, so that none is asked about anew.
 *  @param {Entry[]} steps */
const dropAll = (steps) => steps.reverse().forEach(({ id }) => queue.drop(id));

/** @param {string} id @param {HTMLElement[]} lines */
function fill(id, lines) {
  byId(id).hidden = !lines.length;
  redraw(byId(`${id}-list`), ...lines);
}

/** @param {Entry} entry */
function waiting({ id, says = "", path, tried }) {
  const drop = tried ? null : button(_("Drop it"), says, () => queue.drop(id));
  return html("li", { id: `entry-${id}`, class: "row" }, html("span", { class: "said grow" }, path ? says : photo(says)), drop);
}

/** @param {Entry} entry @param {((entry: Entry) => void) | null} look */
function asked(entry, look) {
  const { id, says = "", refused, path, draft } = entry;
  const words = refused ? _("“{step}” was not counted. {why}", { step: says, why: refused.message }) : photo(says);
  const again = draft || !path ? look && button(path ? _("Look again") : _("Read it now"), says, () => look(entry)) : button(againFor(entry) ?? _("Count it now"), says, () => queue.retry(id));
  return html(
    "li",
    { id: `entry-${id}`, class: "stack" },
    html("p", { class: "tight" }, words, refused?.rule ? ruleTag(refused.rule) : null),
    html("div", { class: "row" }, again, button(_("Drop it"), says, () => queue.drop(id))),
  );
}

/** What counts a step for whoever is to move at its table by now, where that is another player than the pad said.
 *  @param {Pick<Entry, "sent" | "pad" | "whose">} entry */
export function againFor({ sent, pad, whose }) {
  const name = all(document, "#entry [data-whose]").find(({ ariaLabel }) => ariaLabel === pad)?.dataset.whose;
  const others = whose && name && name !== whose && !JSON.stringify(sent.moves).includes('"seat"');
  return others ? _("Count it for {name}", { name }) : null;
}

/** @param {string} says */
const photo = (says) => _("{what}: not read yet", { what: says });

/** @param {string} words @param {string} says @param {() => void} click */
const button = (words, says, click) => html("button", { type: "button", click }, words, html("span", { class: "unseen" }, `: ${says}`));
