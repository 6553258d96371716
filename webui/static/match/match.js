/** The page of one match: keeps the tally fresh, hands photos and taps to the look. */

import { Answers } from "./answers.js";
import { fragment, later } from "../net/api.js";
import { fitBar } from "../page/bar.js";
import { all, byId, html, targetOf } from "../page/dom.js";
import { kindOf } from "../look/draft.js";
import { Entry } from "./entry.js";
import * as forms from "../page/forms.js";
import * as guide from "../page/guide.js";
import * as help from "../page/help.js";
import { follow } from "../net/live.js";
import { Look } from "../look/look.js";
import { holdsEntered, morph, parsed } from "../page/morph.js";
import { keepPages, keepPart, keptPart, offline } from "../net/offline.js";
import { FIRST_KEY } from "./panel.js";
import { OF_PIECES } from "./pieces.js";
import * as over from "../page/over.js";
import { watch } from "../camera/photo.js";
import { queue } from "../net/queue.js";
import { drawQueue } from "./queue_list.js";
import { ROOT, at } from "../net/root.js";
import * as sorting from "./sort.js";
import { ignoreEchoes } from "../page/taps.js";
import { _ } from "../page/words.js";

/** @type {Record<string, string>} */
const STATES = {
  live: _("live"),
  polling: _("live, with a few seconds' delay"),
  away: _("offline"),
  gone: _("deleted"),
};

const TAP = 48; // px; of less nobody taps anything
/** @type {Partial<Record<Kind, string>>} */
const PHOTOGRAPH = { grid: _("Photograph the board"), track: _("Photograph the track"), tiles: _("Photograph the tiles"), hand: _("Photograph the tiles"), pool: _("Photograph the dice") };
const STORES = `#tally form button:not([data-pad]:not([data-at-once]) .key, :is(${OF_PIECES}) *), #bar`; // steps, or leads on to one

const page = byId("main");
const tally = byId("tally");
const tallyPath = at(`/m/${page.dataset.match}/tally`);
const table = /** @type {import("../look/look.js").LookTable} */ ({ match: page.dataset.match });
/** @type {Look | null} */
let look = null;
/** @type {import("../camera/watch.js").Watching | null} */
let watching = null;
const changed = ignoreEchoes(STORES);
fitBar();

/** The part of the page that changes (templates/_tally.html). */
const shownTally = () => all(tally, ":scope > *")[0];

/** Read what the fragment says about the match (templates/_tally.html). */
function learn() {
  Object.assign(table, JSON.parse(String(shownTally().dataset.table)));
  byId("not-now").hidden = true;
  for (const place of all(document, "#taught > span")) place.textContent = table.taught[place.id];
  sorting.sortTally();
  showBar(Boolean(look?.draft));
  look?.learn();
  entry.learn();
  queue.tell.drawn(); // what is asked about may be for another player by now
}

/** Show the seats that are locked to this phone in the strip, where not all have a place. */
function showOwn() {
  const own = String(page.dataset.own).split(" ");
  for (const place of all(byId("strip"), "[data-seat]")) place.hidden = !own.includes(String(place.dataset.seat));
}

/** Catch up with a step made on this page, and put the focus where the next one is made.
 *  @param {number | null} seq */
async function stored(seq) {
  if (seq) for (const one of [look, entry]) one?.ours(seq);
  await catchUp(seq);
  goOn();
}

/** Focus the control of the next move, unless the focus is somewhere already. */
function goOn() {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  if (byId("result-title")) return byId("result-title").focus({ preventScroll: true });
  if (look?.draft || (![document.body, byId("prompt")].includes(focused) && focused?.checkVisibility())) return;
  const next = [FIRST_KEY, "#entry button", "#camera-part:not([hidden]) input", "#prompt"];
  const found = next.map((selector) => all(document, selector).at(0)).find((one) => one?.checkVisibility());
  found?.focus({ preventScroll: true });
  if (found?.matches(":focus-visible")) found.scrollIntoView({ block: "nearest" }); // a keyboard's user looks for it
  else if (found && found.getBoundingClientRect().top < 0) byId("prompt").scrollIntoView({ block: "start" }); // a tall board was tapped at its foot
}

/** Make a change to the page that leaves what is in sight where it is; the entry panel stays by itself.
 *  @param {() => void} change */
function keepingInSight(change) {
  const top = (/** @type {HTMLElement} */ one) => one.getBoundingClientRect().top;
  const inSight = (/** @type {HTMLElement} */ one) => one.checkVisibility() && one.getBoundingClientRect().bottom > TAP && top(one) < innerHeight - TAP;
  const before = all(tally, "[id]:not(#entry, #entry *)")
    .filter((one) => inSight(one) && (top(one) >= 0 || !one.matches("details")))
    .map((one) => ({ id: one.id, top: top(one) }));
  change();
  const still = before.find(({ id }) => byId(id)?.checkVisibility());
  if (still) scrollBy(0, top(byId(still.id)) - still.top);
}

