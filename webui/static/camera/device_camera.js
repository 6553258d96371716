/** A camera of this device: the one that was chosen, opened, and in words why there is none. */

import { Refusal } from "../net/api.js";
import { html } from "../page/dom.js";
import { _ } from "../page/words.js";

const CHOSEN = "camera"; // the name under which the chosen one is kept
const SLOW = 8000; // ms until its first picture; a person may still be asked whether this page may use it
const SILENT = 3000; // ms without a picture after which another program has taken it
const TAKES_LONG = _("The camera does not start. Allow it if the browser asks, and close other programs that use it.");
const STOPPED = _("The camera has stopped sending pictures. Plug it in or unlock it, then use it again.");
/** @type {Record<string, string>} */
const REFUSED = {
  NotAllowedError: _("This page may not use the camera. Allow it in the browser's settings of this page, and try again."),
  NotFoundError: _("This device has no camera. Open the match on one that has, or choose a picture."),
  NotReadableError: _("Another program is using the camera. Close that one, and try again."),
};

/** Open it and show it in `video`; return its stream, or null where nobody wants it any more.
 *  `now()` says whether it is still wanted, `slow` hears in words that it takes long and may come yet, `ended` that it
 *  sends no pictures any more.
 *  @param {HTMLVideoElement} video @param {MediaTrackConstraints} wanted what its pictures should be like
 *  @param {{now: () => boolean, slow: (why: string) => void, ended: (why: string) => void}} hears */
export async function openCamera(video, wanted, { now, slow, ended }) {
  const waiting = setTimeout(() => now() && slow(TAKES_LONG), SLOW);
  try {
    const stream = await lend({ facingMode: "environment", ...wanted });
    if (!now()) return release(stream);
    heedEnd(stream.getVideoTracks()[0], () => now() && ended(STOPPED));
    video.srcObject = stream;
    await video.play().catch(() => {}); // a dialog that was closed meanwhile
    return now() ? stream : release(stream);
  } catch (fault) {
    throw new Refusal("Camera", REFUSED[fault.name] ?? _("The camera could not be started. Try again."));
  } finally {
    clearTimeout(waiting);
  }
}

/** Ask the browser for the chosen camera, or for any where that one is not there.
 *  @param {MediaTrackConstraints} wanted */
async function lend(wanted) {
  const id = chosen();
  const { mediaDevices } = navigator;
  if (id) {
    try {
      return await mediaDevices.getUserMedia({ video: { ...wanted, facingMode: undefined, deviceId: { exact: id } }, audio: false });
    } catch (fault) {
      if (!["OverconstrainedError", "NotFoundError"].includes(fault.name)) throw fault;
    }
  }
  return mediaDevices.getUserMedia({ video: wanted, audio: false });
}

/** Let go of a camera; return null.
 *  @param {MediaStream | null | undefined} stream */
export function release(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
  return null;
}

/** @param {MediaStreamTrack} track @param {() => void} tell */
function heedEnd(track, tell) {
  /** @type {number | undefined} */
  let silence;
  track.addEventListener("ended", tell);
  track.addEventListener("mute", () => (silence = setTimeout(tell, SILENT))); // another program has it
  for (const back of ["unmute", "ended"]) track.addEventListener(back, () => clearTimeout(silence));
}

/** Offer the cameras there are in a label with a select; `again()` opens the one that is chosen.
 *  @param {HTMLElement} label @param {MediaStream} stream @param {() => void} again */
export async function offerCameras(label, stream, again) {
  const devices = (await navigator.mediaDevices.enumerateDevices?.().catch(() => [])) ?? [];
  const cameras = devices.filter(({ kind }) => kind === "videoinput");
  const { deviceId: used } = stream.getVideoTracks()[0].getSettings?.() ?? {};
  const option = (/** @type {MediaDeviceInfo} */ { deviceId, label: name }, /** @type {number} */ at) =>
    html("option", { value: deviceId, selected: deviceId === used }, name || _("Camera {number}", { number: at + 1 }));
  const select = /** @type {HTMLSelectElement} */ (label.querySelector("select"));
  select.replaceChildren(...cameras.map(option));
  select.onchange = () => {
    keep(select.value);
    again();
  };
  label.hidden = cameras.length < 2;
}

function chosen() {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null; // this browser keeps nothing
  }
}

/** @param {string} id */
function keep(id) {
  try {
    localStorage.setItem(CHOSEN, id);
  } catch {
    // it is asked again the next time
  }
}
