/** A photo on its way: chosen, dropped or pasted; turned upright and shrunk before it is sent. */

import { _ } from "../page/words.js";

// px of the longer side that are sent, of loose dice and of what is printed or laid close; `make bench-sending` reads
// photos of dice and dominoes alike at both.
const LONG_SIDE = { pool: 1600, board: 1920 };
const LIMIT = 40e6; // bytes, the server's own limit
/** @type {[string, number][]} */
const KINDS = [["image/webp", 0.75], ["image/jpeg", 0.8]]; // the first that this browser can write, and its quality

/** Return an upright photo of a surface of this kind (draft.js) small enough to send, or the file itself where the
 *  browser cannot decode it (HEIC on a desktop): the server reads more kinds, and says what is wrong if not.
 *  @param {File | HTMLCanvasElement} picture a file, or a canvas with all that a camera shows @param {string} kind
 *  @param {(canvas: HTMLCanvasElement) => void} drawn hears of it as soon as it can be looked at, before it is compressed */
export async function shrink(picture, kind, drawn) {
  const file = picture instanceof HTMLCanvasElement ? null : picture;
  if (file?.size === 0) throw new Error(_("This picture is empty. Take it again or choose another one."));
  const bitmap = await createImageBitmap(picture, { imageOrientation: "from-image" }).catch(() => null);
  if (!bitmap) return checked(/** @type {File} */ (picture));
  const longest = kind === "pool" ? LONG_SIDE.pool : LONG_SIDE.board;
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  drawn(canvas);
  if (scale === 1 && file?.type === "image/jpeg" && file.size < LIMIT) return file;
  return checked((await compressed(canvas)) ?? /** @type {File} */ (picture));
}

/** Return a part of a canvas, from left and top to right and bottom, as a photo is sent; null where none can be written.
 *  @param {HTMLCanvasElement} canvas @param {number[]} box */
export function cropped(canvas, [left, top, right, bottom]) {
  const part = document.createElement("canvas");
  [part.width, part.height] = [right - left, bottom - top];
  part.getContext("2d")?.drawImage(canvas, -left, -top);
  return compressed(part);
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob | null>} */
async function compressed(canvas) {
  for (const [type, quality] of KINDS) {
    /** @type {Blob | null} */
    const blob = await new Promise((done) => { canvas.toBlob(done, type, quality); });
    if (blob?.type === type) return blob;
  }
  return null;
}

/** @param {Blob} file */
function checked(file) {
  if (file.size > LIMIT)
    throw new Error(_("This picture is larger than 40 MB. Choose a smaller one or take it again."));
  return file;
}

/** Call `take` with every picture that is chosen, dropped on the page or pasted, and with one that
 *  was chosen before the scripts were there.
 *  @param {HTMLInputElement[]} inputs @param {(file: File) => void} take */
export function watch(inputs, take) {
  const given = (/** @type {HTMLInputElement} */ input) => {
    const [file] = input.files ?? [];
    if (file) take(file);
    input.value = ""; // so that the same file can be chosen again
  };
  for (const input of inputs) {
    input.addEventListener("change", () => given(input));
    given(input);
  }
  const mark = (/** @type {boolean} */ on) => document.body.classList.toggle("drop", on);
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
  addEventListener("drop", (event) => {
    mark(false);
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  addEventListener("paste", (event) => {
    const [file] = event.clipboardData?.files ?? [];
    if (file) take(file);
  });
}
