/** The big screen: keeps itself fresh, and goes on with the players into the next match. */

import { fragment } from "../net/api.js";
import { html } from "../page/dom.js";
import { follow } from "../net/live.js";
import { motion } from "../page/motion.js";
import { stayAwake } from "../page/wake.js";
import { _ } from "../page/words.js";

const STATES = { live: _("live"), polling: _("live"), away: _("reconnecting"), gone: _("deleted") };

const { screen, again } = document.getElementById("main").dataset;
const box = document.getElementById("board");
const state = document.getElementById("state");

/** Fetch what is shown if `seq` is news, null where it may be. */
async function refresh(seq) {
  if (seq !== null && seq <= Number(box.firstElementChild.dataset.seq)) return;
  const template = document.createElement("template");
  template.innerHTML = (await fragment(box.firstElementChild.dataset.tally)).trim();
  const { seq: newest, next } = template.content.firstElementChild.dataset;
  if (next) return goOn(next);
  if (Number(newest) < Number(box.firstElementChild.dataset.seq)) return;
  box.replaceChildren(template.content);
  moved();
}

/** Go on into the next match; a screen that looks for the newest by itself looks again. */
const goOn = (next) => location.replace(again === undefined ? next : location.href);

function tell(which) {
  if (which === "gone") leave();
  state.className = `state ${which}`;
  state.dataset.state = which;
  state.lastElementChild.textContent = STATES[which];
}

/** The match was deleted: a screen that looks for the newest by itself looks again, another one says so. */
function leave() {
  if (again !== undefined) return goOn(null);
  box.replaceChildren(html("p", { class: "prompt gone", role: "status" }, _("This match was deleted.")));
}

const moved = motion(box);
stayAwake(() => true);
const { next } = box.firstElementChild.dataset;
if (next) goOn(next);
follow(screen, refresh, tell);
