/** Whole photos that follow the parts which the server has read: one after the other, when nobody waits for anything. */

import { Refusal, sendPhoto } from "./api.js";
import { settled } from "./jobs.js";
import { at } from "./root.js";
import { wholes } from "./waiting.js";

const FINAL = ["Unreadable", "NotAllowed"]; // it would be refused again
const KEPT = 24 * 3600e3; // ms that one is kept which the server does not take
let busy = false;

/** Send those that wait in this browser; the others follow the next time where the server is away. */
export async function sendWholes() {
  if (busy) return;
  busy = true;
  try {
    for (const sighting of (await wholes.keys()) ?? []) await follow(sighting);
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault; // else the server is away, or has too much to do
  } finally {
    busy = false;
  }
}

/** @param {string} sighting */
async function follow(sighting) {
  const kept = await wholes.kept(sighting);
  if (!kept) return; // another page has sent it
  const { match, photo, since } = kept;
  const path = at(`/api/matches/${match}`);
  const silent = () => {};
  try {
    await settled(path, await sendPhoto(`${path}/sightings/${sighting}/photo`, photo, silent), silent);
  } catch (fault) {
    if (!FINAL.includes(fault.kind) && Date.now() - since < KEPT) throw fault;
  }
  await wholes.forget(sighting);
}
