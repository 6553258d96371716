/** Holds the worker that answers (python_worker.js), and shows the app's pages in a frame. */

import { save } from "./save.js";
import { hold as holding } from "./start.js";
import { _, language, spoken } from "./words.js";

const BASE = new URL("./", import.meta.url);
const LOCK = `pipsight ${BASE.pathname}`;
const AGAIN = 10; // s until what could not be loaded is loaded again
const MB = 1e6;
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const status = /** @type {HTMLElement} */ (document.querySelector("[role=status]"));
const bar = /** @type {HTMLProgressElement} */ (document.querySelector("progress"));
const frame = document.createElement("iframe");
const FOLLOWED = "followed"; // an entry of the history whose page is in the frame
const named = () => decodeURIComponent(location.hash.slice(1)) || "/";
const place = named();
const waiting = new URL(`start.${language}.html`, BASE); // shown until Python is awake
const news = new BroadcastChannel(LOCK); // that a page, of any tab, has changed something
/** @type {Record<string, number>} */
const marks = {};
const asked = new Map();
/** @type {Worker | undefined} */
let python;
let next = 0;
let owns = false; // the matches: this tab answers
let wake = () => {};
const awake = new Promise((done) => (wake = () => done(undefined)));
const taken = new Set(); // requests, which the service worker sends again until a tab has them

const says = (/** @type {string} */ sentence) => (status.textContent = sentence);
const mark = (/** @type {string} */ name) => (marks[name] = Math.round(performance.now()));

document.documentElement.lang = language;
navigator.serviceWorker?.addEventListener("message", ({ data, ports: [port] }) => {
  if (data.loaded !== undefined) loading(data);
  else if (data.whole) python?.postMessage({ keep: true });
  else if (owns) {
    port.postMessage({ taken: true });
    if (!taken.has(data.id)) serve(data, port);
    taken.add(data.id);
  }
});
addEventListener("popstate", ({ state }) => {
  if (state === FOLLOWED) return; // the frame goes back by itself
  if (python) show(named()); // an address that was typed or pasted here
  else location.reload();
});
news.addEventListener("message", () => frame.contentWindow?.dispatchEvent(new Event("online"))); // a page looks then

if (!navigator.serviceWorker) {
  bar.remove();
  says(_("This browser keeps no pages, so Pipsight cannot run in it. Open it by https in a browser of this year, and not in a private window."));
} else navigator.locks.request(LOCK, { ifAvailable: true }, own).catch((fault) => failed(fault));

/** Begin, and keep the lock for good: two tabs would write over each other's matches.
 *  @param {Lock | null} lock */
async function own(lock) {
  if (!lock) return second();
  owns = true;
  await begin();
  return new Promise(() => {});
}

/** Show what the tab that holds the matches answers, until it is closed: then they are this tab's. */
function second() {
  bar.remove();
  says(_("Pipsight is open in another tab too, which keeps the matches. Leave that one open, or close it and go on here."));
  follow();
  document.body.append(frame);
  if (navigator.serviceWorker.controller) show(place); // else the first tab still loads the build
  return navigator.locks.request(LOCK, () => location.reload());
}

async function begin() {
  follow();
  const handed = place === "/" ? shown() : null; // on what was shown the person may have begun
  document.body.append(frame);
  await loaded();
  mark("loaded");
  says(_("Waking up …"));
  bar.removeAttribute("value");
  python = new Worker(new URL("python_worker.js", BASE), { type: "module" });
  python.onmessage = ({ data: { id, ...answer } }) => {
    asked.get(id)(answer);
    asked.delete(id);
  };
  const begun = ask({ start: true });
  wake(); // what other tabs have asked for comes after it
  const { times, fault } = await begun;
  if (fault) throw new Error(fault);
  Object.assign(marks, times);
  await (handed ? (await handed)((/** @type {string} */ query) => show(`/${query}`)) : show(place));
}

/** Show the start page as it was built; answers what hands it over to the app. */
function shown() {
  mark("static");
  return new Promise((done) => {
    frame.addEventListener("load", () => done(holding(/** @type {Document} */ (frame.contentDocument), () => says(_("Waking up … then this is done.")))), { once: true });
    frame.src = waiting.href;
  });
}

/** Return when the build is here, all of it. What is half loaded is loaded again. */
async function loaded() {
  for (;;) {
    try {
      await registered();
      break;
    } catch (fault) {
      if (fault.name === "SecurityError") throw fault;
      console.warn(fault);
      says(_("Not all of Pipsight could be loaded. The rest is loaded in {seconds} seconds.", { seconds: AGAIN }));
      await new Promise((done) => setTimeout(done, AGAIN * 1000));
    }
  }
  const { serviceWorker } = navigator; // below a Pipsight server its worker may still be in charge
  while (!serviceWorker.controller?.scriptURL.startsWith(BASE.href)) await new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
}

async function registered() {
  const { installing, waiting: ready, active } = await navigator.serviceWorker.register(new URL("service_worker.js", BASE), { scope: BASE.pathname, updateViaCache: "none" });
  const worker = installing ?? ready ?? active;
  const broken = new Promise((_done, fail) => {
    const look = () => (worker?.state ?? "redundant") === "redundant" && fail(new Error("redundant"));
    worker?.addEventListener("statechange", look);
    look(); // it may have failed before anybody listened
  });
  await Promise.race([navigator.serviceWorker.ready, broken]);
}

