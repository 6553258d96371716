/** Holds the worker that answers (python_worker.js), and shows the app's pages in a frame. */

const BASE = new URL("./", import.meta.url);
const LOCK = `pipsight ${BASE.pathname}`;
const status = document.querySelector("[role=status]");
const bar = document.querySelector("progress");
const marks = {};
const asked = new Map();
let python, next = 0;

const says = (sentence) => (status.textContent = sentence);
const mark = (name) => (marks[name] = Math.round(performance.now()));

navigator.serviceWorker?.addEventListener("message", ({ data, ports: [port] }) => {
  if (data.loaded !== undefined) loading(data);
  else if (python) serve(data, port);
});

if (!navigator.serviceWorker) says("This browser keeps no pages, so Pipsight cannot run in it. Open it by https in a browser of this year, and not in a private window.");
else navigator.locks.request(LOCK, { ifAvailable: true }, hold).catch((fault) => says(`Pipsight could not start: ${fault.message} Load this page again.`));

/** Begin, and keep the lock for good: two tabs would write over each other's matches. */
async function hold(lock) {
  if (!lock) return second();
  await begin();
  return new Promise(() => {});
}

/** Wait until the tab that holds the matches is closed. */
function second() {
  bar.remove();
  says("Pipsight is open in another tab of this browser. Go on there; when you close it, Pipsight opens here.");
  return navigator.locks.request(LOCK, () => location.reload());
}

async function begin() {
  const registered = await navigator.serviceWorker.register(new URL("service_worker.js", BASE), { scope: BASE.pathname });
  const failed = new Promise((_done, fail) =>
    (registered.installing ?? registered.waiting)?.addEventListener("statechange", ({ target }) => target.state === "redundant" && fail(new Error("not all of it could be loaded."))),
  );
  await Promise.race([navigator.serviceWorker.ready, failed]);
  if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  mark("loaded");
  says("Waking up …");
  bar.removeAttribute("value");
  python = new Worker(new URL("python_worker.js", BASE), { type: "module" });
  python.onmessage = ({ data: { id, ...answer } }) => {
    asked.get(id)(answer);
    asked.delete(id);
  };
  const { times, fault } = await ask({ start: true });
  if (fault) throw new Error(fault);
  Object.assign(marks, times);
  show();
}

function loading({ loaded, of }) {
  Object.assign(bar, { max: of, value: loaded });
  says(`Loading Pipsight: ${(loaded / 1e6).toFixed(0)} of ${(of / 1e6).toFixed(0)} MB. The next start needs no network.`);
}

function show() {
  const frame = document.createElement("iframe");
  frame.src = new URL(`.${decodeURIComponent(location.hash.slice(1)) || "/"}`, BASE);
  frame.allow = "camera; fullscreen; screen-wake-lock; web-share; clipboard-write";
  frame.addEventListener("load", () => {
    const { title, location: at } = frame.contentDocument ? frame.contentWindow.document : document;
    document.title = title;
    history.replaceState(null, "", `#${at.pathname.slice(BASE.pathname.length - 1)}${at.search}`);
    mark("shown");
    document.documentElement.dataset.ready = JSON.stringify(marks);
  });
  frame.addEventListener("load", () => {
    document.querySelector("main")?.remove();
    navigator.storage?.persist?.();
    navigator.serviceWorker.controller.postMessage("later"); // so that the first photo needs no network
  }, { once: true });
  document.body.append(frame);
}

/** Ask the worker; the answer is {status, headers, content}. */
function ask(message, moved = []) {
  return new Promise((done) => {
    asked.set(next, done);
    python.postMessage({ id: next++, ...message }, moved);
  });
}

/** Answer a request that the service worker has from a page. */
async function serve(request, port) {
  const photo = request.method === "POST" && /\/photos(\?|$)/.test(request.url) ? await look(request) : null;
  const { jpeg: body = request.body, ...found } = photo ?? {};
  const headers = photo ? { ...request.headers, "content-type": "image/jpeg" } : request.headers;
  const answer = await ask({ ...request, headers, body, found: photo && found }, [body]);
  port.postMessage(answer, [answer.content.buffer]);
}

/** Read a photo with this browser's eyes before the rules are asked; null if it cannot. */
async function look({ body, headers }) {
  try {
    const { see } = await import("./look.js");
    return await see(new Blob([await photoIn(body, headers)]));
  } catch (fault) {
    console.warn(fault);
    return null;
  }
}

async function photoIn(body, headers) {
  if (!headers["content-type"]?.startsWith("multipart/")) return body.slice(0);
  return (await new Response(body.slice(0), { headers }).formData()).get("photo");
}
