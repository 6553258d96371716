/** The colour of each player's dice: no two have the same, so who takes another's gives the own. */

import { all, fields, targetOf } from "../page/dom.js";
import { _ } from "../page/words.js";

/** @param {HTMLElement} group */
const radios = (group) => fields(group, "input");

/** Show what is chosen on the folded group.
 *  @param {HTMLElement} group */
function show(group) {
  const value = radios(group).find(({ checked }) => checked)?.value ?? "";
  all(group, ".chosen")[0].textContent = _(value);
  group.querySelector("summary .die")?.setAttribute("class", `die ${value}`);
  group.dataset.chosen = value;
}

/** @param {HTMLElement} form */
export function mountSwatches(form) {
  const groups = /** @type {HTMLDetailsElement[]} */ (all(form, "[data-swatches]"));
  for (const group of groups) {
    show(group);
    group.addEventListener("change", (event) => {
      const { value: taken } = /** @type {HTMLInputElement} */ (event.target);
      const same = (/** @type {HTMLElement} */ { dataset }) => dataset.swatches === group.dataset.swatches;
      const other = groups.find((one) => one !== group && same(one) && one.dataset.chosen === taken);
      if (other) {
        for (const radio of radios(other)) if (radio.value === group.dataset.chosen) radio.checked = true;
        show(other);
      }
      show(group);
    });
    // Arrow keys walk through the colours; a tap has chosen and is done.
    group.addEventListener("click", (event) => {
      if (event.detail > 0 && targetOf(event).closest("label")) group.open = false;
    });
  }
}