/** @param {{ loaded: number, of: number }} done */
function loading({ loaded: there, of }) {
  if (python) return; // a new version, for the next start
  Object.assign(bar, { max: of, value: there });
  says(_("Loading Pipsight: {loaded} of {all} MB. The next start needs no network.", { loaded: Math.round(there / MB), all: Math.round(of / MB) }));
}

/** @param {Error} fault */
function failed(fault) {
  console.error(fault);
  bar.remove();
  says(_("Pipsight could not start: {why}", { why: fault.message }));
  const again = /** @type {HTMLElement} */ (document.querySelector("main button"));
  Object.assign(again, { hidden: false, textContent: _("Load this page again"), onclick: () => location.reload() });
}

/** Show a page of the app. @param {string} path */
const show = (path) => frame.contentWindow?.location.replace(new URL(`.${path}`, BASE));

/** Follow the pages of the app in the frame: their title, address and language are this page's. */
function follow() {
  frame.addEventListener("load", () => {
    const page = /** @type {Document} */ (frame.contentDocument);
    const { title, location: at, documentElement } = page;
    if (at.pathname === waiting.pathname || at.protocol === "about:") return;
    page.addEventListener("click", (event) => {
      const link = /** @type {HTMLAnchorElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("a[download]"));
      if (!link?.href.startsWith(BASE.href)) return; // a picture that the page has made
      event.preventDefault();
      save(link);
    });
    document.title = title;
    spoken(documentElement.lang);
    history.replaceState(FOLLOWED, "", `#${at.pathname.slice(BASE.pathname.length - 1)}${at.search}`);
    if (!marks.shown) first();
    document.documentElement.dataset.ready = JSON.stringify(marks);
  });
}

function first() {
  mark("shown");
  if (!python) return;
  main.remove();
  navigator.storage?.persist?.();
  navigator.serviceWorker.controller?.postMessage("later"); // so that the first photo needs no network
}

/** Ask the worker; the answer is {status, headers, content}.
 *  @param {Record<string, any>} message @param {Transferable[]} [moved] @returns {Promise<any>} */
function ask(message, moved = []) {
  return new Promise((done) => {
    asked.set(next, done);
    python?.postMessage({ id: next++, ...message }, moved);
  });
}

/** Answer a request that the service worker has from a page.
 *  @param {{ method: string, url: string, body: ArrayBuffer, headers: Record<string, string> }} request @param {MessagePort} port */
async function serve(request, port) {
  await awake;
  const photo = request.method === "POST" && /\/photos(\?|$)/.test(request.url) ? await look(request) : null;
  const { jpeg: body = request.body, ...found } = photo ?? {};
  const headers = photo ? { ...request.headers, "content-type": "image/jpeg" } : request.headers;
  const { method, url } = request;
  const answer = await ask({ method, url, headers, body, found: photo && found }, [body]);
  if (answer.full) Object.assign(answer, full(request.url));
  const restored = request.url === `${BASE.href}copy` && answer.status === 303;
  if (restored) return restart();
  port.postMessage(answer, [answer.content.buffer]);
  if (request.method !== "GET" && !answer.full) news.postMessage(request.url);
}

/** The answer where a step could not be kept: as the interface refuses for its scripts, else the sentence alone.
 *  @param {string} url */
function full(url) {
  const sentence = _("The storage of this phone is full: delete photos or old matches. What you did last is not kept until there is room.");
  const [type, says] = url.includes("/api/") ? ["application/json", JSON.stringify({ error: { kind: "Full", sentence } })] : ["text/plain; charset=utf-8", sentence];
  return { headers: [["content-type", type]], content: new TextEncoder().encode(says) };
}

/** Read a photo with this browser's eyes before the rules are asked; null if it cannot.
 *  @param {{ url: string, body: ArrayBuffer, headers: Record<string, string> }} request @returns {Promise<any>} */
async function look({ url, body, headers }) {
  try {
    const { see } = await import("./look.js");
    return await see(new Blob([await photoIn(body, headers)]), { halves: await showsTiles(url) });
  } catch (fault) {
    console.warn(fault);
    return null;
  }
}

/** Say whether dominoes lie on the photos of a match.
 *  @param {string} url to which they are sent */
async function showsTiles(url) {
  const { content } = await ask({ method: "GET", url: url.replace(/\/photos.*/, ""), headers: {}, body: new ArrayBuffer(0) });
  return JSON.parse(new TextDecoder().decode(content)).equipment?.tiles;
}

/** @param {ArrayBuffer} body @param {Record<string, string>} headers @returns {Promise<any>} */
async function photoIn(body, headers) {
  if (!headers["content-type"]?.startsWith("multipart/")) return body.slice(0);
  return (await new Response(body.slice(0), { headers }).formData()).get("photo");
}

/** Restart with other matches. */
function restart() {
  history.replaceState(null, "", BASE);
  location.reload();
}
