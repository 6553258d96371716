/** Calls to the JSON interface. Whatever goes wrong arrives as a Refusal with a sentence to show. */

import { _, upper } from "../page/words.js";

export const OFFLINE = _("The server cannot be reached. Is this phone still on the table's Wi-Fi?");
const OLD = _("This page is of an older version of the server. Load it again; what was entered stays.");
const SLOW = _("The server has not answered yet.");
const KEPT = _("This step is kept on this phone and goes out by itself once the server answers; it counts only once.");
const ANSWER = 8000; // ms that an answer may take
const SPOKEN = { "Accept-Language": document.documentElement.lang }; // answers stand beside the page's own words

export class Refusal extends Error {
  /** @param {string} kind @param {string} sentence @param {string} [rule] */
  constructor(kind, sentence, rule) {
    super(sentence);
    this.kind = kind;
    this.rule = rule; // its id, where one forbids it
  }
}

/** Return the signal that ends a fetch when `limit` ms are over, or when `signal` says so.
 *  @param {number} limit @param {AbortSignal} [signal] */
function within(limit, signal) {
  const ending = new AbortController();
  setTimeout(() => ending.abort(new DOMException(SLOW, "TimeoutError")), limit);
  signal?.addEventListener("abort", () => ending.abort(signal.reason));
  return ending.signal;
}

/** Return the JSON answer of a GET, or of a POST where there is something to send, a form too. What has a
 *  `request` may be sent again as it is: the server stores it once.
 *  @param {string} path @param {FormData | Record<string, any> | null} [sent] @param {AbortSignal} [signal]
 *  @returns {Promise<any>} */
export async function call(path, sent, signal, limit = ANSWER) {
  const form = sent instanceof FormData;
  const headers = { ...SPOKEN, Accept: "application/json", ...(sent && !form && { "Content-Type": "application/json" }) };
  const options = { headers, ...(sent && { method: "POST", body: form ? sent : JSON.stringify(sent) }) };
  let response, text;
  try {
    response = await fetch(path, { ...options, signal: within(limit, signal) });
    text = await response.text();
  } catch (fault) {
    if (signal?.aborted) throw fault;
    throw (form ? sent.has("request") : sent?.request) ? new Refusal("Offline", KEPT) : lost(fault);
  }
  return answer(response.ok, response.status, text);
}

/** Send a frame of a camera, or none where the path says all; return the JSON answer.
 *  @param {string} path @param {Blob | string} jpeg @returns {Promise<any>} */
export async function sendFrame(path, jpeg = "") {
  let response, text;
  try {
    response = await fetch(path, { method: "POST", headers: { ...SPOKEN, "Content-Type": "image/jpeg" }, body: jpeg, signal: within(ANSWER) });
    text = await response.text();
  } catch (fault) {
    throw lost(fault);
  }
  return answer(response.ok, response.status, text);
}

/** Return a part of a page; what a `form` holds is sent for it.
 *  @param {string} path @param {FormData} [form] */
export async function fragment(path, form) {
  let response, text;
  try {
    response = await fetch(path, { ...(form && { method: "POST", body: form }), headers: SPOKEN, signal: within(ANSWER) });
    text = await response.text();
  } catch (fault) {
    throw lost(fault);
  }
  if (response.ok) return text;
  if (response.status === 404 || response.status === 410) throw new Refusal("Gone", _("There is nothing at this address. Check the link."));
  throw new Refusal("Broken", noticeOf(text) ?? _("The server's answer could not be read. Reload the page."));
}

/** Return what a page that refuses says, or null.
 *  @param {string} text */
const noticeOf = (text) => new DOMParser().parseFromString(text, "text/html").querySelector(".note[role=alert]")?.textContent;

/** Return what to say of a request that had no answer.
 *  @param {Error} fault */
export const lost = (fault) => new Refusal("Offline", fault.name === "TimeoutError" ? SLOW : OFFLINE);

/** Return the script `file`, which is fetched only now: an upgraded server has those of an older page no more.
 *  @template T @param {string} file @param {() => Promise<T>} load @returns {Promise<T>} */
export async function later(file, load) {
  try {
    return await load();
  } catch (fault) {
    const answer = await fetch(new URL(file, import.meta.url)).catch(() => null);
    throw answer?.status === 404 ? new Refusal("Old", OLD) : lost(/** @type {Error} */ (fault));
  }
}

/** Show on `button` that `work()` is on its way; what it said before comes back afterwards.
 *  @template T @param {HTMLElement} button @param {() => Promise<T>} work */
export async function sending(button, work) {
  const was = [...button.childNodes];
  const says = document.createTextNode(_("Sending …"));
  button.replaceChildren(says);
  button.setAttribute("aria-disabled", "true");
  try {
    return await work();
  } finally {
    if (says.isConnected && says.data === _("Sending …")) button.replaceChildren(...was); // else the page has moved on, and the button with it
    button.removeAttribute("aria-disabled");
  }
}

const TELLS = 50e3; // bytes from which a photo tells how fast the network is, and not how far the server
let pace = (navigator.connection?.downlink ?? Infinity) * 125; // bytes a ms; of the last large photo as soon as there is one

/** Return the ms in which so many bytes are likely sent.
 *  @param {number} size */
export const expected = (size) => size / pace;

/** Send a photo; `progress` hears the share sent, 0 to 1 (fetch cannot tell, so XMLHttpRequest).
 *  @param {string} path @param {Blob} photo @param {(share: number) => void} progress @returns {Promise<any>} */
export function sendPhoto(path, photo, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Accept-Language", SPOKEN["Accept-Language"]);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress(event.loaded / event.total);
    });
    const began = performance.now();
    request.upload.addEventListener("load", ({ loaded }) => {
      if (loaded >= TELLS) pace = loaded / Math.max(performance.now() - began, 1);
    });
    request.addEventListener("error", () => reject(new Refusal("Offline", OFFLINE)));
    request.addEventListener("timeout", () => reject(new Refusal("Offline", OFFLINE)));
    request.addEventListener("load", () => {
      try {
        const ok = request.status >= 200 && request.status < 300;
        resolve(answer(ok, request.status, request.responseText));
      } catch (fault) {
        reject(fault);
      }
    });
    request.timeout = 60000;
    const form = new FormData();
    form.append("photo", photo, "photo.jpg");
    request.send(form);
  });
}

/** @param {boolean} ok @param {number} status @param {string} text */
function answer(ok, status, text) {
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    ok = false; // a proxy's page, say
  }
  if (ok) return body;
  const error = body?.error;
  const why = error?.sentence ?? _("The server answered {status} and did not say why. Try again in a moment.", { status });
  throw new Refusal(error?.kind ?? "Broken", upper(why) + (/[.!?]$/.test(why) ? "" : "."), error?.rule);
}

/** Return a form with these fields.
 *  @param {Record<string, any>} fields */
export function formOf(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Return an id for one confirm, so that sending it twice stores it once.
 *  crypto.randomUUID is missing on http addresses of a home network; getRandomValues is not. */
export function newRequest() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
