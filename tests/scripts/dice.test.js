import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { best, Dice, points } from "../../webui/static/match/dice.js";
import { fits, made } from "../../webui/static/match/picks.js";

const WORTH = { 1: 100, 5: 50, 11: 200, 15: 150, 115: 250, 222: 200, 1222: 300 };

test("dice bring the same in any order, and nothing where one of them counts for nothing", () => {
  assert.equal(points(WORTH, [5, 1]), 150);
  assert.equal(points(WORTH, [2, 1, 2, 2]), 300);
  assert.equal(points(WORTH, [1, 2]), 0);
});

test("of the dice that lie there those are lit that bring most", () => {
  assert.deepEqual(best(WORTH, [2, 5, 3, 1]), [false, true, false, true]);
  assert.deepEqual(best(WORTH, [2, 3, 4]), [false, false, false]);
  assert.deepEqual(best(WORTH, [2, 1, 2, 2]), [true, true, true, true]);
});

test("of equal dice those that count for nothing are left", () => {
  const worth = { 222: 200 }; // a fourth one counts for nothing
  const pad = { dataset: { dice: JSON.stringify({ number: 4, anew: 6, lying: [2, 2, 2, 2], roll: null, worth, before: 0, score: 0, why: "no", rule: "FK-4", keeps: [] }) } };
  const dice = new Dice(/** @type {any} */ (pad), () => {});
  dice.toggle(dice.kept.indexOf(false));
  assert.ok(dice.illegal);
  assert.equal(dice.buttons[0].main, "Leave the 2");
  dice.mend();
  assert.deepEqual(dice.keptPips, [2, 2, 2]);
});

test("picked keys fit what has them all, and make what has no other", () => {
  const every = [{ keys: ["1", "2"], move: 1 }, { keys: ["1", "3"], move: 2 }, { keys: ["2", "3"], why: "no" }];
  assert.deepEqual(fits(every, ["1"]).map(({ move }) => move), [1, 2]);
  assert.deepEqual(fits(every, [undefined, "3"]).length, 2);
  assert.equal(made(every, ["1"]), undefined);
  assert.equal(made(every, ["1", "3"])?.move, 2);
  assert.equal(made(every, ["2", "3"])?.why, "no");
});
