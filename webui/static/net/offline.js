/** Pages without the network, where browsers allow it: on secure pages alone. */

import { ROOT, at } from "./root.js";

const PAGES = `pages${ROOT}`; // of service_worker.js

/** Say whether this page was shown from what the browser kept of it. */
export const offline = () => document.documentElement.hasAttribute("data-offline");

/** Let the browser keep pages. One that does not trust the server's certificate yet keeps none: the page says so. */
export function keepPages() {
  navigator.serviceWorker?.register(at("/service_worker.js")).catch(({ name }) => {
    const says = document.getElementById("untrusted");
    if (says && name === "SecurityError" && location.protocol === "https:") says.hidden = false;
  });
}

/** Keep the newest text of a part of a page, beside the page as it was loaded.
 *  @param {string} path @param {string} text */
export async function keepPart(path, text) {
  if (navigator.serviceWorker?.controller) await (await caches.open(PAGES)).put(path, new Response(text));
}

/** Return the text of a part that was kept, or null.
 *  @param {string} path */
export async function keptPart(path) {
  return (await globalThis.caches?.match(path))?.text() ?? null;
}

/** Keep nothing of a match any more.
 *  @param {string} match */
export async function forget(match) {
  const pages = await globalThis.caches?.open(PAGES);
  for (const path of [at(`/m/${match}`), at(`/m/${match}/tally`)]) await pages?.delete(path);
}
