/** The bar at the foot of the page: one row with its words in short, where it would hide what lies above it. */

import { byId } from "./dom.js";

const ROOM = 41; // rem of height: of less, as with large text, two rows leave too little

/** Mark the page as `tight` while it is that low. */
export function fitBar() {
  const page = document.documentElement;
  const dock = byId("bar");
  const fit = () => {
    page.classList.toggle("tight", innerHeight < ROOM * parseFloat(getComputedStyle(page).fontSize));
    for (const [name, box] of Object.entries({ "--dock": dock, "--panel": byId("entry") })) page.style.setProperty(name, `${box?.offsetHeight ?? 0}px`);
  };
  addEventListener("resize", fit);
  const grown = new ResizeObserver(fit); // its text may grow
  for (const box of [page, dock]) if (box) grown.observe(box);
  fit();
}
