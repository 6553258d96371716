import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { Draft, kindOf, merged, piecesWord, toKeep } from "../../webui/static/look/draft.js";

const QUAD = [[0, 0], [9, 0], [9, 9], [0, 9]];
const die = (value, cell, more = {}) => ({ value, color: "white", cell, quad: QUAD, ...more });
const answer = ({ doubts = [], ...reading }) => ({
  ...{ sighting: 7, photo: "/p", width: 90, height: 60, views: [] },
  reading: { dice: [], warnings: [], board: null, ...reading },
  proposal: { doubts },
});

test("an equipment asks for one kind of surface", () => {
  const places = ["a"];
  assert.equal(kindOf({ board: "sheet:red", tiles: false, places: [], loose: false }), "sheet");
  assert.equal(kindOf({ board: "track:40", tiles: false, places, loose: false }), "track");
  assert.equal(kindOf({ board: "grid:3x3", tiles: false, places: [], loose: false }), "grid");
  assert.equal(kindOf({ board: null, tiles: true, places: [], loose: true }), "hand");
  assert.equal(kindOf({ board: null, tiles: true, places: [], loose: false }), "tiles");
  assert.equal(kindOf({ board: null, tiles: false, places, loose: true }), "pool");
});

test("a doubt belongs to its piece, and only what is not drawn has to be answered", () => {
  const doubts = [
    { piece: ["dice", 0], sentence: "4 or 5?", drawn: true },
    { piece: ["dice", 1], sentence: "Is it a die?", drawn: false },
    { piece: ["dice", 1], sentence: "2 or 3?", drawn: true },
  ];
  const draft = Draft.read(answer({ dice: [die(4, [0, 0]), die(2, [0, 1]), die(1, [0, 2])], doubts }), "grid");

  assert.deepEqual(draft.unsure.map(({ value }) => value), [4, 2]);
  assert.deepEqual(draft.doubtful.map(({ value }) => value), [2]);
  assert.deepEqual(draft.marked.map(({ value }) => value), [4]);
  assert.equal(draft.doubtful[0].doubt, "Is it a die?; 2 or 3?");
  draft.trust();
  assert.deepEqual(draft.unsure, []);
});

test("what the rules take a die for is shown, and the likeliest others are offered first", () => {
  const doubts = [{ piece: ["dice", 0], sentence: "?", taken: ["black", 6], drawn: true }];
  const read = die(5, [1, 1], { alternatives: [[6, 0.3], [4, 0.1]], color_alternatives: [["black", 0.2]] });
  const [shown] = Draft.read(answer({ dice: [read], doubts }), "grid").dice;

  assert.deepEqual([shown.colour, shown.value], ["black", 6]);
  assert.deepEqual(shown.likely, [{ value: 6, colour: "white" }, { value: 5, colour: "black" }, { value: 4, colour: "white" }]);
});

test("one answer settles a cell, and what is beside the board does not count", () => {
  const draft = Draft.read(answer({ dice: [die(4, [0, 0]), die(3, [0, 0]), die(6, null)] }), "grid");

  draft.settle([0, 0], { value: 3, colour: "white" });
  assert.deepEqual(draft.sent().dice, [{ value: 3, colour: "white", cell: [0, 0] }]);
  assert.equal(draft.beside.length, 1);
  draft.move(draft.beside[0], { value: 6, colour: "white", cell: [2, 2] });
  assert.deepEqual(draft.sent().dice.map(({ cell }) => cell), [[0, 0], [2, 2]]);
  draft.settle([0, 0], null);
  assert.deepEqual(draft.sent().dice.map(({ value }) => value), [6]);
});

test("loose dice all count, on a track beside them or not", () => {
  const draft = Draft.read(answer({ dice: [die(4, ["place", 3]), die(2, null)] }), "pool");

  assert.deepEqual(draft.sent().dice.map(({ cell }) => cell), [[0, 3], null]);
});

test("what was only perhaps a die is one, or none, as a person says", () => {
  const draft = Draft.read(answer({ dice: [], perhaps: [QUAD, [...QUAD]] }), "pool");
  const [first, second] = draft.perhaps;

  draft.found(first, null, { value: 5, colour: "white" });
  draft.found(second, null, null);
  assert.deepEqual(draft.dice.map(({ value, quad }) => [value, quad]), [[5, first]]);
  assert.deepEqual(draft.perhaps, []);
});

test("of two tiles on a cell the uppermost lies there", () => {
  const tiles = [
    { halves: [1, 2], cells: [[0, 0], [0, 1]], level: 0, quad: QUAD },
    { halves: [5, 6], cells: [[0, 1], [0, 2]], level: 1, quad: QUAD },
  ];
  const draft = Draft.read(answer({ tiles }), "tiles");

  assert.deepEqual(draft.top([0, 1]).tile.halves, [5, 6]);
  assert.equal(draft.top([0, 1]).half, 0);
  assert.equal(draft.top([5, 5]), undefined);
  draft.lay(draft.tiles[1], null);
  assert.equal(draft.top([0, 1]).half, 1);
});

test("what another phone has put down comes before what was tapped here", () => {
  const tapped = Draft.tapped([], "grid");
  tapped.settle([0, 0], { value: 1, colour: "white" });
  tapped.settle([0, 1], { value: 2, colour: "white" });

  const both = merged(tapped, [{ cell: [0, 0], value: 6, colour: "black" }]);
  assert.deepEqual(both.dice.map(({ value }) => value), [6, 2]);
});

test("a draft that is kept shows the photo of the server, not one of this page", () => {
  const draft = Draft.read(answer({ dice: [die(4, [0, 0])] }), "grid", "blob:1");

  assert.equal(draft.photo.href, "blob:1");
  assert.equal(toKeep(draft).photo.href, draft.photo.stored);
});

test("pieces are counted by what they are", () => {
  assert.equal(piecesWord([{ value: 1 }, { value: 2 }]), "2 dice");
  assert.equal(piecesWord([{ mark: "checked" }]), "1 mark");
  assert.equal(piecesWord([{ halves: [1, 2] }, { value: 1 }]), "2 pieces");
});
