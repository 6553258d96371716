/** The page of one match: keeps the tally fresh, hands photos and taps to the look. */

import { fragment } from "./api.js";
import { mountBoard } from "./boards.js";
import { byId } from "./dom.js";
import { follow } from "./live.js";
import { Look } from "./look.js";
import { watch } from "./photo.js";
import * as say from "./say.js";

const STATES = {
  live: "live",
  polling: "live, with a few seconds' delay",
  away: "offline — reconnecting",
};

const page = byId("main");
const tally = byId("tally");
const table = { match: page.dataset.match };
let look = null;
let wordsWanted = location.search.includes("said=");

/** Read what the fragment says about the match (templates/_tally.html). */
function learn() {
  const { table: text } = tally.firstElementChild.dataset;
  Object.assign(table, JSON.parse(text));
  byId("not-now").hidden = true;
  showBar(Boolean(look?.draft));
  look?.learn();
  if (byId("offer")) drawBoard().catch(() => {}); // the words of the move are there without it
}

/** Draw the board to tap, and fold the words away beside it until somebody wants them. */
async function drawBoard() {
  const drawn = await mountBoard(byId("by-board"), byId("offer"), { ...table }, catchUp);
  if (drawn && !wordsWanted) byId("by-words").open = false;
}

/** Fetch the tally if `seq` is news, keeping open what is open. */
async function refresh(seq) {
  if (seq !== null && seq <= table.seq) return;
  const text = await fragment(`/m/${table.match}/tally`);
  const open = [...tally.querySelectorAll("details[open][id]")].map(({ id }) => id);
  const focused = document.activeElement?.id;
  const template = document.createElement("template");
  template.innerHTML = text;
  const before = table.seq;
  // An answer that another one has overtaken is no news.
  if (JSON.parse(template.content.firstElementChild.dataset.table).seq <= before) return;
  tally.replaceChildren(template.content);
  for (const id of open) byId(id)?.setAttribute("open", "");
  if (focused) byId(focused)?.focus();
  learn();
  byId("announce").textContent = tally.firstElementChild.dataset.announce;
  look?.moved();
}

function showBar(looking) {
  const bar = byId("bar");
  if (!bar) return; // a match under rules that are not here
  bar.hidden = looking || table.over;
  byId("camera-part").hidden = byId("tap-in").hidden = byId("gallery-part").hidden = !table.photographable;
  const what = table.equipment.board ? "board" : "dice";
  byId("camera-words").textContent = `Photograph the ${what}`;
  byId("undo").hidden = !table.can_undo;
}

function show(looking) {
  byId("look").hidden = !looking;
  tally.hidden = looking;
  showBar(looking);
  scrollTo(0, 0);
}

function tell(state) {
  const shown = byId("state");
  if (shown.dataset.state === state) return;
  shown.dataset.state = state;
  shown.className = `state ${state}`;
  shown.lastElementChild.textContent = STATES[state];
}

/** Say why a photo that was dropped or pasted is not read. */
function refuse() {
  const shown = byId("not-now");
  shown.textContent = table.over
    ? "The match is over, so there is nothing to photograph."
    : `The game waits for something else before the next photo. ${byId("prompt").textContent}`;
  shown.hidden = false;
}

async function demo() {
  const photo = await fetch(page.dataset.demo);
  look.take(new File([await photo.blob()], "demo.jpg", { type: "image/jpeg" }));
  history.replaceState(null, "", location.pathname); // a reload is no new demo
}

const catchUp = follow(table.match, refresh, tell);
learn();
if (byId("look")) {
  look = new Look(table, {
    opened: () => show(true),
    closed: () => show(false),
    stored: catchUp,
  });
  watch([byId("camera"), byId("gallery"), byId("retake")], (file) => {
    if (table.photographable) look.take(file);
    else refuse();
  });
  byId("tap-in").addEventListener("click", () => look.tapIn());
  if (page.dataset.demo && !look.draft) demo().catch(() => tell("away"));
}
tally.addEventListener("click", (event) => {
  if (event.target.closest("#by-words > summary")) wordsWanted = !byId("by-words").open;
});
say.listen(tally, table.match, catchUp);
