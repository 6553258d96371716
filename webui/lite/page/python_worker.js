/** Python with Pipsight's app: answers one request after the other, and keeps the matches in this browser. */

import { loadPyodide } from "./python/pyodide.mjs";

const BASE = new URL("./", import.meta.url);
const SNAPSHOT = new URL("snapshot", BASE);
const indexURL = new URL("python/", BASE).href;
const DATA = "/data"; // kept in IndexedDB
const JAR = `${DATA}/cookies.json`;
const jar = new Map(); // a service worker may neither see nor set cookies
let python, boot, app, snapshot;
let turn = Promise.resolve();

onmessage = ({ data }) => {
  if (data.keep) return keepSnapshot();
  turn = turn.then(() => (data.start ? start() : reply(data))).then(
    (answer) => postMessage({ id: data.id, ...answer }, answer.content ? [answer.content.buffer] : []),
    (fault) => postMessage({ id: data.id, fault: String(fault), ...text(500, String(fault)) }),
  );
};

const text = (status, sentence) => ({ status, headers: [["content-type", "text/plain; charset=utf-8"]], content: new TextEncoder().encode(sentence) });

async function start() {
  const times = {};
  const mark = (name) => (times[name] = Math.round(performance.now()));
  const packed = fetch(new URL("app.zip", BASE)).then((answer) => answer.arrayBuffer());
  const eyes = fetch(new URL("eyes.json", BASE)).then((answer) => answer.text());
  const restored = (python = await fromSnapshot());
  python ??= await loadPyodide({ indexURL, _makeSnapshot: true });
  mark(restored ? "restored" : "python");
  python.unpackArchive(await packed, "zip", { extractDir: "/app" });
  mark("unpacked");
  python.runPython(restored ? "import random; random.seed()" : "import sys; sys.path.insert(0, '/app'); import webui.lite.boot");
  mark("imported");
  if (!restored) snapshot = python.makeMemorySnapshot(); // before any file is open
  python.FS.mkdirTree(DATA);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, DATA);
  await synced(true);
  mark("matches");
  boot = python.pyimport("webui.lite.boot");
  const begin = [DATA, location.host, BASE.pathname.slice(0, -1), await eyes];
  try {
    app = boot.begin(...begin);
  } catch (fault) {
    if (!String(fault).includes("No module named 'alembic'")) throw fault;
    await upgradable();
    app = boot.begin(...begin); // the matches are of an older version
    await synced();
  }
  if (python.FS.analyzePath(JAR).exists) for (const [name, value] of JSON.parse(python.FS.readFile(JAR, { encoding: "utf8" }))) jar.set(name, value);
  mark("app");
  return { times };
}

/** Return Python as the first start of this build has left it, all modules imported; undefined if it is not here.
 *  The runtime makes its own memory, which has to grow to the size of the snapshot before that is copied into it. */
async function fromSnapshot() {
  try {
    const kept = await (await snapshots()).match(SNAPSHOT);
    if (!kept) return undefined;
    const [bytes, { default: make }] = await Promise.all([kept.arrayBuffer(), import("./python/pyodide.asm.mjs")]);
    const createPyodideModule = (settings) => {
      const instantiate = settings.instantiateWasm;
      settings.instantiateWasm = (imports, receive) =>
        instantiate(imports, (instance, module) => {
          const { memory } = instance.exports;
          memory.grow(Math.max(0, Math.ceil((bytes.byteLength - memory.buffer.byteLength) / 65536))); // pages of wasm
          receive(instance, module);
        });
      return make(settings);
    };
    return await loadPyodide({ indexURL, _loadSnapshot: bytes, createPyodideModule });
  } catch (fault) {
    console.warn(fault); // then as at the first start
    return undefined;
  }
}

/** Keep the snapshot for later starts; without room for it they take longer. */
async function keepSnapshot() {
  const taken = snapshot;
  snapshot = undefined;
  if (taken) await (await snapshots()).put(SNAPSHOT, new Response(taken)).catch((fault) => console.warn(fault));
}

/** Return the cache of this build's snapshot, which goes with its build. It is its own: nobody reads from one that is
 *  written to, and writing this takes seconds. */
const snapshots = async () => caches.open(`${await (await fetch(new URL("cache", BASE))).text()} snapshot`);

/** Fetch what brings older matches up to date. */
async function upgradable() {
  const packed = await (await fetch(new URL("upgrade.zip", BASE))).arrayBuffer();
  python.unpackArchive(packed, "zip", { extractDir: "/app" });
  python.runPython("import importlib; importlib.invalidate_caches()");
}

/** Take the matches from the browser's database, or put there what has changed, all of it or nothing. */
function synced(from = false) {
  return new Promise((done, failed) => python.FS.syncfs(from, (fault) => (fault ? failed(fault) : done())));
}

async function reply({ method, url, headers, body, found }) {
  boot.EYES.found = found ? python.toPy(found) : undefined;
  const { pathname, search, host, protocol } = new URL(url);
  headers.cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const given = [python.toPy({ pathname, search, host, protocol }), python.toPy(headers), python.toPy(new Uint8Array(body)).tobytes()];
  if (method === "POST" && pathname === `${BASE.pathname}copy`) await upgradable(); // they may be older
  const result = boot.answer(app, method, ...given);
  const [status, heads, content] = result.toJs();
  for (const each of [result, ...given]) each.destroy?.();
  const cookies = heads.filter(([name]) => name.toLowerCase() === "set-cookie");
  for (const [, cookie] of cookies) keep(cookie);
  try {
    if (method !== "GET" || cookies.length) await synced(); // nothing is shown before it is kept
  } catch (fault) {
    console.error(fault);
    return { ...text(507, ""), full: true };
  }
  return { status, headers: heads.filter(([name]) => !/^(set-cookie|content-length)$/i.test(name)), content: new Uint8Array(content) };
}

function keep(cookie) {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
  if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
  else jar.set(name, value);
  python.FS.writeFile(JAR, JSON.stringify([...jar]));
}
