/** What a phone keeps of the pages, to open them without the network: scripts, sheets and pictures for good, as
 *  their address has a hash of the contents; of a match the page as it was last shown, marked as such. The JSON
 *  interface and live news are never answered from here: an old score is never taken for a live one.
 *
 *  The server writes STATIC above this, the folder of the files of this version. Other programs may keep something
 *  at the same host: this one touches what is below its own ROOT.
 */

const ROOT = location.pathname.replace(/\/service_worker\.js$/, "");
const FILES = `${ROOT}/static/`; // of all versions
const PAGES = `pages${ROOT}`;
const MOST = 24; // pages and tallies; the oldest go first
const PATIENCE = 8000; // ms that a page is waited for
const PATHS = /^\/(m\/[^/]+)?$/; // pages that are worth having without the network, below ROOT
const isKept = (pathname) => pathname.startsWith(ROOT) && PATHS.test(pathname.slice(ROOT.length));

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(STATIC)) event.respondWith(file(event.request));
  else if (event.request.mode === "navigate" && isKept(pathname)) event.respondWith(page(event, pathname));
});

/** Forget the files of other versions, and keep the pages that are open already. */
async function begin() {
  for (const name of await caches.keys()) if (name.startsWith(FILES) && name !== STATIC) await caches.delete(name);
  await clients.claim();
  const open = await clients.matchAll({ type: "window" });
  await Promise.allSettled(open.map(({ url }) => visit(new URL(url).pathname)));
}

async function visit(pathname) {
  if (!isKept(pathname)) return;
  const answer = await fetch(pathname);
  const named = (await answer.clone().text()).match(/(?<=(?:href|src)=")[^"]+/g) ?? [];
  const files = named.filter((address) => address.startsWith(FILES));
  await keep(pathname, answer);
  await (await caches.open(STATIC)).addAll([...new Set(files)]);
}

async function file(request) {
  const cache = await caches.open(STATIC);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** Return a page from the server, else as it was last shown, else the fault. */
async function page(event, pathname) {
  try {
    const answer = await fetch(event.request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok && answer.type === "basic" && !answer.redirected) event.waitUntil(keep(pathname, answer.clone()));
    return answer;
  } catch (fault) {
    const known = await (await caches.open(PAGES)).match(pathname);
    if (!known) throw fault;
    return new Response((await known.text()).replace("<html ", '<html data-offline="" '), { headers: known.headers });
  }
}

async function keep(pathname, answer) {
  if (!answer.ok) return;
  const cache = await caches.open(PAGES);
  await cache.put(pathname, answer);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -MOST).map((key) => cache.delete(key)));
}
