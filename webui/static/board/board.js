/** The big screen: keeps itself fresh, and goes on with the players into the next match. */

import { fragment } from "../net/api.js";
import { all, byId, html } from "../page/dom.js";
import { follow } from "../net/live.js";
import { motion } from "../page/motion.js";
import { stayAwake } from "../page/wake.js";
import { _ } from "../page/words.js";

/** @type {Record<string, string>} */
const STATES = { live: _("live"), polling: _("live"), away: _("reconnecting"), gone: _("deleted") };

const { screen, again, before } = byId("main").dataset;
const box = byId("board");
const state = byId("state");

/** Fetch what is shown if `seq` is news, null where it may be.
 *  @param {number | null} seq */
async function refresh(seq) {
  if (seq !== null && seq <= Number(box.firstElementChild.dataset.seq)) return;
  const fresh = await fetched(String(box.firstElementChild.dataset.tally));
  const { seq: newest, next } = fresh.dataset;
  if (next) return goOn(next);
  if (Number(newest) < Number(box.firstElementChild.dataset.seq)) return;
  box.replaceChildren(fresh);
  moved();
}

/** @param {string} path */
async function fetched(path) {
  const template = document.createElement("template");
  template.innerHTML = (await fragment(path)).trim();
  return /** @type {HTMLElement} */ (template.content.firstElementChild);
}

/** Go back with the players where they took back the end of the match before this one, which has no step yet.
 *  @param {{screen: string, tally: string, board: string}} back */
function followBack({ screen, tally, board }) {
  const look = async () => {
    if (Number(box.firstElementChild.dataset.seq) === 0 && !(await fetched(tally)).dataset.next) goOn(board);
  };
  follow(screen, look, () => {});
}

/** Go on into the next match; a screen that looks for the newest by itself looks again.
 *  @param {string} next */
const goOn = (next) => location.replace(again === undefined ? next : location.href);

/** @param {string} which */
function tell(which) {
  if (which === "gone") leave();
  state.className = `state ${which}`;
  state.dataset.state = which;
  all(state, ":scope > :last-child")[0].textContent = STATES[which];
}

/** The match was deleted: a screen that looks for the newest by itself looks again, another one says so. */
function leave() {
  if (again !== undefined) return goOn("");
  box.replaceChildren(html("p", { class: "prompt gone", role: "status" }, _("This match was deleted.")));
}

const moved = motion(box);
stayAwake(() => true);
const { next } = box.firstElementChild.dataset;
if (next) goOn(next);
follow(String(screen), refresh, tell);
if (before) followBack(JSON.parse(before));
