/** The start page: its form's buttons without a new page, settings that do not matter step aside, names end in time. */

import { Refusal, fragment } from "../net/api.js";
import { all, byId, fields } from "../page/dom.js";
import { keepPages } from "../net/offline.js";
import { markDock } from "../page/bar.js";
import { reorder } from "./reorder.js";
import { at } from "../net/root.js";
import "../page/typed.js";
import { mountSwatches } from "./swatches.js";
import { _ } from "../page/words.js";

// eslint-disable-next-line no-control-regex -- where Python's str.split parts words; \s parts them elsewhere too
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const form = /** @type {HTMLFormElement} */ (byId("start"));
let written = false; // since the server was last asked
let waiting = 0; // for this many answers
/** @type {Promise<unknown>} */
let answers = Promise.resolve();

/** @param {string} name */
function chosen(name) {
  const field = /** @type {RadioNodeList | HTMLInputElement | null} */ (form.elements.namedItem(`set.${name}`));
  return field ? field.value : null;
}

/** Hide the settings that do not matter, and say on the button who plays. */
function tidy() {
  for (const field of all(form, "[data-only-if]")) {
    const [name, values] = JSON.parse(String(field.dataset.onlyIf));
    field.hidden = !values.includes(chosen(name));
  }
  const names = fields(form, "[name=name]").map(({ value }) => value.trim());
  byId("who-says").textContent = names.filter(Boolean).join(", ");
}

/** Return how many letters the server counts in a name (check_names in webui/match/match.py).
 *  @param {string} name */
const letters = (name) => [...name.normalize("NFC").split(SPACES).filter(Boolean).join(" ")].length;

/** Take back what was put in last as far as it is too much; maxlength would count an emoji twice.
 *  @param {HTMLInputElement} field */
function end(field) {
  const most = Number(field.dataset.letters);
  const caret = field.selectionStart ?? field.value.length;
  const [before, after] = [[...field.value.slice(0, caret)], field.value.slice(caret)];
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

/** Return the server's page for the form as it lies and what is asked; asked again if somebody writes meanwhile.
 *  @param {string} name @param {string} value @returns {Promise<[string, Document]>} */
async function answered(name, value) {
  let address, text;
  do {
    const sent = new FormData(form);
    sent.append(name, value);
    address = at(`/?${new URLSearchParams(/** @type {any} */ (sent))}`);
    written = false;
    text = await fragment(address);
  } while (written);
  return [address, new DOMParser().parseFromString(text, "text/html")];
}

/** The field in which somebody has begun to write since `pressed` had the focus, and where in it; or null.
 *  @param {Element | null} pressed */
function writtenIn(pressed) {
  const field = /** @type {HTMLInputElement | null} */ (document.activeElement);
  if (!field || field === pressed || !form.contains(field) || !field.matches("input[id]:is([type=text], [type=number])")) return null;
  return { id: field.id, from: field.selectionStart, to: field.selectionEnd };
}

/** Show the form as the server answers what is asked of it: what a button sends without scripts.
 *  @param {string} name @param {string} value @param {Element | null} pressed */
async function ask(name, value, pressed) {
  let address, page;
  const folded = () => /** @type {HTMLDetailsElement | null} */ (form.querySelector("details:not(.swatches)"));
  const open = folded()?.open;
  try {
    [address, page] = await answered(name, value);
  } catch (fault) {
    byId("name-end").textContent = fault instanceof Refusal ? fault.message : _("That did not work. Reload the page; the match is safe.");
    return;
  }
  const writing = writtenIn(pressed);
  form.replaceChildren(...byId("start", page).childNodes);
  byId("try").replaceWith(byId("try", page)); // of the game that is chosen
  history.replaceState(null, "", address); // a reload loses nothing
  const fresh = folded();
  if (open && name !== "other" && fresh) fresh.open = true;
  mount();
  const going = writing && /** @type {HTMLInputElement} */ (byId(writing.id));
  (going ?? all(form, "[autofocus]").at(0))?.focus({ preventScroll: Boolean(going) || name === "other" });
  if (going && writing.from !== null) going.setSelectionRange(writing.from, writing.to); // a number has none
  if (name === "other" && !going) byId("who").scrollIntoView({ block: "nearest" });
}

/** Return a button as it stands in the form by now: another answer may have changed what it asks for, or left it out.
 *  @param {HTMLButtonElement} button @returns {HTMLButtonElement | undefined} */
const asItStands = (button) =>
  button.isConnected
    ? button
    : [...form.querySelectorAll("button")].find(
        (other) => other.name === button.name && other.ariaLabel === button.ariaLabel && other.textContent === button.textContent,
      );

/** What is asked for while an answer is on its way waits for it: two quick taps are both done, in order.
 *  @param {() => {name: string, value: string} | undefined} asked is called once it is the next */
function queue(asked) {
  const pressed = document.activeElement;
  waiting += 1;
  answers = answers
    .then(asked)
    .then((next) => next && ask(next.name, next.value, pressed))
    .finally(() => (waiting -= 1));
}

form.addEventListener("submit", (event) => {
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const asked = submitter?.formMethod === "get" && submitter;
  const forgotten = submitter?.name === "match" && submitter;
  if (!asked && !forgotten && !waiting) return;
  event.preventDefault();
  if (forgotten) forget(forgotten);
  else if (asked) queue(() => asItStands(asked));
  else answers.then(() => form.requestSubmit(submitter?.isConnected ? submitter : all(form, ".dock .main")[0]));
});
form.addEventListener("change", () => {
  written = true;
  tidy();
});
for (const type of ["input", "compositionend"])
  form.addEventListener(type, (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    written = true;
    if (target.dataset.letters && !(/** @type {InputEvent} */ (event).isComposing)) end(target);
    tidy();
  });
form.addEventListener("keydown", (event) => {
  const { key, isComposing } = event;
  const target = /** @type {HTMLInputElement} */ (event.target);
  const names = fields(form, "[name=name]");
  const next = key === "Enter" && !isComposing && names[names.indexOf(target) + 1];
  if (!names.includes(target) || !next) return; // Enter in the last name starts the match
  event.preventDefault();
  next.focus();
});

/** Take a match out of the list of this phone. @param {HTMLButtonElement} button */
const forget = (button) =>
  fragment(button.formAction, new FormData(form, button)).then(
    () => (byId("mine").querySelectorAll("li").length > 1 ? button.closest("li") : byId("mine"))?.remove(),
    (fault) => (byId("name-end").textContent = fault.message),
  );

// A code or a recording that is refused comes back with the names that are typed.
addEventListener("formdata", ({ target, formData }) => {
  if (target === form) return;
  for (const [name, value] of new FormData(form)) if (!formData.has(name) || name === "name") formData.append(name, value);
});
reorder(form, (order) => queue(() => ({ name: "order", value: order })));
mount();
markDock();
keepPages();
