import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { Corners, evenCells } from "../../webui/static/look/corners.js";
import { Lattice } from "../../webui/static/look/lattice.js";

const POINTS = [[30, 30], [330, 30], [330, 330], [30, 330]];
const FIRST = 0; // the upright line between the first two columns; its handle is 16 px above the board

/** Corners of a board 300 px wide on a phone, a px of the photo to a CSS px, and its columns' lines. */
function board(columns, { points = POINTS, offered = [] } = {}) {
  const view = { getBoundingClientRect: () => ({ width: 360, height: 360 }) };
  const lattice = new Lattice(evenCells(1, columns));
  return Object.assign(Object.create(Corners.prototype), { view, box: [0, 0, 360, 360], points, offered, lattice });
}

const lineAt = (corners, at) => corners.lineAt(at, Math.min(...corners.points.map(([x, y]) => Math.hypot(x - at[0], y - at[1]))));

test("a tap beside a corner takes hold of it, not of a dense line", () => {
  assert.equal(lineAt(board(20), [38, 20]), -1); // 13 px from the corner, 9 from the line's handle
  assert.equal(lineAt(board(12), [55, 14]), FIRST); // on a handle that is not over the corner
});

test("a corner that is not set yet comes before lines", () => {
  const handle = [180, 14];
  const twoSet = { points: [[30, 30], [330, 30], ...POINTS.slice(2)], offered: POINTS };

  assert.equal(lineAt(board(12), handle), 5);
  assert.equal(lineAt(board(12, twoSet), handle), -1);
});

test("a line is taken hold of no farther than halfway to the next one", () => {
  assert.equal(lineAt(board(12), [180, 3]), 5); // 11 px above its handle; lines are 25 px apart
  assert.equal(lineAt(board(12), [180, -1]), -1);
  assert.equal(lineAt(board(3), [130, -1]), FIRST); // 100 px apart
});

test("of two lines beside a gap each is taken hold of from its own side", () => {
  const corners = board(3);
  corners.lattice.lines[0][2] = corners.lattice.lines[0][1] + 0.01; // 3 px

  assert.equal(lineAt(corners, [125, 14]), 0);
  assert.equal(lineAt(corners, [138, 14]), 1);
});
