/** The pages beside a match that store something: a step is taken back, put back, corrected, or noted on. */

import { byId } from "./dom.js";
import { listen, tell } from "./forms.js";
import { at } from "./root.js";
import { sendWaiting } from "./steps.js";

const AGAIN = 3000; // ms until the server is asked again, where a step waits for it

const { match } = byId("main").dataset;
const go = (then) => location.assign(then);

/** Send what waits, and go to the match when it was stored. */
async function again() {
  try {
    if (await sendWaiting(match)) return go(at(`/m/${match}`));
  } catch (fault) {
    tell(byId("main"), fault);
  }
  setTimeout(again, AGAIN);
}

listen(match, go);
addEventListener("online", again);
again();
