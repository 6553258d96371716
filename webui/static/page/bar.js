/** The bar at the foot of the page: one row with its words in short, where it would hide what lies above it. */

const ROOM = 41; // rem of height: of less, as with large text, two rows leave too little

/** Mark the page as `tight` while it is that low. */
export function fitBar() {
  const page = document.documentElement;
  const fit = () => page.classList.toggle("tight", innerHeight < ROOM * parseFloat(getComputedStyle(page).fontSize));
  addEventListener("resize", fit);
  new ResizeObserver(fit).observe(page); // its text may grow
  fit();
}
