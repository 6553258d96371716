/** What the server puts into its queue: ask for the place, then the answer, until it is there. */

import { Refusal, call } from "./api.js";
import { _, ngettext } from "../page/words.js";

const AGAIN = 1000; // ms between two questions
const PATIENCE = 60; // questions in a row that may stay without an answer: a minute off the Wi-Fi

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Return the answer to what was sent to the match at `path`. An answer that is a place in the queue
 *  is passed to `waits(place)`, and asked for again, also after the connection was lost.
 *  @param {string} path @param {any} answer @param {(place: number) => void} waits */
export async function settled(path, answer, waits) {
  const { job } = answer;
  for (let unheard = 0; "place" in answer; ) {
    waits(answer.place);
    await pause(AGAIN);
    try {
      answer = await call(`${path}/jobs/${job}`);
      unheard = 0;
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.kind !== "Offline" || ++unheard > PATIENCE) throw fault;
    }
  }
  return answer;
}

/** Say a place in the queue: 1 is the next, 0 is being worked on.
 *  @param {number} place @param {string} doing */
export function inWords(place, doing) {
  if (place === 0) return doing;
  if (place === 1) return _("Waiting: your photo is next …");
  return ngettext("Waiting: {n} photo before yours …", "Waiting: {n} photos before yours …", place - 1);
}
