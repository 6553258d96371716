/** The tally of many players, by seat or by score, as this phone remembers it. */

import { all, byId, fields, readNumber } from "../page/dom.js";

const KEY = "sort";

/** Put the players of the tally into the chosen order. */
export function sortTally() {
  const box = byId("sort");
  if (!box) return;
  const chosen = localStorage.getItem(KEY) ?? "seat";
  for (const field of fields(box, "input")) field.checked = field.value === chosen;
  const places = all(byId("scores"), ".score");
  const points = (/** @type {HTMLElement} */ place) => readNumber(all(place, "[data-score]")[0]);
  const seat = (/** @type {HTMLElement} */ place) => Number(place.id.replace("why-", ""));
  const sign = "lowest" in box.dataset ? -1 : 1;
  const sorted = places.toSorted((a, b) => (chosen === "score" && sign * (points(b) - points(a))) || seat(a) - seat(b));
  if (sorted.some((place, at) => place !== places[at])) places[0].parentElement?.append(...sorted);
}

/** Listen for another choice. */
export function listen() {
  document.body.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== KEY) return;
    localStorage.setItem(KEY, target.value);
    sortTally();
  });
}
