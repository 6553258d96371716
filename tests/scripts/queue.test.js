import { refused, server, stored, tabs } from "./page.js";
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { queue } from "../../webui/static/net/queue.js";
import { entries as shelf } from "../../webui/static/net/waiting.js";

const step = (name, after = 1) => ({ path: "/api/matches/m/moves", sent: { name, after } });
const names = () => server.asked.filter(({ sent }) => sent).map(({ sent }) => sent.name);
const settled = () => new Promise((done) => { setImmediate(done); });
let heard;

beforeEach(async () => {
  mock.restoreAll();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(server, { asked: [], answers: [] });
  Object.assign(queue, { flying: null, away: null });
  heard = [];
  await queue.begin("m", { drawn: () => {}, stored: (seq) => heard.push(seq) });
});

/** Enter steps while the server is away. */
async function enter(...entered) {
  for (const name of entered) await assert.rejects(queue.add(step(name)), { kind: "Offline" });
  server.asked = [];
}

test("a step is stored, and its entry gone", async () => {
  server.answers = [stored(2)];

  assert.deepEqual(await queue.add(step("a")), { seq: 2 });
  assert.deepEqual(queue.entries, []);
  assert.equal(server.asked[0].sent.request.length, 24);
});

test("steps go one after the other, each after the one before it", async () => {
  server.answers = [stored(2), stored(3)];
  const both = await Promise.all([queue.add(step("a")), queue.add(step("b"))]);

  assert.deepEqual(both, [{ seq: 2 }, { seq: 3 }]);
  assert.deepEqual(server.asked.map(({ sent }) => [sent.name, sent.after]), [["a", 1], ["b", 2]]);
});

test("offline steps wait, are tried again, and are sent once each with the same id", async () => {
  await enter("a", "b");
  const ids = queue.entries.map(({ id }) => id);

  server.answers = [stored(2), stored(3)];
  mock.timers.tick(3000);
  for (let turn = 0; turn < 9; turn++) await settled();
  assert.deepEqual(names(), ["a", "b"]);
  assert.deepEqual(server.asked.map(({ sent }) => sent.request), ids);
  assert.deepEqual(heard, [2, 3]);
  assert.equal(queue.away, null);
});

test("a server that has too much to do is no refusal", async () => {
  server.answers = [refused(503, "Busy")];
  await assert.rejects(queue.add(step("a")), { kind: "Offline" });
  assert.equal(queue.entries[0].refused, null);
});

test("a refusal that a person sees leaves nothing behind", async () => {
  server.answers = [refused(422, "Illegal", "not now")];
  await assert.rejects(queue.add(step("a")), { kind: "Illegal", message: "Not now." });
  assert.deepEqual(queue.entries, []);
});

test("a refused step stops those behind it until it is sent again, and takes them along", async () => {
  await enter("a", "b", "c");
  server.answers = [refused(409, "Stale")];
  await queue.send();
  assert.deepEqual(queue.entries.map(({ refused: why }) => why.kind), ["Stale", "Stopped", "Stopped"]);
  assert.deepEqual(names(), ["a"]);

  const match = { status: 200, body: { seq: 5 } };
  server.answers = [match, stored(6), stored(7), stored(8)];
  await queue.retry(queue.entries[0].id);
  assert.deepEqual(server.asked.slice(-3).map(({ sent }) => [sent.name, sent.after]), [["a", 5], ["b", 6], ["c", 7]]);
  assert.deepEqual(queue.entries, []);
});

test("a refused step that is dropped leaves those behind it to be decided", async () => {
  await enter("a", "b");
  server.answers = [refused(409, "Stale")];
  await queue.send();
  await queue.drop(queue.entries[0].id);

  assert.deepEqual(queue.entries.map(({ sent, behind, refused: why }) => [sent.name, behind, why.kind]), [["b", null, "Stopped"]]);
});

test("a step that is dropped while it waits leaves all behind it to be decided", async () => {
  await enter("a", "b", "c");
  await queue.drop(queue.entries[0].id);

  assert.deepEqual(queue.entries.map(({ sent, refused: why }) => [sent.name, why?.kind]), [["b", "Stopped"], ["c", "Stopped"]]);
});

