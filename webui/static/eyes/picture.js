/** A picture's px, at full size and halved again and again, and what the networks take of it. */

/** @typedef {OffscreenCanvasRenderingContext2D} Pen */

export const LEVELS = Float32Array.from({ length: 256 }, (_, grey) => grey / 255);

/** Its levels are pens of canvases, drawn when they are needed; level k is 2 ** k times smaller, each px the mean of four. */
export class Picture {
  /** @type {Pen[]} */ levels = [];

  /** @param {ImageBitmap} source a bitmap or frame, upright; of a large one the px are `enough` at least, as the
   *  server decodes it
   *  @param {EyesConstants} constants @param {number} wide px of the picture that the source shows, perhaps smaller
   *  @param {Pen[]} pens those of the frame before it, which are drawn on again */
  constructor(source, { enough }, wide = source.width, pens = []) {
    this.source = source;
    this.pens = pens;
    this.skipped = 0; // halvings of the source
    while ((source.width >> this.skipped) * (source.height >> this.skipped) >= 4 * enough) this.skipped += 1;
    this.scale = 1 / 2 ** this.skipped; // px of this picture per px of the one that is shown
    this.finest = source.width / wide; // px of the lowest level per px of this picture
    this.width = wide >> this.skipped;
    this.height = Math.round(source.height / this.finest) >> this.skipped;
  }

  /** Return the canvas of a level.
   *  @param {number} number */
  level(number) {
    return this.halved(number + this.skipped).canvas;
  }

  /** Return the source, halved so many times.
   *  @param {number} times @returns {Pen} */
  halved(times) {
    const { source, pens } = this;
    return (this.levels[times] ??= pens[times] = times ? halved(times > 1 ? this.halved(times - 1).canvas : source, pens[times]) : drawn(source, source.width, source.height, pens[0]));
  }

  /** Return the px of a level from (x, y) on, as far as there are any.
   *  @param {number} number */
  pixels(number, x = 0, y = 0, width = Infinity, height = Infinity) {
    const pen = this.halved(number + this.skipped);
    const { canvas } = pen;
    const [left, top] = [Math.min(Math.max(0, x), canvas.width - 1), Math.min(Math.max(0, y), canvas.height - 1)];
    const [right, bottom] = [Math.min(x + width, canvas.width), Math.min(y + height, canvas.height)];
    const [wide, high] = [Math.max(1, right - left), Math.max(1, bottom - top)];
    return { left, top, image: pen.getImageData(left, top, wide, high) };
  }
}

/** @param {ImageBitmap | OffscreenCanvas} source @param {number} width @param {number} height @param {Pen} [before] @param {number[]} used */
function drawn(source, width, height, before, used = [source.width, source.height]) {
  const fits = before && before.canvas.width === width && before.canvas.height === height;
  const pen = fits ? before : /** @type {Pen} */ (new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true, alpha: false }));
  pen.imageSmoothingQuality = "low"; // of a half as large one exactly the mean of four px
  pen.drawImage(source, 0, 0, used[0], used[1], 0, 0, width, height);
  return pen;
}

/** @param {ImageBitmap | OffscreenCanvas} source @param {Pen} [before] */
function halved(source, before) {
  const [width, height] = [Math.max(1, source.width >> 1), Math.max(1, source.height >> 1)];
  return drawn(source, width, height, before, [2 * width, 2 * height]);
}

/** A part of a view, px of it, as the network takes it.
 *  @typedef {{left: number, top: number, wide: number, high: number}} Part */

/** Return px of a view whose longer side has so many, per px of the picture, and the view's sides.
 *  @param {Picture} picture @param {number} longest */
function shrunk({ width, height }, longest) {
  const scale = longest / Math.max(width, height);
  return { scale, sides: [width, height].map((side) => Math.max(1, Math.round(side * scale))) };
}

/** Return the part of a view that holds a box of the picture, [left, top, right, bottom]; its network finds there what it finds
 *  on the whole view, as most of its maps have their corners where the whole view's have them.
 *  @param {Picture} picture @param {number} longest @param {EyesConstants} constants @param {number[]} box @returns {Part} */
