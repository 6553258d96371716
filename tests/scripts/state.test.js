import assert from "node:assert/strict";
import { test } from "node:test";

import { isPressable, stateOf } from "../../webui/static/look/state.js";

const JUDGED = { proposal: { moves: ["roll"], differences: [] }, flying: false, waiting: false, failed: null, same: false };
const state = (sending = {}, { draft = {}, unchanged = false } = {}) =>
  stateOf({ draft: { doubtful: [], replaces: null, ...draft }, unchanged, sending: { ...JUDGED, ...sending } });

test("what the rules take can be counted, in place of another step too", () => {
  assert.equal(state(), "ready");
  assert.equal(state({}, { draft: { replaces: 3 } }), "replacing");
  assert.equal(state({ proposal: { ...JUDGED.proposal, overtaken: {} } }), "overtaken");
  assert.equal(state({ proposal: { ...JUDGED.proposal, overtaken: { corrected: true } } }), "another");
});

test("a piece that is in doubt comes before all but a step on its way", () => {
  const doubtful = { draft: { doubtful: [{}] } };
  assert.equal(state({ failed: "away" }, doubtful), "doubtful");
  assert.equal(state({ flying: true }, doubtful), "sending");
});

test("what cannot be counted says which of the reasons it is", () => {
  assert.equal(state({ waiting: true }), "asking");
  assert.equal(state({ waiting: true, failed: "away" }), "failed");
  assert.equal(state({ same: true }), "same");
  assert.equal(state({ proposal: { moves: ["roll"], differences: ["two dice"] } }), "forbidden");
  assert.equal(state({ proposal: { moves: [], differences: [] } }, { unchanged: true }), "nothing");
  assert.equal(state({ proposal: null }), "forbidden");
});

test("the button does what it says where that leads on, and explains where it does not", () => {
  const pressable = ["sending", "doubtful", "failed", "same", "replacing", "overtaken", "another", "ready", "asking", "nothing", "forbidden"].filter(isPressable);
  assert.deepEqual(pressable, ["doubtful", "failed", "replacing", "overtaken", "another", "ready"]);
});