test("what a page did not come to stop before it was left is stopped by the next", async () => {
  await enter("a", "b", "c");
  server.answers = [refused(409, "Stale")];
  await queue.send();
  const named = (id) => id && `${id} kept`;
  const kept = queue.entries.map((entry, at) => ({ ...entry, id: named(entry.id), behind: named(entry.behind), refused: at === 2 ? null : entry.refused }));
  mock.method(shelf, "below", async () => kept);
  await queue.begin("m", { drawn: () => {}, stored: () => {} });
  await queue.send();

  assert.deepEqual(queue.entries.map(({ refused: why }) => why?.kind), ["Stale", "Stopped", "Stopped"]);
});

test("a step that is dropped on its way does not come back where it is refused", async () => {
  let refuse;
  mock.method(globalThis, "fetch", () => new Promise((done) => { refuse = done; }));
  const keep = mock.method(shelf, "keep");
  const sent = queue.add(step("a"));
  await settled();
  await queue.drop(queue.flying);
  keep.mock.resetCalls();
  refuse({ ok: false, status: 409, text: async () => JSON.stringify(refused(409, "Stale").body) });
  await assert.rejects(sent, { kind: "Stale" });

  assert.equal(keep.mock.callCount(), 0);
});

test("only a step that never left this phone is taken back here", async () => {
  await enter("a", "b");

  assert.equal(queue.takeBack(), true); // b was not tried
  assert.equal(queue.takeBack(), false); // a may have arrived
  assert.deepEqual(queue.entries.map(({ sent }) => sent.name), ["a"]);
});

test("a step waits for what is looked at before it, and takes its place when that is confirmed", async () => {
  await queue.hold("photo", { draft: {} });
  assert.equal(queue.open.id, "photo");
  server.answers = [stored(2), stored(3)];
  await queue.fill("photo", step("a"));
  await queue.add(step("b", 2));

  assert.deepEqual(names(), ["a", "b"]);
  assert.equal(queue.open, undefined);
});

test("a draft that is refused while it is looked at stays open", async () => {
  await queue.hold("photo", { draft: { dice: [] } });
  server.answers = [refused(422, "Illegal")];
  await assert.rejects(queue.fill("photo", step("a"), () => true), { kind: "Illegal" });

  assert.equal(queue.open.id, "photo");
  assert.equal(queue.open.path, null);
  await queue.release("photo");
  assert.deepEqual(queue.entries, []);
});

test("a refusal nobody attends to any more is kept for a person", async () => {
  server.answers = [refused(422, "Illegal")];
  await assert.rejects(queue.add(step("a"), () => false), { kind: "Illegal" });
  assert.deepEqual(queue.entries.map(({ refused: why }) => why.kind), ["Illegal"]);
});

test("a step stays that is entered while another tab's are read, or that the browser does not keep", async () => {
  let answer;
  mock.method(shelf, "below", () => new Promise((done) => { answer = done; }));
  const heard = tabs.onmessage({ data: {} });
  await assert.rejects(queue.add(step("a")), { kind: "Offline" });
  answer([]); // read before the step was entered
  await settled();
  answer([]); // the browser's shelf is full
  await heard;

  assert.deepEqual(queue.entries.map(({ sent }) => sent.name), ["a"]);
});

test("a step that another tab has sent is answered here", async () => {
  let late;
  mock.method(globalThis, "fetch", () => new Promise((done, fail) => { late = fail; }));
  const sent = queue.add(step("a"));
  await settled();
  await tabs.onmessage({ data: { id: queue.flying, seq: 2 } });
  assert.deepEqual(await sent, { seq: 2 });
  late(new TypeError("fetch failed"));
});

test("why a step is refused is said in a sentence", async () => {
  for (const [sentence, said] of [["roll first", "Roll first."], ["Is it?", "Is it?"]]) {
    server.answers = [refused(422, "Illegal", sentence)];
    await assert.rejects(queue.add(step("a")), { kind: "Illegal", message: said });
    for (const { id } of queue.entries) queue.drop(id);
  }
});