/** Fetch the tally if `seq` is news, keeping open what is open.
 *  @param {number | null} seq */
async function refresh(seq) {
  if (seq !== null && seq <= table.seq) return;
  const text = await fragment(tallyPath);
  await take(text);
}

/** Show what the tally says if it is news.
 *  @param {string} text */
async function take(text) {
  const [fresh] = /** @type {HTMLElement[]} */ ([...parsed(text)]);
  const before = { ...table };
  const news = JSON.parse(String(fresh.dataset.table));
  // An answer that another one has overtaken is no news.
  const same = news.seq === before.seq && news.next === before.next && news.asked === before.asked;
  if (news.seq < before.seq || same) return;
  keepPart(tallyPath, text);
  const strip = /** @type {HTMLElement} */ (fresh.querySelector("#strip"));
  strip.remove();
  morph(byId("strip"), strip);
  showOwn();
  if (news.next && !before.next && news.over && !look?.draft && !holdsEntered(tally)) return location.assign(at(`/m/${news.next}`));
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  entry.take(fresh);
  keepingInSight(() => morph(shownTally(), fresh));
  help.ask();
  changed();
  learn();
  if (!focused.checkVisibility()) goOn(); // the step's own answer may take long
  const question = byId("asked") ? `${_("What was rolled?")} ${byId("asked-says").textContent}` : "";
  const step = news.seq > before.seq ? shownTally().dataset.announce : "";
  if (question || step) announce(step ? "counted" : "asked", `${step} ${question}`.trim());
  if (news.seq > before.seq) look?.sending.moved();
  if (news.over && !before.over) byId("result-title")?.scrollIntoView({ block: "nearest" }); // all want to see who won
}

/** Tell a screen reader, and whatever accompanies the match (senses.js).
 *  @param {string} kind @param {string} words */
function announce(kind, words) {
  byId("announce").textContent = words;
  dispatchEvent(new CustomEvent(kind, { detail: words }));
}

/** @param {boolean} looking */
function showBar(looking) {
  const bar = byId("bar");
  if (!bar) return; // a match under rules that are not here
  bar.hidden = looking || table.over;
  const seen = table.photographable && table.seen; // a photo of it is read
  byId("gallery-part").hidden = !seen;
  byId("camera-part").hidden = !seen || Boolean(watching?.on);
  const kind = kindOf(table.equipment);
  // Marks, tiles and bids are tapped on the board of the page itself.
  const hasKeys = Boolean(document.querySelector("#entry :is(.key .die, [data-dice], [data-roll], [data-hands])"));
  byId("tap-in").hidden = !table.photographable || !(kind === "grid" || (["pool", "hand"].includes(kind) && !hasKeys)); // a grid is filled cell after cell
  const words = PHOTOGRAPH[kind] ?? _("Photograph {what}", { what: table.equipment.spots[0].title });
  byId("camera-words").textContent = words;
  byId("watch-open").hidden = !table.learns || Boolean(watching?.on);
  byId("ways-open").hidden = !seen;
  for (const way of all(bar, "[data-way]")) way.hidden = byId(String(way.dataset.way)).hidden;
  byId("undo").hidden = !table.can_undo;
  if (!looking) answers?.draw();
  guide.show(looking && !look?.draft?.tapped); // its second tip is about a photo
}