export function partOf(picture, longest, { multiple }, box) {
  const { scale, sides } = shrunk(picture, longest);
  const [[left, wide], [top, high]] = sides.map((side, axis) => {
    const most = Math.ceil(side / multiple) * multiple;
    const corner = Math.floor((2 * Math.max(box[axis] * scale, 0)) / multiple) * (multiple / 2);
    const length = Math.ceil((Math.min(box[axis + 2] * scale, side) - corner) / multiple) * multiple;
    const held = Math.min(Math.max(length, multiple), most);
    return [Math.min(corner, most - held), held];
  });
  return { left, top, wide, high };
}

/** Return the detector's input for a view whose longer side has so many px, perhaps mirrored, or for a part of it: its data,
 *  (3, h, w) RGB in [0, 1], the part, and px of the view per px of the picture.
 *  @param {Picture} picture @param {number} longest @param {EyesConstants} constants @param {Part} part */
export function fitted(picture, longest, constants, mirrored = false, part = partOf(picture, longest, constants, [0, 0, picture.width, picture.height])) {
  const { scale, sides: [width, height] } = shrunk(picture, longest);
  const number = Math.max(0, Math.floor(Math.log2(picture.finest / scale)));
  const level = picture.level(number);
  const columns = steps(part.left, part.wide, width, level.width, mirrored);
  const rows = steps(part.top, part.high, height, level.height);
  const [x, y] = [columns, rows].map(({ low }) => Math.min(low[0], low[low.length - 1]));
  const [right, bottom] = [columns, rows].map(({ high }) => Math.max(high[0], high[high.length - 1]) + 1);
  const { image } = picture.pixels(number, x, y, right - x, bottom - y);
  return { data: resized(image, columns, rows, x, y), part, scale };
}

/** @typedef {{low: Int32Array, high: Int32Array, share: Float32Array}} Steps */

/** Return (3, rows, columns), RGB in [0, 1], bilinear. Each frame spends most of our time here: no array is made for a px.
 *  @param {ImageData} image @param {Steps} columns @param {Steps} rows @param {number} x0 @param {number} y0 where it begins */
function resized({ data: given, width }, columns, rows, x0, y0) {
  const [wide, high] = [columns.low.length, rows.low.length];
  const plane = wide * high;
  const data = new Float32Array(3 * plane);
  for (let y = 0, place = 0; y < high; y++) {
    const [above, below, v] = [4 * width * (rows.low[y] - y0), 4 * width * (rows.high[y] - y0), rows.share[y]];
    for (let x = 0; x < wide; x++, place++) {
      const left = 4 * (columns.low[x] - x0);
      const right = 4 * (columns.high[x] - x0);
      const u = columns.share[x];
      for (let channel = 0, at = place; channel < 3; channel++, at += plane) {
        const from = given[above + left + channel];
        const upper = from + u * (given[above + right + channel] - from);
        const under = given[below + left + channel];
        const lower = under + u * (given[below + right + channel] - under);
        data[at] = LEVELS[(upper + v * (lower - upper) + 0.5) | 0];
      }
    }
  }
  return data;
}

/** Return for each of `count` places from one on, of which those from `size` on repeat the last, between which
 *  of `given` px it lies and how near the second; the places may be counted from the other end.
 *  @param {number} from @param {number} count @param {number} size @param {number} given */
function steps(from, count, size, given, backwards = false) {
  const [low, high, share] = [new Int32Array(count), new Int32Array(count), new Float32Array(count)];
  for (let i = 0; i < count; i++) {
    const place = backwards ? Math.max(0, size - 1 - from - i) : Math.min(from + i, size - 1);
    const at = Math.min(Math.max(((place + 0.5) * given) / size - 0.5, 0), given - 1);
    low[i] = Math.floor(at);
    high[i] = Math.min(low[i] + 1, given - 1);
    share[i] = at - low[i];
  }
  return { low, high, share };
}
