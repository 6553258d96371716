/** The start page: settings that do not matter for the choice made step aside. */

import "./swatches.js";

const form = document.getElementById("start");

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

form.addEventListener("change", tidy);
tidy();
