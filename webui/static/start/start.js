/** The start page: its form's buttons without a new page, settings that do not matter step aside, names end in time. */

import { Refusal, fragment } from "../net/api.js";
import { byId } from "../page/dom.js";
import { keepPages } from "../net/offline.js";
import { reorder } from "./reorder.js";
import { at } from "../net/root.js";
import { mountSwatches } from "./swatches.js";
import { _ } from "../page/words.js";

// eslint-disable-next-line no-control-regex -- where Python's str.split parts words; \s parts them elsewhere too
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const form = byId("start");
let written = false; // since the server was last asked
let waiting = 0; // for this many answers
let answers = Promise.resolve();

function chosen(name) {
  const field = form.elements[`set.${name}`];
  return field === undefined ? null : field.value;
}

/** Hide the settings that do not matter, and say on the button who plays. */
function tidy() {
  for (const field of form.querySelectorAll("[data-only-if]")) {
    const [name, values] = JSON.parse(field.dataset.onlyIf);
    field.hidden = !values.includes(chosen(name));
  }
  const names = [...form.querySelectorAll("[name=name]")].map(({ value }) => value.trim());
  byId("who-says").textContent = names.filter(Boolean).join(", ");
}

/** Return how many letters the server counts in a name (check_names in webui/match/match.py). */
const letters = (name) => [...name.normalize("NFC").split(SPACES).filter(Boolean).join(" ")].length;

/** Take back what was put in last as far as it is too much; maxlength would count an emoji twice. */
function end(field) {
  const most = Number(field.dataset.letters);
  const at = field.selectionStart;
  const [before, after] = [[...field.value.slice(0, at)], field.value.slice(at)];
  const long = letters(field.value) > most;
  while (before.length && letters(before.join("") + after) > most) before.pop();
  byId("name-end").textContent = long ? _("A name has up to {most} letters.", { most }) : "";
  if (!long) return;
  const kept = before.join("");
  field.value = kept + after;
  field.setSelectionRange(kept.length, kept.length);
}

function mount() {
  mountSwatches(form);
  tidy();
}

/** Return the server's page for the form as it lies and what is asked; asked again if somebody writes meanwhile. */
async function answered(name, value) {
  let address, text;
  do {
    const fields = new FormData(form);
    fields.append(name, value);
    address = at(`/?${new URLSearchParams(fields)}`);
    written = false;
    text = await fragment(address);
  } while (written);
  return [address, new DOMParser().parseFromString(text, "text/html")];
}

/** The field in which somebody has begun to write since `pressed` had the focus, and where in it; or null. */
function writtenIn(pressed) {
  const field = document.activeElement;
  if (field === pressed || !form.contains(field) || !field.matches("input[id]:is([type=text], [type=number])")) return null;
  return { id: field.id, from: field.selectionStart, to: field.selectionEnd };
}

/** Show the form as the server answers what is asked of it: what a button sends without scripts. */
async function ask(name, value, pressed) {
  let address, page;
  const open = form.querySelector("details:not(.swatches)")?.open;
  try {
    [address, page] = await answered(name, value);
  } catch (fault) {
    byId("name-end").textContent = fault instanceof Refusal ? fault.message : _("That did not work. Reload the page; the match is safe.");
    return;
  }
  const writing = writtenIn(pressed);
  form.replaceChildren(...page.getElementById("start").childNodes);
  byId("try").replaceWith(page.getElementById("try")); // of the game that is chosen
  history.replaceState(null, "", address); // a reload loses nothing
  if (open && name !== "other") form.querySelector("details:not(.swatches)").open = true;
  mount();
  const going = writing && byId(writing.id);
  (going ?? form.querySelector("[autofocus]"))?.focus({ preventScroll: Boolean(going) || name === "other" });
  if (going && writing.from !== null) going.setSelectionRange(writing.from, writing.to); // a number has none
  if (name === "other" && !going) byId("who").scrollIntoView({ block: "nearest" });
}

/** What is tapped while an answer is on its way waits for it: two quick taps are both done, in order. */
function queue(name, value) {
  const pressed = document.activeElement;
  waiting += 1;
  answers = answers.then(() => ask(name, value, pressed)).finally(() => (waiting -= 1));
}

form.addEventListener("submit", (event) => {
  const { submitter } = event;
  const asked = submitter?.hasAttribute("formaction");
  if (!asked && !waiting) return;
  event.preventDefault();
  if (asked) queue(submitter.name, submitter.value);
  else answers.then(() => form.requestSubmit(form.querySelector(".dock .main")));
});
form.addEventListener("change", () => {
  written = true;
  tidy();
});
for (const type of ["input", "compositionend"])
  form.addEventListener(type, ({ target, isComposing }) => {
    written = true;
    if (target.dataset.letters && !isComposing) end(target);
    tidy();
  });
form.addEventListener("keydown", (event) => {
  const { target, key, isComposing } = event;
  const names = [...form.querySelectorAll("[name=name]")];
  const next = key === "Enter" && !isComposing && names[names.indexOf(target) + 1];
  if (!names.includes(target) || !next) return; // Enter in the last name starts the match
  event.preventDefault();
  next.focus();
});
byId("mine")?.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  event.preventDefault(); // the names that are typed stay
  await fragment(target.action, new FormData(target, submitter)).then(
    () => (byId("mine").querySelectorAll("li").length > 1 ? target.closest("li") : byId("mine")).remove(),
    (fault) => (byId("name-end").textContent = fault.message),
  );
});
reorder(form, (order) => queue("order", order));
mount();
keepPages();
