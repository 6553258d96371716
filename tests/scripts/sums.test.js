import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { around, cellUnder, fromUnitSquare, inset, printed, toUnitSquare } from "../../webui/static/look/quads.js";
import { countIt, signed } from "../../webui/static/look/scores.js";
import { motion } from "../../webui/static/page/motion.js";
import { markName, ngettext } from "../../webui/static/page/words.js";

const CORNERS = [[100, 80], [520, 120], [560, 460], [60, 400]];
const GRID = { rows: 3, columns: 3 };

test("the unit square goes to a quad and back", () => {
  const [there, back] = [fromUnitSquare(CORNERS), toUnitSquare(CORNERS)];
  assert.deepEqual([there(0, 0), there(1, 1)].map((point) => point.map(Math.round)), [CORNERS[0], CORNERS[2]]);
  for (const [u, v] of [[0.2, 0.7], [0.5, 0.5], [0.9, 0.1]]) {
    const [x, y] = back(...there(u, v));
    assert.ok(Math.hypot(x - u, y - v) < 1e-9);
  }
});

test("each cell of a grid lies under its own middle, and nothing beside the board under any", () => {
  const draft = { corners: CORNERS, cells: [], loose: false };
  for (const { cell, quad } of printed(draft, GRID)) assert.deepEqual(cellUnder(draft, GRID, inset(quad, 0.6)), cell);
  assert.equal(cellUnder(draft, GRID, [[0, 0], [9, 0], [9, 9], [0, 9]]), null);
  assert.equal(cellUnder({ ...draft, loose: true }, GRID, CORNERS), null);
});

test("what shows a quad with its surroundings is a square about its middle", () => {
  assert.deepEqual(around([[0, 0], [10, 0], [10, 4], [0, 4]], 0.5), [-5, -8, 20, 20]);
});

test("the button says what counting brings to whom", () => {
  const table = { names: ["Ada", "Ben"], score: [10, 20] };
  assert.equal(countIt({ earned: [15, 20] }, table), "Count it: Ada +5");
  assert.equal(countIt({ earned: [10, 17] }, table, true), "Count it anyway: Ben −3");
  assert.equal(countIt(null, table), "Count it");
  assert.equal(signed(0), "+0");
});

test("one thing is counted by another form than many", () => {
  assert.equal(ngettext("{n} die", "{n} dice", 1), "1 die");
  assert.equal(ngettext("{n} die", "{n} dice", 0), "0 dice");
  assert.equal(markName(["red", 2, 5]), "red half, row 3, the 6");
});

test("a numeral counts up to its new number, and only a new win is celebrated", () => {
  const numeral = { dataset: { score: "0" }, textContent: "5" };
  const box = { won: null, querySelectorAll: (name) => (name === "[data-score]" ? [numeral] : []), querySelector: () => box.won };
  const frames = [];
  globalThis.requestAnimationFrame = (draw) => frames.push(draw);
  const moved = motion(box);

  numeral.textContent = "−25";
  assert.equal(moved(), false);
  assert.equal(numeral.textContent, "5");
  frames.shift()(performance.now() + 240);
  assert.ok(Math.abs(Number(numeral.textContent.replace("−", "-")) + 10) <= 1);
  frames.shift()(performance.now() + 999);
  assert.equal(numeral.textContent, "−25");
  assert.deepEqual(frames, []);
});
