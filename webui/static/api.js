/** Calls to the JSON interface. Whatever goes wrong arrives as a Refusal with a sentence to show. */

const OFFLINE = "The server cannot be reached. Is this phone still on the table's Wi-Fi?";

export class Refusal extends Error {
  constructor(kind, sentence) {
    super(sentence);
    this.kind = kind;
  }
}

/** Return the JSON answer of a GET, or of a POST where there is something to send. */
export async function call(path, sent, signal) {
  const options = sent && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(sent),
  };
  let response, text;
  try {
    response = await fetch(path, { ...options, signal });
    text = await response.text();
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Refusal("Offline", OFFLINE);
  }
  return answer(response.ok, response.status, text);
}

/** Send a photo; `progress` hears the share sent, 0 to 1 (fetch cannot tell, so XMLHttpRequest). */
export function sendPhoto(path, photo, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress(event.loaded / event.total);
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

function answer(ok, status, text) {
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    ok = false; // a proxy's page, say
  }
  if (ok) return body;
  const error = body?.error;
  throw new Refusal(
    error?.kind ?? "Broken",
    error?.sentence ?? `The server answered ${status} and did not say why. Try again in a moment.`,
  );
}

/** Return an id for one confirm, so that sending it twice stores it once.
 *  crypto.randomUUID is missing on http addresses of a home network; getRandomValues is not. */
export function newRequest() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
