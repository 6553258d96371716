/** The eyes of this browser as a function: loaded once, after the first paint, where a browser can. */

const HOME = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)|\.(local|lan|home|internal)$|^[^.]+$/; // names of home networks

/** Say whether this browser can, and its owner would want it to. */
export function possible() {
  const { deviceMemory = 4, connection } = navigator;
  return typeof WebAssembly === "object" && typeof OffscreenCanvas === "function" && hasSimd() && deviceMemory >= 2 && !connection?.saveData;
}

/** Say whether WebAssembly has vectors, by a module of one function with one (i8x16.splat). */
function hasSimd() {
  return WebAssembly.validate(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11),
  );
}

/** Whether this phone is on a network of which no byte is paid for: as the browser says, else by where the server is. */
export function onWifi() {
  const type = navigator.connection?.type ?? "unknown";
  return type === "unknown" ? HOME.test(location.hostname) : ["wifi", "ethernet"].includes(type);
}

/** Have the files at hand that show pieces while one aims; the browser keeps them for good. `progress` hears how many bytes are here.
 *  @param {EyesFiles} files @param {(here: number) => void} progress */
export async function download({ pairs: _, kinds: __, edges: ___, ...files }, progress) {
  let here = 0;
  for (const address of Object.values(files)) {
    const reader = /** @type {ReadableStream<Uint8Array>} */ ((await fetch(address)).body).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) progress((here += part.value.length));
  }
}

/** @typedef {{read: (bitmap: ImageBitmap, options: Wanted) => Promise<Sight>, close: () => void}} Eyes */

/** Return what reads bitmaps, or null where nothing can; what it is given is closed.
 *  @param {EyesFiles} files addresses of the worker, the runtime, the networks and the constants
 *  @returns {Promise<Eyes | null>} */
export async function openEyes({ worker: script, ...files }) {
  if (!possible()) return null;
  /** @type {Worker} */
  let worker;
  /** @type {Map<number, {done: (answer: any) => void, failed: (why: Error) => void}>} */
  const asked = new Map();
  let next = 0;
  const ask = (/** @type {object} */ message, /** @type {Transferable[]} */ moved = []) =>
    /** @type {Promise<any>} */ (new Promise((done, failed) => {
      const id = next++;
      asked.set(id, { done, failed });
      worker.postMessage({ id, ...message }, moved);
    }));
  const end = () => {
    worker?.terminate();
    for (const { failed } of asked.values()) failed(new Error("closed"));
    asked.clear();
  };
  try {
    worker = new Worker(script, { type: "module" });
    worker.onmessage = ({ data: { id, fault, ...answer } }) => {
      const waiter = asked.get(id);
      asked.delete(id);
      if (fault) waiter?.failed(new Error(fault));
      else waiter?.done(answer);
    };
    worker.onerror = end;
    const absolute = Object.fromEntries(Object.entries(files).map(([name, address]) => [name, new URL(address, location.href).href]));
    await ask({ files: absolute });
  } catch {
    end();
    return null;
  }
  return { read: (bitmap, options) => ask({ bitmap, options }, [bitmap]), close: end };
}
