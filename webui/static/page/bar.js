/** The bar at the foot of the page: one row with its words in short, where it would hide what lies above it. */

import { all, byId, targetOf } from "./dom.js";

const PANEL = 32; // rem of height: of less, upright or with large text, the entry panel is a part of the page and covers none of it
const LARGE = 20; // px of its text
const ROOM = 41; // rem of height: of less, as with large text, two rows leave too little

/** Mark the page as `in-dock` while the dock or the panel has the focus, or had it last. Each change of the mark restyles
 *  the whole page, so it stays while a key is redrawn, which loses the focus for a moment. */
export function markDock() {
  const mark = (/** @type {Element} */ focused) => document.documentElement.classList.toggle("in-dock", Boolean(focused.closest(".dock, #entry")));
  addEventListener("focusin", (event) => mark(targetOf(event)));
  addEventListener("focusout", ({ relatedTarget: next }) => next instanceof Element && mark(next)); // the browser scrolls to a field before `focusin`
}

/** Mark the page as `tight` while it is that low. */
export function fitBar() {
  const page = document.documentElement;
  const docks = all(document, "#bar, #look .dock"); // one of them is shown
  const fit = () => {
    const rem = parseFloat(getComputedStyle(page).fontSize);
    page.classList.toggle("tight", innerHeight < ROOM * rem);
    page.classList.toggle("large", rem > LARGE);
    page.style.setProperty("--above-strip", `${byId("strip").offsetTop}px`); // of the bar, which scrolls away
    page.classList.toggle("flowing", innerHeight < PANEL * rem && (innerWidth < innerHeight || rem > LARGE));
    for (const [name, boxes] of Object.entries({ "--dock": docks, "--panel": [byId("entry")] })) page.style.setProperty(name, `${Math.max(0, ...boxes.map((box) => box?.offsetHeight ?? 0))}px`);
  };
  addEventListener("resize", fit);
  const grown = new ResizeObserver(fit); // its text may grow
  for (const box of [page, ...docks, byId("entry")]) if (box) grown.observe(box);
  fit();
  markDock();
}
