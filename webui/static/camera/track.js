/** How a camera has moved since a frame was read, by Lucas and Kanade's method on thumbnails: outlines follow the table
 *  until the next frame is read.
 *
 *  A motion is z -> turn z + shift, complex numbers [re, im] in px from the middle of the picture: what a camera above a
 *  table makes of it, shifted, turned and scaled.
 */

const LEVELS = 3; // each with half the px of the one before
const ROUNDS = 4; // on each level
const STEP = 2; // every second row of px is enough
const FEWEST = 1e-3; // below which a turn and shift need no further round, px
const MOST = 0.3; // of the picture that it moves at most between two frames

/** @type {Motion} */
const REST = { turn: [1, 0], shift: [0, 0] };
/** @typedef {{turn: Point, shift: Point}} Motion
 *  @typedef {(at: number, apart: number) => void} Take */

/** @param {Point} first @param {Point} second */
const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
/** @param {Point} first @param {Point} second */
const minus = ([a, b], [c, d]) => [a - c, b - d];
/** @param {Point} first @param {Point} second */
const plus = ([a, b], [c, d]) => [a + c, b + d];
/** @param {Point} number */
const inverse = ([a, b]) => [a / (a * a + b * b), -b / (a * a + b * b)];

/** Return the motion that does `first`, then `then`.
 *  @param {Motion} first @param {Motion} then @returns {Motion} */
const after = (first, then) => ({ turn: times(then.turn, first.turn), shift: plus(times(then.turn, first.shift), then.shift) });

export class Track {
  /** @type {Thumbnail[] | null} */
  before = null; // the thumbnail of the last frame, a pyramid
  drawn = REST; // since the frame whose outlines are drawn
  asked = REST; // since the frame that is being read

  /** Follow the camera to a new thumbnail.
   *  @param {Thumbnail} seen */
  step({ grey, width, height }) {
    const pyramid = pyramidOf(grey, width, height);
    const moved = this.before && this.before[0].width === width ? motion(this.before, pyramid) : REST;
    this.before = pyramid;
    this.drawn = after(this.drawn, moved);
    this.asked = after(this.asked, moved);
  }

  /** A frame is going to be read. */
  ask() {
    this.asked = REST;
  }

  /** It was read, and what it shows is drawn. */
  draw() {
    this.drawn = this.asked;
  }

  /** Return where px of the drawn frame lie now, of a frame of such sides, as SVG transforms.
   *  @param {number} width @param {number} height */
  transform(width, height) {
    const [a, b] = this.drawn.turn;
    const [x, y] = this.drawn.shift.map((px) => px * (this.before ? width / this.before[0].width : 1));
    const [left, top] = [width / 2, height / 2];
    return `matrix(${[a, b, -b, a, left + x - a * left + b * top, top + y - b * left - a * top].join(" ")})`;
  }
}

/** @param {Float32Array} grey @param {number} width @param {number} height */
function pyramidOf(grey, width, height) {
  const levels = [plain(grey, width, height)];
  while (levels.length < LEVELS) levels.push(halved(levels[levels.length - 1]));
  return levels;
}

/** Exposure shifts all px alike.
 *  @param {Float32Array} grey @param {number} width @param {number} height @returns {Thumbnail} */
function plain(grey, width, height) {
  const mean = grey.reduce((sum, level) => sum + level, 0) / grey.length;
  return { grey: grey.map((level) => level - mean), width, height };
}

/** @param {Thumbnail} level @returns {Thumbnail} */
function halved({ grey, width, height }) {
  const [wide, high] = [width >> 1, height >> 1];
  const made = new Float32Array(wide * high);
  for (let y = 0, at = 0; y < high; y++)
    for (let x = 0; x < wide; x++, at++) {
      const from = 2 * y * width + 2 * x;
      made[at] = (grey[from] + grey[from + 1] + grey[from + width] + grey[from + width + 1]) / 4;
    }
  return { grey: made, width: wide, height: high };
}

/** Return how one pyramid became another, px of its lowest level; rest where that explains nothing.
 *  @param {Thumbnail[]} before @param {Thumbnail[]} now @returns {Motion} */
