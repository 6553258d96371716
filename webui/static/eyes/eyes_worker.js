/** The eyes of this browser, in a thread of their own: bitmaps in, faces out. */

import { openNetworks } from "./networks.js";
import { reader } from "./reader.js";

/** @type {ReturnType<typeof reader> | null} */
let read = null;

addEventListener("message", async ({ data: { id, files, bitmap, options } }) => {
  try {
    if (files) {
      const { networks, constants } = await openNetworks(files);
      read = reader(networks, constants);
    }
    const began = performance.now();
    const answer = bitmap && read ? await read(bitmap, options) : {};
    postMessage({ id, ...answer, ms: performance.now() - began });
  } catch (fault) {
    postMessage({ id, fault: String(fault) });
  } finally {
    bitmap?.close();
  }
});
