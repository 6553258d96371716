/** The start page: settings that do not matter for the choice made step aside, names end in time. */

import "./swatches.js";
import { byId, html } from "./dom.js";
import { forget, noted } from "./shelf.js";
import { _ } from "./words.js";

// Where Python's str.split parts words; \s of this language parts them at other characters too.
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const form = byId("start");

function chosen(name) {
  const field = form.elements[`set.${name}`];
  return field === undefined ? null : field.value;
}

function tidy() {
  for (const field of form.querySelectorAll("[data-only-if]")) {
    const [name, values] = JSON.parse(field.dataset.onlyIf);
    field.hidden = !values.includes(chosen(name));
  }
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

/** List the matches that this phone has opened. */
function list() {
  const matches = noted();
  byId("mine").hidden = !matches.length;
  byId("mine-list").replaceChildren(
    ...matches.map(({ match, title, names, score, over }) => {
      const players = names.map((name, seat) => `${name} ${score[seat]}`).join(", ");
      const drop = () => {
        forget(match);
        list();
        (byId("mine-list").querySelector("a") ?? byId("new-title")).focus();
      };
      return html(
        "li",
        {},
        html("a", { class: "button grow", href: `/m/${match}` }, html("span", {}, html("b", {}, players), html("br"), html("span", { class: "small soft" }, title + (over ? _(", over") : "")))),
        html("button", { type: "button", class: "plain", "aria-label": _("Forget the match of {names} on this phone", { names: names.join(", ") }), click: drop }, "✕"),
      );
    }),
  );
}

form.addEventListener("change", tidy);
for (const type of ["input", "compositionend"])
  form.addEventListener(type, ({ target, isComposing }) => target.dataset.letters && !isComposing && end(target));
tidy();
list();
