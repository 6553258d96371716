/** The second of two quick taps on one place is no second answer: what lies under the finger has changed
 *  meanwhile, and nobody has read it yet. Nor is a press that began before the change, or a key that is held down.
 */

import { targetOf } from "./dom.js";

const AT_ONCE = 500; // ms; what systems take for a double click
const FINGER = 40; // CSS px across

/** Ignore such taps on what `selector` finds. Return the function to call when the page has changed.
 *  @param {string} selector */
export function ignoreEchoes(selector) {
  let last = { at: -Infinity, x: 0, y: 0 };
  let pressedAt = 0;
  let changedAt = -1;

  /** @param {Event} event */
  function stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Say whether a click follows the last one at once; a mouse's are counted by the system.
   *  @param {PointerEvent} event */
  function again({ detail, pointerType, timeStamp, clientX, clientY }) {
    if (pointerType === "mouse") return detail > 1;
    return timeStamp - last.at < AT_ONCE && Math.hypot(clientX - last.x, clientY - last.y) < FINGER;
  }

  /** @param {PointerEvent} event */
  function clicked(event) {
    if (!event.detail || targetOf(event).matches("label input")) return; // a key's, or what a label hands on
    const echo = again(event) || pressedAt < changedAt;
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY };
    if (echo && targetOf(event).closest(selector)) stop(event);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.repeat && event.key === "Enter" && targetOf(event).closest(selector)) stop(event);
  }

  addEventListener("pointerdown", ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
  addEventListener("click", clicked, { capture: true });
  addEventListener("keydown", pressed, { capture: true });
  return () => {
    last.at = changedAt = performance.now();
  };
}