/** @param {boolean} looking */
function show(looking) {
  byId("look").hidden = !looking;
  tally.hidden = looking;
  byId("main").classList.toggle("looking", looking);
  changed();
  showBar(looking);
  if (!looking) byId("prompt")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {string} state */
function tell(state) {
  const shown = byId("state");
  if (shown.dataset.state === state) return;
  shown.dataset.state = state;
  shown.className = `state ${state}`;
  all(shown, ":scope > :last-child")[0].textContent = STATES[state];
  if (state === "gone") return import("./deleted.js").then(({ sayGone }) => sayGone(table, watching));
  if (state !== "away") reached();
}

/** The server answers: no sentence may say any longer that it cannot be reached. */
function reached() {
  unsayOffline();
  queue.send().then(() => look?.sending.reached());
}

function unsayOffline() {
  if (byId("not-now").querySelector('[data-fault="Offline"]')) byId("not-now").hidden = true;
  for (const sentence of document.querySelectorAll('[data-fault="Offline"]')) sentence.remove();
}

/** Catch up with a step that had waited.
 *  @param {number} seq */
async function sent(seq) {
  unsayOffline();
  await stored(seq);
  look?.sending.reached();
}

/** Take the last step back without the page that asks, which the network keeps away; it waits as a confirm does.
 *  @param {Event} event */
async function undo(event) {
  if (byId("state").dataset.state !== "away" && !queue.away) return;
  event.preventDefault();
  if (queue.takeBack()) return;
  const step = { path: at(`/api/matches/${table.match}/undo`), sent: { after: table.seq }, says: _("Take back the last step") };
  try {
    const { seq } = await queue.add(step);
    await stored(seq);
  } catch (fault) {
    tellHere(fault);
  }
}

/** Say why a photo that was dropped or pasted is not read. */
function refuse() {
  const message = table.over
    ? _("The match is over, so there is nothing to photograph.")
    : table.barred || `${_("The game is waiting for something else before the next photo.")} ${byId("prompt").textContent}`;
  tellHere({ message });
}

/** Say where the person looks why no camera of this page watches any more; null takes that back.
 *  @param {string | null} why */
function tellInBar(why) {
  byId("bar-says").hidden = !why;
  byId("bar-says").textContent = why ?? "";
}

/** Watch the table with a camera; what that needs comes with the first press. */
async function watchTable() {
  const loaded = await later("watch.js", () => import("../camera/watch.js")).catch(tellHere);
  if (!loaded) return;
  watching ??= new loaded.Watching(table, { stored: catchUp, changed: () => showBar(Boolean(look?.draft)), ended: tellInBar });
  watching.open();
}

/** @param {{message: string, kind?: string}} fault */
function tellHere(fault) {
  byId("not-now").replaceChildren(forms.faulty(fault));
  byId("not-now").hidden = false;
}

/** Show the match as far as this phone knows it, and say so. */
async function showOffline() {
  tell("away");
  const text = await keptPart(tallyPath);
  if (text) take(text);
  const words = _("The server cannot be reached. This is the match as this phone last saw it.");
  byId("not-now").before(html("p", { class: "note doubt", role: "status", "data-fault": "Offline" }, words));
}

async function demo() {
  const photo = await fetch(String(page.dataset.demo));
  look?.take(new File([await photo.blob()], "demo.jpg", { type: "image/jpeg" }));
  history.replaceState(null, "", location.pathname); // a reload is no new demo
}

const entry = new Entry(page, table, stored);
showOwn();
const catchUp = follow(table.match, refresh, tell, help.phones);
const answers = byId("answers") && new Answers(tally);
learn();
if (byId("look")) {
  const made = (look = new Look(table, {
    opened: () => show(true),
    closed: (why) => {
      show(false);
      if (why) tellHere(why);
    },
    stored: (seq) => {
      guide.end();
      return stored(seq);
    },
  }));
  watch([byId("camera"), byId("gallery"), byId("retake")], (file) => {
    if (table.photographable) made.take(file);
    else refuse();
  });
  guide.begin(() => showBar(Boolean(made.draft)));
  byId("undo").addEventListener("click", undo);
  byId("tap-in").addEventListener("click", () => made.tapIn());
  for (const way of all(byId("ways"), "[data-way]")) way.addEventListener("click", () => byId(String(way.dataset.way)).click());
  byId("watch-open").addEventListener("click", watchTable);
  if (sessionStorage.getItem(`watch ${table.match}`) && !table.over) watchTable(); // it was, before a reload
  byId("to-secure").href = `https://${location.hostname}:${table.https}${location.pathname.slice(ROOT.length)}`;
  document.body.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-put-right]"));
    if (button) made.review(String(button.dataset.putRight));
  });
  const asked = new URLSearchParams(location.search);
  if (asked.has("correct") && table.photographable) {
    history.replaceState(null, "", location.pathname); // the draft is kept over a reload
    made.review(String(asked.get("sighting")), Number(asked.get("correct")));
  }
  if (page.dataset.demo && !made.draft) demo().catch(() => tell("away"));
}
help.listen(tally);
for (const id of ["menu", "ways"]) byId(id)?.addEventListener("click", (event) => targetOf(event).closest("a, label, button") && byId(id).hidePopover());
forms.listen((_then, seq) => stored(seq));
over.listen(stored);
sorting.listen();
for (const id of ["tap-in", "watch-open"]) byId(id)?.removeAttribute("aria-disabled"); // a tap before that is lost
if (offline()) showOffline();
queue
  .begin(table.match, { drawn: () => drawQueue((entry) => look?.takeUp(entry)), stored: sent })
  .then(() => queue.send())
  .then(() => look?.restore(queue.open));
keepPages();
// After the first paint; a page that is shown offline goes without.
requestAnimationFrame(() => setTimeout(() => {
  import("./senses.js").catch(() => {});
  if (look) import("../eyes/sight.js").then(({ mount }) => mount(page.dataset, look)).catch(() => {});
}));
