/** A photo as this browser's own eyes see it: what the shell hands to the rules beside the photo. */

import { openEyes } from "./eyes.js";

const LONGEST = 2048; // px of a photo that is kept
const listed = await (await fetch(new URL("eyes.json", import.meta.url))).json();
/** @param {string} name */
const at = (name) => new URL(name, import.meta.url).href;
/** @param {string} name */
const of = (name) => at(`eyes/${listed[name][0]}/${name}`);
/** @type {any} */
let eyes = null; // until their files are here: without a network perhaps later

const open = () => openEyes({
  worker: at("eyes_worker.js"),
  runtime: at("vendor/onnxruntime/ort.wasm.bundle.min.mjs"),
  binary: of("ort-wasm-simd-threaded.wasm"),
  detector: of("detector.onnx"),
  classifier: of("face_classifier.onnx"),
  pairs: of("pair_classifier.onnx"),
  kinds: of("kinds.bin"),
  edges: of("edge_classifier.onnx"),
  constants: of("constants.json"),
});

/** Return {jpeg, width, height, faces, tiles, perhaps, unread, cut, ms}: the photo upright, without what else was in its file.
 *  @param {Blob} photo @param {Wanted} wanted */
export async function see(photo, wanted) {
  const begun = performance.now();
  eyes ??= await open();
  if (!eyes) throw new Error("The files of this browser's eyes are not here yet, or it cannot run them.");
  const whole = await createImageBitmap(photo);
  const scale = Math.min(1, LONGEST / Math.max(whole.width, whole.height));
  const [width, height] = [whole.width, whole.height].map((side) => Math.round(side * scale));
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(whole, 0, 0, width, height);
  const jpeg = await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 })).arrayBuffer();
  const { faces, tiles, perhaps, unread, cut } = await eyes.read(whole, { ...wanted, twice: true }); // which closes it
  const kept = (/** @type {number[][]} */ quad) => quad.map((point) => point.map((px) => px * scale));
  for (const each of [...faces, ...tiles, ...unread, ...tiles.flatMap((/** @type {ShownTile} */ { halves }) => halves)]) each.quad = kept(each.quad);
  return { jpeg, width, height, faces, tiles, perhaps: perhaps.map(kept), unread, cut, ms: performance.now() - begun };
}
