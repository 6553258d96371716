/** The networks of a browser's own eyes, in the runtime that is vendored beside them. */

/** Load the runtime, the networks and the constants.
 *  @param {Omit<EyesFiles, "worker">} files addresses of each
 *  @returns {Promise<{networks: Networks, constants: EyesConstants}>} as eyes/reader.js takes them */
export async function openNetworks({ runtime, binary, detector, classifier, pairs, kinds, edges, constants: address }) {
  const ort = await import(runtime);
  ort.env.wasm.wasmPaths = { wasm: binary };
  ort.env.wasm.numThreads = 1; // more need headers that plain http does not allow
  const constants = await (await fetch(address)).json();
  const open = (/** @type {string} */ network) => ort.InferenceSession.create(network, { executionProviders: ["wasm"] });
  const [faces, values] = await Promise.all([detector, classifier].map(open));
  /** @type {Promise<any> | undefined} */
  let joins; // opened for the first dominoes
  /** @type {Promise<any> | undefined} */
  let borders; // opened for the first photo
  /** @type {Promise<Float32Array> | undefined} */
  let head; // loaded for the first photo
  const tensor = (/** @type {Float32Array} */ data, /** @type {number[]} */ ...shape) => ({ picture: new ort.Tensor("float32", data, shape) });
  const crops = (/** @type {Float32Array} */ data, /** @type {number} */ count) => tensor(data, count, 3, constants.side, constants.side);
  /** @type {Networks} */
  const networks = {
    async detector(data, wide, high) {
      const { logits } = await faces.run(tensor(data, 1, 3, high, wide));
      return { data: logits.data, rows: logits.dims[2], columns: logits.dims[3] };
    },
    async classifier(data, count) {
      return rowsOf((await values.run(crops(data, count))).logits);
    },
    async trunk(data, count) {
      const { logits, embeddings } = await values.run(crops(data, count));
      const inner = rowsOf(embeddings);
      return rowsOf(logits).map((row, i) => [...row.slice(0, constants.classes), ...inner[i]]);
    },
    async head() {
      head ??= fetch(kinds).then(async (answer) => new Float32Array(await answer.arrayBuffer()));
      return head;
    },
    async pairs(data, count) {
      joins ??= open(pairs);
      const { scores } = await (await joins).run(tensor(data, count, 3, constants.pairs.high, constants.pairs.wide));
      return Array.from(scores.data);
    },
    async edges(data, rows) {
      borders ??= open(edges);
      const { logits } = await (await borders).run(tensor(data, 1, 4, rows, constants.cut.deep));
      return logits.data;
    },
  };
  return { networks, constants };
}

/** Return the rows of a network's answer.
 *  @param {{data: Float32Array, dims: number[]}} tensor */
function rowsOf({ data, dims: [count, width] }) {
  return Array.from({ length: count }, (_, i) => data.slice(i * width, (i + 1) * width));
}
