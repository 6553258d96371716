/** The first match's guide: three bubbles, each where its step is made. One tap, or a step that was counted, ends it for good. */

import { all, byId, targetOf } from "./dom.js";

const KEY = "guide";
const DONE = "done";
const FAR = "(min-width: 1600px), (pointer: none)"; // a television: nobody taps there

let looked = false; // the second bubble was read
let ended = matchMedia(FAR).matches || stored() === DONE;

/** Listen for taps on the bubbles; `shown()` shows the one that is due.
 *  @param {() => void} shown */
export function begin(shown) {
  document.body.addEventListener("click", (event) => {
    const button = targetOf(event).closest("[data-guide]");
    if (!(button instanceof HTMLElement)) return;
    if (button.dataset.guide === "end") end();
    else looked = true;
    shown();
    byId(String(button.dataset.focus)).focus();
  });
}

/** Show the bubble of what is done now: before a photo, or `looking` at one.
 *  @param {boolean} looking */
export function show(looking) {
  const due = looking ? (looked ? 3 : 2) : 1;
  for (const bubble of all(document, "[data-bubble]")) {
    bubble.hidden = ended || Number(bubble.dataset.bubble) !== due || (due === 1 && byId("camera-part").hidden);
  }
}

/** Never show it again on this phone. */
export function end() {
  ended = true;
  try {
    localStorage.setItem(KEY, DONE);
  } catch {
    // this browser keeps nothing, so it may be shown once more
  }
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
