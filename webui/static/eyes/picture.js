/** A picture's px, at full size and halved again and again, and what the networks take of it. */

export const LEVELS = Float32Array.from({ length: 256 }, (_, grey) => grey / 255);

/** Its levels are canvases; level k is 2 ** k times smaller, each px the mean of four. */
export class Picture {
  /** @param {ImageBitmap} source a bitmap or frame, upright; of a large one the px are `enough` at least, as the
   *  server decodes it
   *  @param {EyesConstants} constants */
  constructor(source, { enough }) {
    this.scale = 1; // px of this picture per px of the source
    let canvas = drawn(source, source.width, source.height);
    while ((canvas.width * canvas.height) / 4 >= enough) {
      canvas = halved(canvas);
      this.scale /= 2;
    }
    this.levels = [canvas];
  }

  get width() {
    return this.levels[0].width;
  }

  get height() {
    return this.levels[0].height;
  }

  /** Return the canvas of a level.
   *  @param {number} number */
  level(number) {
    while (this.levels.length <= number) this.levels.push(halved(this.levels[this.levels.length - 1]));
    return this.levels[number];
  }

  /** Return the px of a level from (x, y) on, as far as there are any.
   *  @param {number} number */
  pixels(number, x = 0, y = 0, width = Infinity, height = Infinity) {
    const canvas = this.level(number);
    const [left, top] = [Math.min(Math.max(0, x), canvas.width - 1), Math.min(Math.max(0, y), canvas.height - 1)];
    const [right, bottom] = [Math.min(x + width, canvas.width), Math.min(y + height, canvas.height)];
    const [wide, high] = [Math.max(1, right - left), Math.max(1, bottom - top)];
    return { left, top, image: penOf(canvas).getImageData(left, top, wide, high) };
  }
}

/** @param {OffscreenCanvas} canvas */
const penOf = (canvas) => /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true, alpha: false }));

/** @param {ImageBitmap | OffscreenCanvas} source @param {number} width @param {number} height @param {number[]} used */
function drawn(source, width, height, used = [source.width, source.height]) {
  const canvas = new OffscreenCanvas(width, height);
  const context = penOf(canvas);
  context.imageSmoothingQuality = "low"; // of a half as large one exactly the mean of four px
  context.drawImage(source, 0, 0, used[0], used[1], 0, 0, width, height);
  return canvas;
}

/** @param {OffscreenCanvas} canvas */
function halved(canvas) {
  const [width, height] = [Math.max(1, canvas.width >> 1), Math.max(1, canvas.height >> 1)];
  return drawn(canvas, width, height, [2 * width, 2 * height]);
}

/** Return the detector's input for a view whose longer side has so many px, perhaps mirrored: its data, (3, h, w) RGB
 *  in [0, 1], its sides, and px of the view per px of the picture.
 *  @param {Picture} picture @param {number} longest @param {EyesConstants} constants */
export function fitted(picture, longest, { multiple }, mirrored = false) {
  const scale = longest / Math.max(picture.width, picture.height);
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
  const { image } = picture.pixels(Math.max(0, Math.floor(-Math.log2(scale))));
  const [wide, high] = [width, height].map((side) => Math.ceil(side / multiple) * multiple);
  const [columns, rows] = [steps(wide, width, image.width, mirrored), steps(high, height, image.height)];
  return { data: resized(image, columns, rows), wide, high, scale };
}

/** @typedef {{low: Int32Array, high: Int32Array, share: Float32Array}} Steps */

/** Return (3, rows, columns), RGB in [0, 1], bilinear. Each frame spends most of our time here: no array is made for a px.
 *  @param {ImageData} image @param {Steps} columns @param {Steps} rows */
function resized({ data: given, width }, columns, rows) {
  const [wide, high] = [columns.low.length, rows.low.length];
  const plane = wide * high;
  const data = new Float32Array(3 * plane);
  for (let y = 0, place = 0; y < high; y++) {
    const [above, below, v] = [4 * width * rows.low[y], 4 * width * rows.high[y], rows.share[y]];
    for (let x = 0; x < wide; x++, place++) {
      const left = 4 * columns.low[x];
      const right = 4 * columns.high[x];
      const u = columns.share[x];
      for (let channel = 0; channel < 3; channel++) {
        const from = given[above + left + channel];
        const upper = from + u * (given[above + right + channel] - from);
        const under = given[below + left + channel];
        const lower = under + u * (given[below + right + channel] - under);
        data[channel * plane + place] = LEVELS[(upper + v * (lower - upper) + 0.5) | 0];
      }
    }
  }
  return data;
}

/** Return for each of `count` places, of which those from `size` on repeat the last, between which
 *  of `given` px it lies and how near the second; the places may be counted from the other end.
 *  @param {number} count @param {number} size @param {number} given */
function steps(count, size, given, backwards = false) {
  const [low, high, share] = [new Int32Array(count), new Int32Array(count), new Float32Array(count)];
  for (let i = 0; i < count; i++) {
    const place = backwards ? Math.max(0, size - 1 - i) : Math.min(i, size - 1);
    const at = Math.min(Math.max(((place + 0.5) * given) / size - 0.5, 0), given - 1);
    low[i] = Math.floor(at);
    high[i] = Math.min(low[i] + 1, given - 1);
    share[i] = at - low[i];
  }
  return { low, high, share };
}
