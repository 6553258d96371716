/** Save what a link downloads: browsers ask the network for it, not the service worker. */

const NAMED = /filename="?([^";]+)/;
const KEPT = 60_000; // ms that a browser may take to write the file

/** @param {HTMLAnchorElement} link */
export async function save({ href, download }) {
  const answer = await fetch(href);
  const [, name] = NAMED.exec(answer.headers.get("content-disposition") ?? "") ?? [null, download];
  const file = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await answer.blob()), download: name });
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), KEPT);
}