function motion(before, now) {
  let { turn, shift } = REST;
  for (let level = LEVELS - 1; level >= 0; level--) {
    shift = shift.map((px) => 2 * px);
    ({ turn, shift } = aligned(before[level], now[level], { turn, shift }));
  }
  const { width, height } = before[0];
  const far = Math.hypot(...shift) + Math.hypot(turn[0] - 1, turn[1]) * width;
  const explains = difference(before[0], now[0], { turn, shift }) < difference(before[0], now[0], REST);
  return far < MOST * Math.max(width, height) && explains ? { turn, shift } : REST;
}

/** Return a motion improved on one level, by the inverse compositional steps of Baker and Matthews (2004).
 *  @param {Thumbnail} before @param {Thumbnail} now @param {Motion} moved @returns {Motion} */
function aligned(before, now, { turn, shift }) {
  const { sides, solved } = slopes(before);
  for (let round = 0; round < ROUNDS; round++) {
    const sums = [0, 0, 0, 0];
    each(before, now, { turn, shift }, (at, apart) => {
      for (let k = 0; k < 4; k++) sums[k] += sides[4 * at + k] * apart;
    });
    const [a, b, x, y] = solved(sums);
    const undo = inverse([1 + a, b]);
    shift = minus(shift, times(times(turn, [x, y]), undo));
    turn = times(turn, undo);
    if (Math.hypot(x, y) + Math.hypot(a, b) * before.width < FEWEST) break;
  }
  return { turn, shift };
}

/** Return how each px of a picture changes with turn and shift, and what solves for these.
 *  @param {Thumbnail} picture */
function slopes({ grey, width, height }) {
  const sides = new Float32Array(4 * grey.length);
  const square = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
  for (let y = 1; y < height - 1; y += STEP)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const [across, down] = [(grey[at + 1] - grey[at - 1]) / 2, (grey[at + width] - grey[at - width]) / 2];
      const [left, top] = [x - (width - 1) / 2, y - (height - 1) / 2];
      sides[4 * at] = across * left + down * top;
      sides[4 * at + 1] = down * left - across * top;
      sides[4 * at + 2] = across;
      sides[4 * at + 3] = down;
      for (let k = 0; k < 4; k++) for (let m = 0; m < 4; m++) square[k][m] += sides[4 * at + k] * sides[4 * at + m];
    }
  return { sides, solved: (/** @type {number[]} */ sums) => solve(square, sums) };
}

/** Call `take(px, difference)` with each px that both pictures show.
 *  @param {Thumbnail} before @param {Thumbnail} now @param {Motion} moved @param {Take} take */
function each(before, now, { turn: [a, b], shift }, take) {
  const { width, height } = before;
  const [left, top] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 1; y < height - 1; y += STEP)
    for (let x = 1; x < width - 1; x++) {
      const px = a * (x - left) - b * (y - top) + shift[0] + left;
      const py = b * (x - left) + a * (y - top) + shift[1] + top;
      const [column, row] = [Math.floor(px), Math.floor(py)];
      if (column < 0 || row < 0 || column >= width - 1 || row >= height - 1) continue;
      const [u, v, from] = [px - column, py - row, row * width + column];
      const upper = now.grey[from] + u * (now.grey[from + 1] - now.grey[from]);
      const lower = now.grey[from + width] + u * (now.grey[from + width + 1] - now.grey[from + width]);
      take(y * width + x, upper + v * (lower - upper) - before.grey[y * width + x]);
    }
}

/** Return the mean grey levels between a picture and one that has moved.
 *  @param {Thumbnail} before @param {Thumbnail} now @param {Motion} moved */
function difference(before, now, moved) {
  let [sum, count] = [0, 0];
  each(before, now, moved, (_, apart) => {
    sum += Math.abs(apart);
    count += 1;
  });
  return count ? sum / count : Infinity;
}

/** Solve four linear equations by Gauss's elimination; without a solution nothing has moved.
 *  @param {number[][]} square @param {number[]} sums */
function solve(square, sums) {
  const rows = square.map((row, k) => [...row, sums[k]]);
  for (let k = 0; k < 4; k++) {
    if (Math.abs(rows[k][k]) < 1e-6) return [0, 0, 0, 0];
    for (let m = 0; m < 4; m++) {
      if (m === k) continue;
      const share = rows[m][k] / rows[k][k];
      for (let c = k; c < 5; c++) rows[m][c] -= share * rows[k][c];
    }
  }
  return rows.map((row, k) => row[4] / row[k]);
}
