import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { StillTable } from "../../webui/static/camera/still_table.js";
import { Track } from "../../webui/static/camera/track.js";
import { carried } from "../../webui/static/eyes/glance.js";

const [WIDE, HIGH] = [160, 120];

/** A table as a camera sees it that has moved: turned, scaled and shifted. */
function seen({ turn = 0, scale = 1, shift = [0, 0], light = 1 }) {
  const grey = new Float32Array(WIDE * HIGH);
  const [cos, sin] = [Math.cos(turn) / scale, Math.sin(turn) / scale];
  for (let i = 0; i < grey.length; i++) {
    const [x, y] = [(i % WIDE) - (WIDE - 1) / 2 - shift[0], Math.floor(i / WIDE) - (HIGH - 1) / 2 - shift[1]];
    const [u, v] = [cos * x + sin * y, cos * y - sin * x];
    grey[i] = light * (120 + 40 * Math.sin(u / 5) * Math.cos(v / 7) + 30 * Math.sin((u + 2 * v) / 11));
  }
  return { grey, width: WIDE, height: HIGH };
}

test("outlines follow a camera that shifts, turns and comes closer, from the frame that was read", () => {
  const track = new Track();
  const moved = (number) => ({ turn: 0.01 * number, scale: 1 + 0.008 * number, shift: [0.9 * number, -0.5 * number], light: 1 - 0.01 * number });
  for (let number = 0; number < 8; number++) {
    track.step(seen(moved(number)));
    if (number === 2) track.ask();
    if (number === 4) track.draw();
  }
  const [a, b, c, d, e, f] = track.transform(WIDE, HIGH).match(/-?[0-9.e-]+/g).map(Number);

  const [then, now] = [moved(2), moved(7)];
  const scale = now.scale / then.scale;
  const [cos, sin] = [scale * Math.cos(now.turn - then.turn), scale * Math.sin(now.turn - then.turn)];
  for (const [x, y] of [[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]]) {
    const [u, v] = [x - WIDE / 2 - then.shift[0], y - HIGH / 2 - then.shift[1]];
    const [right, down] = [cos * u - sin * v + WIDE / 2 + now.shift[0], sin * u + cos * v + HIGH / 2 + now.shift[1]];
    assert.ok(Math.hypot(a * x + c * y + e - right, b * x + d * y + f - down) < 0.7, `${x}, ${y}`); // px of 160; a die is 10
  }
});

test("another picture than before explains no motion", () => {
  const track = new Track();
  track.step(seen({}));
  track.step({ grey: new Float32Array(WIDE * HIGH).fill(9), width: WIDE, height: HIGH });
  assert.equal(track.transform(WIDE, HIGH), "matrix(1 0 0 1 0 0)");
});

// -------------------------------------------------------------- what a camera that watches sends

const TABLE = Float32Array.from({ length: 1600 }, (_, i) => 90 + ((i * 7919) % 5)); // its grain
const changed = (change) => TABLE.map(change);

/** A table that has lain still for a second. */
function still(grey = TABLE) {
  const table = new StillTable();
  table.keep(grey, 0);
  table.waits("", 0);
  return table;
}

test("a table has to be calm before a picture of it may be left out", () => {
  assert.equal(still().unchanged(TABLE, 900), false);
  assert.equal(still().unchanged(TABLE, 1500), true);
});

test("noise and exposure are no change", () => {
  assert.equal(still().unchanged(changed((grey, i) => grey + ((i * 31) % 3)), 1500), true);
  const dark = TABLE.map((_, i) => (i < 9 ? 190 : 30)); // a pale die on it
  assert.equal(still(dark).unchanged(dark.map((grey) => grey * 1.25), 1500), true);
});

test("what lies there anew is a change, however dark it is", () => {
  assert.equal(still().unchanged(changed((grey, i) => (i % 40 < 2 && i < 80 ? 200 : grey)), 1500), false);
  assert.equal(still().unchanged(changed((grey, i) => (i % 40 < 2 && i < 80 ? 60 : grey)), 1500), false);
  assert.equal(still().unchanged(new Float32Array(900), 1500), false);
});

test("a picture is sent where the last is old, and while anything is waited for", () => {
  const table = still();
  assert.equal(table.unchanged(TABLE, 5100), false);
  table.waits("hand", 1500);
  assert.equal(table.unchanged(TABLE, 4000), false);
  table.disturb();
  assert.equal(table.unchanged(TABLE, 1500), false);
});

// -------------------------------------------------------------- known faces on a frame that was glanced at

const LIKELY = 0.5;

/** A level face of ten px there. */
function face(x, y, change = {}) {
  const quad = [[-5, -5], [5, -5], [5, 5], [-5, 5]].map(([dx, dy]) => [x + dx, y + dy]);
  return { quad, middle: [x, y], size: 10, prob: 0.9, value: 3, age: 1, others: { unlike: 0, tilted: 0, hangs: 0 }, ...change };
}

const KNOWN = [face(20, 20), face(60, 20), face(100, 30), face(40, 70), face(80, 80)];
const [COS, SIN] = [1.02 * Math.cos(0.03), 1.02 * Math.sin(0.03)];
const moved = ([x, y]) => [COS * (x - 60) - SIN * (y - 40) + 61, SIN * (x - 60) + COS * (y - 40) + 38];
const glimpsed = KNOWN.map(({ middle }) => face(...moved(middle), { prob: 0.2, size: 10.1 }));

test("known faces follow a camera that shifts, turns and comes closer, however faint they are on a glance", () => {
  const found = carried(KNOWN, glimpsed, LIKELY);

  found.forEach(({ quad, prob, age, size }, i) => {
    quad.forEach((at, corner) => assert.ok(Math.hypot(...at.map((px, axis) => px - moved(KNOWN[i].quad[corner])[axis])) < 0.01));
    assert.deepEqual([prob, age], [0.9, 2]);
    assert.ok(Math.abs(size - 10.2) < 0.01);
  });
});

test("of five faces one that is not glimpsed lies where the others' move brings it, and is classified at once; two are looked for", () => {
  const [, ...rest] = glimpsed;
  const [first, second] = carried(KNOWN, rest, LIKELY);

  assert.ok(Math.hypot(...first.middle.map((px, axis) => px - moved(KNOWN[0].middle)[axis])) < 0.01);
  assert.deepEqual([first.age, second.age], [Infinity, 2]);
  assert.equal(carried(KNOWN, rest.slice(1), LIKELY), null);
  assert.equal(carried(KNOWN.slice(0, 1), [], LIKELY), null);
});

for (const [change, seen] of [
  ["a face moved alone", glimpsed.with(2, face(...moved([103, 30])))],
  ["a likely face came", [...glimpsed, face(120, 90)]],
  ["all are much nearer", glimpsed.map((one) => ({ ...one, size: 12 }))],
])
  test(`a glance is not enough when ${change}`, () => assert.equal(carried(KNOWN, seen, LIKELY), null));

test("a place that may be a face is left out of a glance", () => {
  assert.equal(carried(KNOWN, [...glimpsed, face(120, 90, { prob: 0.4 })], LIKELY).length, 5);
});
