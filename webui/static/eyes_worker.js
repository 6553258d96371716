/** The eyes of this browser, in a thread of their own: bitmaps in, faces out. */

import { reader } from "./eyes_reader.js";

let read = null;

/** Load the runtime and the networks. */
async function start({ runtime, binary, detector, classifier, constants }) {
  const ort = await import(runtime);
  ort.env.wasm.wasmPaths = { wasm: binary };
  ort.env.wasm.numThreads = 1; // more need headers that plain http does not allow
  const settings = await (await fetch(constants)).json();
  const [faces, kinds] = await Promise.all([detector, classifier].map((address) => ort.InferenceSession.create(address, { executionProviders: ["wasm"] })));
  const tensor = (data, ...shape) => ({ picture: new ort.Tensor("float32", data, shape) });
  const networks = {
    async detector(data, wide, high) {
      const { logits } = await faces.run(tensor(data, 1, 3, high, wide));
      return { data: logits.data, rows: logits.dims[2], columns: logits.dims[3] };
    },
    async classifier(data, count) {
      const { logits } = await kinds.run(tensor(data, count, 3, settings.side, settings.side));
      const width = logits.dims[1];
      return Array.from({ length: count }, (_, i) => logits.data.slice(i * width, (i + 1) * width));
    },
  };
  read = reader(networks, settings);
}

addEventListener("message", async ({ data: { id, files, bitmap, options } }) => {
  try {
    if (files) await start(files);
    const began = performance.now();
    const answer = bitmap ? await read(bitmap, options) : {};
    postMessage({ id, ...answer, ms: performance.now() - began });
  } catch (fault) {
    postMessage({ id, fault: String(fault) });
  } finally {
    bitmap?.close();
  }
});
