/** What moves once after a step: numbers count up, pegs leap over the ones left behind, a win is celebrated. */

import { all, die, figure, html, readNumber } from "./dom.js";

const COUNT = 480; // ms
const HOP = -12; // SVG units that a peg rises on its way
const HALF = 8.5; // of a peg's width
/** @type {[string, number][]} */
const THROWN = [["white", 6], ["black", 1], ["white", 3], ["black", 5], ["white", 2], ["black", 4]];
/** @type {WeakMap<Element, FrameRequestCallback>} */
const counting = new WeakMap(); // what counts a numeral up now
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Return what to call after every change of `box`: it moves what has changed, and returns whether that won.
 *  @param {HTMLElement} box */
export function motion(box) {
  let before = shownIn(box);
  return () => {
    const then = before;
    before = shownIn(box);
    const won = before.won && !then.won;
    if (calm.matches || document.hidden) return won;
    for (const [seat, numeral] of numerals(box)) count(numeral, then.scores[seat], before.scores[seat]);
    for (const [at, lane] of lanes(box).entries()) leap(lane, then.pegs[at], before.pegs[at]);
    if (won) celebrate();
    return won;
  };
}

/** @typedef {{front: number, back: number}} Pegs */

/** @param {HTMLElement} box @returns {[string, HTMLElement][]} */
const numerals = (box) => all(box, "[data-score]").map((one) => [String(one.dataset.score), one]);
/** @param {HTMLElement} box */
const lanes = (box) => [...box.querySelectorAll(".pegs > g")];

/** @param {HTMLElement} box */
function shownIn(box) {
  return {
    scores: Object.fromEntries(numerals(box).map(([seat, numeral]) => [seat, readNumber(numeral)])),
    pegs: lanes(box).map((lane) => {
      const front = Number(lane.querySelector(".front")?.getAttribute("x")) + HALF;
      return { front, back: Number(lane.querySelector(".back")?.getAttribute("cx") ?? front) };
    }),
    won: Boolean(box.querySelector("[data-won]")),
  };
}

/** @param {HTMLElement} numeral @param {number | undefined} from @param {number} to */
function count(numeral, from, to) {
  if (from === undefined || from === to) return;
  const started = performance.now();
  /** @param {number} at */
  const draw = (at) => {
    if (counting.get(numeral) !== draw) return; // a later step counts it up
    const part = Math.min(Math.max(at - started, 0) / COUNT, 1);
    numeral.textContent = figure(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(draw);
  };
  counting.set(numeral, draw);
  draw(started);
}

/** Let the peg that was left behind leap over the other one to its new hole.
 *  @param {Element} lane @param {Pegs | undefined} then @param {Pegs} there */
function leap(lane, then, there) {
  if (!then || then.front === there.front) return;
  const way = then.back - there.front;
  const steps = [{ translate: `${way}px 0` }, { translate: `${way / 2}px ${HOP}px` }, { translate: "0 0" }];
  lane.querySelector(".front")?.animate(steps, { duration: COUNT, easing: "ease-in-out" });
}

/** Let six dice tumble over the page once. */
function celebrate() {
  const dice = THROWN.map(([colour, pips]) => die(pips, colour));
  const shown = html("div", { class: "celebration", "aria-hidden": "true" }, dice);
  document.body.append(shown);
  Promise.allSettled(shown.getAnimations({ subtree: true }).map(({ finished }) => finished)).then(() => shown.remove());
}
