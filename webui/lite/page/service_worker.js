/** Lets this browser be Pipsight's server: the files of the build come from the cache, and what else a page asks for
 *  is answered by the shell (shell.js), whose worker holds Python. The pages register a worker of this very name. */

const FILES = {}; // path: [bytes, integrity]; written by webui.lite.site
const BUILD = "";
const BASE = new URL("./", location.href).pathname;
const CACHE = `pipsight-lite ${BASE} `;
const LATER = /^(eyes\/|vendor\/|upgrade\.zip)/; // what nobody needs before the first photo, or new version
const AGAIN = 1000; // ms until a request that no tab has taken is sent again
const LIVE = /^(api\/(live|matches\/[^/]+\/live))$/;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("message", (event) => event.waitUntil(later()));
addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin === location.origin && pathname.startsWith(BASE)) event.respondWith(answer(event.request, pathname.slice(BASE.length)));
});

/** Load the build, all of it or nothing: a build that a host has replaced by half is refused. */
async function fill() {
  const cache = await caches.open(CACHE + BUILD);
  const wanted = Object.keys(FILES).filter((name) => !LATER.test(name));
  const of = wanted.reduce((sum, name) => sum + FILES[name][0], 0);
  let loaded = 0;
  await Promise.all(
    wanted.map(async (name) => {
      if (!(await cache.match(BASE + name))) await put(cache, name); // what was loaded before a break is here
      loaded += FILES[name][0];
      for (const client of await clients.matchAll({ includeUncontrolled: true, type: "window" })) client.postMessage({ loaded, of });
    }),
  );
  if (!registration.active) await skipWaiting(); // else with the next start: pages keep the files they began with
}

async function put(cache, name) {
  const load = (/** @type {RequestCache} */ how) => fetch(BASE + name, { cache: how, integrity: FILES[name][1] });
  const answer = await load("no-cache").catch(() => load("reload")); // a host may call a file unchanged that changed this second
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  await cache.put(BASE + name, answer);
}

async function begin() {
  for (const name of await caches.keys()) if (name.startsWith(CACHE) && name !== CACHE + BUILD) await caches.delete(name);
  await clients.claim();
}

async function later() {
  const cache = await caches.open(CACHE + BUILD);
  for (const name of Object.keys(FILES)) if (!(await cache.match(BASE + name))) await put(cache, name);
  for (const client of await clients.matchAll({ type: "window" })) client.postMessage({ whole: true });
}

async function answer(request, path) {
  const cache = await caches.open(CACHE + BUILD);
  if (request.mode === "navigate" && request.destination === "document") {
    if (path && path !== "index.html") return Response.redirect(`${BASE}#/${path}${new URL(request.url).search}`);
    return cache.match(`${BASE}index.html`);
  }
  const name = path.replace(/^static\/[^/]+\/vendor\//, "vendor/");
  if (name in FILES) {
    if (!(await cache.match(BASE + name))) await put(cache, name);
    return cache.match(BASE + name);
  }
  if (path === "cache") return new Response(CACHE + BUILD);
  if (LIVE.test(path)) return new Response(null, { status: 204 }); // no other phone plays: the page looks by itself
  if (!path.startsWith("static/")) return asked(request);
  return (await cache.match(request.url)) ?? keep(cache, request.url, await asked(request));
}

async function keep(cache, url, file) {
  if (file.ok) await cache.put(url, file.clone());
  return file;
}

/** Return what Python answers, through the tab that holds it: which tab that is changes while one closes or loads. */
async function asked(request) {
  const body = await request.arrayBuffer();
  const { method, url } = request;
  const message = { id: crypto.randomUUID(), method, url, headers: Object.fromEntries(request.headers), body };
  const { status, headers, content } = await new Promise((done) => {
    let taken = false;
    const send = async () => {
      if (taken) return;
      const shells = (await clients.matchAll({ type: "window" })).filter(({ frameType }) => frameType === "top-level");
      if (!shells.length) return done({ status: 503, content: await _("Pipsight is not open.") });
      for (const shell of shells) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => (data.taken ? (taken = true) : done(data));
        shell.postMessage(message, [port2]);
      }
      setTimeout(send, AGAIN);
    };
    send();
  });
  return new Response([204, 205, 304].includes(status) ? null : content, { status, headers });
}

/** Return a sentence in the language that this browser likes best: a worker does not know the page's. */
async function _(text) {
  const sentences = await (await caches.match(`${BASE}words.json`)).json();
  const language = navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => tag in sentences) ?? "en";
  return sentences[language][text] ?? text;
}
