/** An event stream of some matches, opened again whenever it falls silent. Runs in a page or in the
 *  worker that a browser's pages share. */

import { at } from "./root.js";

export const SILENCE = 8000; // ms; the server sends something every 5 s (HEARTBEAT in webui/http/live.py)
const AGAIN = 3000; // ms between two tries where the browser has given up

/** Call `changed(match, seq)` for the newest step of each match, with null where it must be looked at anew,
 *  `phones(match, kind)` where one has come ("joined") or the host lets them do other things ("roles"),
 *  `alive()` for each sign of life and `gone()` when the stream breaks off. Return the function that ends it.
 *  @param {string[]} matches
 *  @param {{changed: (match: string, seq: number | null) => void, phones: (match: string, kind: string) => void,
 *    alive: () => void, gone: () => void}} hears */
export function openStream(matches, { changed, phones, alive, gone }) {
  const path = at(`/api/live?${matches.map((match) => `match=${encodeURIComponent(match)}`).join("&")}`);
  /** @type {EventSource | undefined} */
  let source;
  /** @type {number | undefined} */
  let silence;
  /** @type {number | undefined} */
  let again;

  function open() {
    end();
    source = new EventSource(path);
    source.addEventListener("open", heard);
    source.addEventListener("alive", heard);
    source.addEventListener("seq", ({ data }) => {
      heard();
      const { match, seq } = JSON.parse(data);
      changed(match, seq);
    });
    // The same players go on with another match, a watching camera asks, or the match is deleted: the tally says what.
    for (const kind of ["next", "asked", "gone"])
      source.addEventListener(kind, ({ data }) => {
        heard();
        changed(JSON.parse(data).match, null);
      });
    // A phone has come to the table, or may do something else.
    for (const kind of ["joined", "roles"])
      source.addEventListener(kind, ({ data }) => {
        heard();
        phones(JSON.parse(data).match, kind);
      });
    source.addEventListener("error", () => {
      gone();
      // Of a stream that broke off the browser opens another by itself; of one that was refused not.
      if (source?.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN);
    });
    silence = setTimeout(open, SILENCE);
  }

  function heard() {
    clearTimeout(silence);
    silence = setTimeout(open, SILENCE);
    alive();
  }

  function end() {
    clearTimeout(silence);
    clearTimeout(again);
    source?.close();
  }

  open();
  return end;
}
