/** The worker that all pages of a browser share: one stream for them all.
 *
 *  A browser opens no more than six connections to a server (HTTP/1.1). With a stream each, the
 *  seventh page would wait for ever.
 */

import { SILENCE, openStream } from "./stream.js";

const FORGET = 15000; // ms after which a page that says nothing is gone; it calls every 2 s

/** @type {Map<MessagePort, {match: string, at: number}>} */
const pages = new Map();
/** @type {Map<string, number>} the newest step of each match */
const newest = new Map();
let following = "";
let end = () => {};
let heard = 0;

addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data: { match } }) => {
    const greeted = pages.has(port);
    if (match) pages.set(port, { match, at: Date.now() });
    else pages.delete(port);
    arrange();
    if (match && !greeted) greet(port, match);
  };
});
setInterval(() => {
  for (const [port, { at }] of pages) if (Date.now() - at > FORGET) pages.delete(port);
  arrange();
}, FORGET);

/** Follow the matches of the pages that are open, in one stream. */
function arrange() {
  const matches = [...new Set([...pages.values()].map(({ match }) => match))].sort();
  if (String(matches) === following) return;
  following = String(matches);
  end();
  end = () => {};
  heard = 0;
  newest.clear();
  if (!matches.length) return;
  end = openStream(matches, {
    alive: () => {
      heard = Date.now();
      post(() => true, { alive: true });
    },
    changed: (match, seq) => {
      if (seq !== null) newest.set(match, seq);
      post((one) => one === match, { seq });
    },
    phones: (match, kind) => post((one) => one === match, { phones: kind }),
    gone: () => post(() => true, { gone: true }),
  });
}

/** Tell a page that came later what the stream has told already.
 *  @param {MessagePort} port @param {string} match */
function greet(port, match) {
  if (Date.now() - heard > SILENCE) return;
  port.postMessage({ alive: true });
  if (newest.has(match)) port.postMessage({ seq: newest.get(match) });
}

/** @param {(match: string) => boolean} wanted @param {object} message */
function post(wanted, message) {
  for (const [port, { match }] of pages) if (wanted(match)) port.postMessage(message);
}
