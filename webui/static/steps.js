/** Steps on their way to the server. One that has no answer waits in this browser, over a reload too, and is sent
 *  again when the server is there: its `request` makes it count once.
 */

import { Refusal, call } from "./api.js";
import { byId } from "./dom.js";
import { steps } from "./waiting.js";
import { _ } from "./words.js";

const EARLIER = _("An earlier step is still waiting for the network. It is sent first.");

let waiting = null; // the step without an answer, {sent, says}
let flying = false; // a step is on its way

/** Store a step of a match and return the new view of it; `says` tells a person which one it is. */
export async function play(match, sent, says) {
  if (waiting && waiting.sent.request !== sent.request) throw new Refusal("Offline", EARLIER);
  steps.keep(match, { sent, says });
  flying = true;
  try {
    const view = await call(`/api/matches/${match}/moves`, sent);
    settle(match);
    return view;
  } catch (fault) {
    if (fault.kind === "Offline") show({ sent, says });
    else settle(match);
    throw fault;
  } finally {
    flying = false;
  }
}

/** Send again what waits. Return the new view, or null where nothing waits or the server is not reached; raise
 *  what the server says against it, after which it waits no more. */
export async function sendWaiting(match) {
  const step = waiting ?? (await steps.kept(match));
  if (!step || flying) return null;
  show(step);
  try {
    return await play(match, step.sent, step.says);
  } catch (fault) {
    if (fault.kind === "Offline") return null;
    fault.message = _("“{step}” was not counted. {why}", { step: step.says, why: fault.message });
    throw fault;
  }
}

function settle(match) {
  steps.forget(match);
  show(null);
}

/** Tell on the page which step waits. */
function show(step) {
  waiting = step;
  byId("waiting").hidden = !step;
  byId("waiting-says").textContent = step?.says ?? "";
}
