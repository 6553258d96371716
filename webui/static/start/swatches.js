/** The colour of each player's dice: no two have the same, so who takes another's gives the own. */

import { _ } from "../page/words.js";

const radios = (group) => [...group.querySelectorAll("input")];

/** Show what is chosen on the folded group. */
function show(group) {
  const { value } = radios(group).find(({ checked }) => checked);
  group.querySelector(".chosen").textContent = _(value);
  group.querySelector("summary .die").setAttribute("class", `die ${value}`);
  group.dataset.chosen = value;
}

export function mountSwatches(form) {
  const groups = [...form.querySelectorAll("[data-swatches]")];
  for (const group of groups) {
    show(group);
    group.addEventListener("change", ({ target }) => {
      const same = ({ dataset }) => dataset.swatches === group.dataset.swatches;
      const other = groups.find((one) => one !== group && same(one) && one.dataset.chosen === target.value);
      if (other) {
        radios(other).find(({ value }) => value === group.dataset.chosen).checked = true;
        show(other);
      }
      show(group);
    });
    // Arrow keys walk through the colours; a tap has chosen and is done.
    group.addEventListener("click", ({ target, detail }) => {
      if (detail > 0 && target.closest("label")) group.open = false;
    });
  }
}
