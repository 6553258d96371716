/** A table that a camera watches and on which nothing happens: pictures of it need not be sent again. */

import { thumbnail, thumbnailPen } from "./thumbnail.js";

const CALM = 1000; // ms after all has settled in which pictures are still sent: the surface is learnt from them
const FRESH = 5000; // ms for which a picture that was sent stands for those after it
// A px has changed by more than so many grey levels, and so many times the noise of all px (vision/watch/motion.py).
const LEAST = 6;
const NOISES = 6;
const FEW = 2; // px that must have changed
const PLAIN = [20, 235]; // grey levels between which px tell how the exposure has changed

export class StillTable {
  /** @type {number | null} */ settled = null; // when all was first seen to lie still, ms
  /** @type {Float32Array | null} */ kept = null; // the last picture that was sent, in grey
  sent = 0;

  constructor() {
    this.pen = thumbnailPen();
  }

  /** Forget what lay still: the next picture is sent. */
  disturb() {
    this.settled = this.kept = null;
    this.sent = 0;
  }

  /** Remember the picture that is sent now.
   *  @param {Float32Array} grey @param {number} at */
  keep(grey, at) {
    [this.kept, this.sent] = [grey, at];
  }

  /** Take what the server is waiting for; "" is nothing.
   *  @param {string} waiting @param {number} at */
  waits(waiting, at) {
    this.settled = waiting ? null : (this.settled ?? at);
  }

  /** Whether a picture would show what the last that was sent shows.
   *  @param {Float32Array} grey @param {number} at */
  unchanged(grey, at) {
    return this.kept !== null && this.calm(at) && at - this.sent < FRESH && !changed(this.kept, grey);
  }

  /** Whether all has lain still for long enough to compare pictures here.
   *  @param {number} at */
  calm(at) {
    return this.settled !== null && this.kept !== null && at - this.settled >= CALM;
  }

  /** Return a thumbnail of a video or picture of so many px, in grey.
   *  @param {CanvasImageSource} source @param {number} width @param {number} height */
  view(source, width, height) {
    return thumbnail(this.pen, source, width, height).grey;
  }
}

/** Whether two thumbnails differ by more than noise and exposure.
 *  @param {Float32Array} before @param {Float32Array} after */
function changed(before, after) {
  if (before.length !== after.length) return true;
  const exposed = gain(before, after);
  const apart = (/** @type {number} */ i) => Math.abs(after[i] * exposed - before[i]);
  const some = Float32Array.from({ length: before.length >> 2 }, (_, i) => apart(4 * i));
  const limit = Math.max(LEAST, NOISES * middle(some));
  let count = 0;
  for (let i = 0; i < before.length && count < FEW; i++) if (apart(i) > limit) count += 1;
  return count >= FEW;
}

/** Return the factor that gives `after` the exposure of `before`.
 *  @param {Float32Array} before @param {Float32Array} after */
function gain(before, after) {
  const ratios = [];
  const plain = (/** @type {number} */ grey) => grey > PLAIN[0] && grey < PLAIN[1];
  for (let i = 0; i < before.length; i += 4) if (plain(before[i]) && plain(after[i])) ratios.push(before[i] / after[i]);
  return ratios.length ? middle(Float32Array.from(ratios)) : 1;
}

/** @param {Float32Array} numbers */
const middle = (numbers) => numbers.sort()[numbers.length >> 1];
