/** Steps on their way to the server. One that has no answer waits in this browser, over a reload too, and is sent
 *  again when the server is there: its `request` makes it count once.
 */

import { Refusal, call, fragment } from "./api.js";
import { byId } from "./dom.js";
import { at } from "./root.js";
import { steps } from "./waiting.js";
import { _ } from "./words.js";

export const EARLIER = _("An earlier step is still waiting for the network. It is sent first.");

let waiting = null; // the step without an answer, {sent, says, kind}
let flying = false; // a step is on its way

/** Store a step of a match and return the new view of it; `says` tells a person which one it is. Its `kind` is the
 *  last word of its address, "moves" or "undo", or the address of a form. */
export async function play(match, sent, says, kind = "moves") {
  if (waiting && waiting.sent.request !== sent.request) throw new Refusal("Offline", EARLIER);
  steps.keep(match, { sent, says, kind });
  flying = true;
  try {
    const view = await send(match, sent, kind);
    settle(match);
    return view;
  } catch (fault) {
    if (fault.kind === "Offline") show({ sent, says, kind });
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
    return await play(match, step.sent, step.says, step.kind);
  } catch (fault) {
    if (fault.kind === "Offline") return null;
    fault.message = _("“{step}” was not counted. {why}", { step: step.says, why: fault.message });
    throw fault;
  }
}

/** Of a form nothing is answered but that it was stored. */
async function send(match, sent, kind) {
  if (!kind.startsWith("/")) return call(at(`/api/matches/${match}/${kind}`), sent);
  const form = new FormData();
  for (const [name, value] of Object.entries(sent)) form.append(name, value);
  await fragment(kind, form);
  return { seq: null };
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
