/** Follows a match: a stream of step numbers, and a look every few seconds where none comes. */

import { SILENCE, openStream } from "./stream.js";

const POLL = 3000; // ms
const HERE = 2000; // ms between two calls that tell the worker that this page is still open

/** Call `hear(seq)` for each step stored, and `tell("live" | "polling" | "away" | "gone")` on changes, the last once,
 *  `phones("joined" | "roles" | "live")` when a phone has come, the host lets them do other things, or either may have
 *  been missed.
 *  `hear` returns a promise; it fails while the server cannot be reached. Return the same `hear`
 *  for steps heard of in another way: it never fails, it is tried again until it succeeds.
 *  @param {string} match @param {(seq: number | null) => Promise<void>} hear @param {(state: string) => void} tell
 *  @param {(kind: string) => void} phones */
export function follow(match, hear, tell, phones = () => {}) {
  let live = false; // the stream has shown a sign of life
  let owed = false; // a step could not be fetched; the stream does not tell it again
  let looking = false;
  let over = false; // the match was deleted: nothing is asked again
  /** @type {number | undefined} */
  let silence;
  /** @type {number | null} */
  let next = null;

  const stream = connect(match, { changed: hearAtLast, phones, alive, gone });

  function alive() {
    if (!live) phones("live"); // of what happened to phones meanwhile no stream tells
    live = true;
    clearTimeout(silence);
    silence = setTimeout(silent, SILENCE);
    if (!owed) tell("live");
  }

  function gone() {
    if (live) tell("away");
    live = false;
    clearTimeout(silence);
    lookSoon();
  }

  function silent() {
    live = false;
    tell("away");
    look();
  }

  function lookSoon() {
    next ??= setTimeout(look, POLL); // a stream that breaks off again and again does not put it off
  }

  /** Note that something could not be heard.
   *  @param {Fault} fault */
  function missed(fault) {
    if (!fault.kind) reportError(fault); // of this page, not of the network
    if (fault.kind === "Gone" && !over) {
      over = true;
      stop();
      tell("gone");
    }
    return true;
  }

  async function look() {
    if (looking || over) return;
    looking = true;
    forget();
    owed = await hear(null).then(() => false, missed);
    looking = false;
    if (document.hidden || over) return;
    if (owed) tell("away");
    else tell(live ? "live" : "polling");
    if (owed || !live) lookSoon();
  }

  function forget() {
    clearTimeout(next ?? undefined);
    next = null;
  }

  /** @param {number | null} seq */
  async function hearAtLast(seq) {
    try {
      await hear(seq);
    } catch (fault) {
      owed = missed(fault);
      if (!over) lookSoon();
    }
  }

  function start() {
    stream.open();
    clearTimeout(silence);
    silence = setTimeout(silent, SILENCE);
  }

  // A hidden page needs no stream, which saves the phone's battery. What happened meanwhile is
  // fetched on return.
  function stop() {
    live = false;
    clearTimeout(silence);
    forget();
    stream.close();
  }

  function comeBack() {
    if (over) return;
    start();
    hearAtLast(null);
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : comeBack()));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", ({ persisted }) => persisted && comeBack());
  addEventListener("online", comeBack);
  addEventListener("offline", look); // the server may be on this very machine
  start();
  return hearAtLast;
}

/** @typedef {{changed: (seq: number | null) => void, phones: (kind: string) => void, alive: () => void, gone: () => void}} Hears */

/** Return the stream that this browser's pages share, or one of this page where none can be shared:
 *  there, on phones, only the page in sight has a stream.
 *  @param {string} match @param {Hears} hears */
function connect(match, hears) {
  const own = ownStream(match, hears);
  if (typeof SharedWorker === "undefined") return own;
  let current = sharedStream(match, hears, () => {
    current.close();
    current = own; // a browser that does not take a module as a worker
    own.open();
  });
  return { open: () => current.open(), close: () => current.close() };
}

/** @param {string} match @param {Hears} hears */
function ownStream(match, { changed, phones, alive, gone }) {
  let end = () => {};
  const close = () => {
    end();
    end = () => {};
  };
  const open = () => {
    close();
    end = openStream([match], { changed: (_match, seq) => changed(seq), phones: (_match, kind) => phones(kind), alive, gone });
  };
  return { open, close };
}

/** @param {string} match @param {Hears} hears @param {() => void} fail */
function sharedStream(match, { changed, phones, alive, gone }, fail) {
  const worker = new SharedWorker(new URL("./shared_stream.js", import.meta.url), { type: "module" });
  /** @type {number | undefined} */
  let calling;
  worker.addEventListener("error", fail);
  worker.port.onmessage = ({ data }) => {
    if (data.alive) alive();
    else if (data.gone) gone();
    else if (data.phones) phones(data.phones);
    else changed(data.seq);
  };
  const call = () => worker.port.postMessage({ match });
  const close = () => {
    clearInterval(calling);
    worker.port.postMessage({});
  };
  const open = () => {
    close();
    call();
    calling = setInterval(call, HERE);
  };
  return { open, close };
}
