/** Find pieces of which a part is on the photo: what vision/faces/cut_pieces.py does. */

import { median } from "./calibration.js";
import { LEVELS } from "./picture.js";
import { middleOf, sideOf } from "./shapes.js";

/** A part of a level along one edge of a photo: `long` px along it, `deep` px into it, and the offset of a px of it in `data`,
 *  the last of a row at the edge.
 *  @typedef {{data: Uint8ClampedArray, long: number, deep: number, at: (along: number, depth: number) => number}} Edge */

/** Whether a piece is cut off beside the faces with these `quads`, px of the picture.
 *  @param {import("./picture.js").Picture} picture @param {Quad[]} quads @param {Networks["edges"]} run @param {EyesConstants} constants */
export async function cutAtEdge(picture, quads, run, { cut }) {
  if (!quads.length) return false;
  let [side, number] = [median(quads.map(sideOf)), 0];
  for (; side >= 2 * cut.face; side /= 2) number += 1;
  const middles = quads.map((quad) => middleOf(quad).map((px) => px / 2 ** number));
  const { image } = picture.pixels(number);
  const colours = middles.map((at) => colourAt(image, at, side));
  const [right, bottom] = [image.width, image.height];
  /** @type {((along: number) => Point)[]} */
  const places = [(along) => [right, along], (along) => [right - 1 - along, bottom], (along) => [-1, bottom - 1 - along], (along) => [along, -1]];
  for (const [turn, edge] of edgesOf(image, Math.round((cut.deep * side) / cut.face)).entries()) {
    const strip = stripOf(edge, side, colours, cut);
    if (!strip) continue;
    const logits = await run(strip.data, strip.high);
    const isCut = [...logits].some((logit, row) => {
      const [x, y] = places[turn](((row + 0.5) * cut.cell * side) / cut.face);
      const away = Math.min(...middles.map((at) => Math.hypot(at[0] - x, at[1] - y)));
      return logit > Math.log(cut.found / (1 - cut.found)) && away > cut.read * side;
    });
    if (isCut) return true;
  }
  return false;
}

/** Return the right edge of a picture, `deep` px of it, and those that come to lie there as it is turned left.
 *  @param {ImageData} image @param {number} deep @returns {Edge[]} */
function edgesOf({ data, width, height }, deep) {
  const [across, down] = [Math.min(width, deep), Math.min(height, deep)];
  const px = (/** @type {number} */ x, /** @type {number} */ y) => 4 * (y * width + x);
  return [
    { data, long: height, deep: across, at: (a, d) => px(width - across + d, a) },
    { data, long: width, deep: down, at: (a, d) => px(width - 1 - a, height - down + d) },
    { data, long: height, deep: across, at: (a, d) => px(across - 1 - d, height - 1 - a) },
    { data, long: width, deep: down, at: (a, d) => px(a, down - 1 - d) },
  ];
}

/** Return the network's input, (4, high, deep): how unlike the nearest of the `colours` a px is, and RGB; null if nothing is on it.
 *  @param {Edge} edge @param {number} side of a face, px @param {number[][]} colours @param {EyesConstants["cut"]} cut */
function stripOf(edge, side, colours, { face, deep, cell, far, plain }) {
  if (edge.deep < 2 || isPlain(edge, side, plain)) return null;
  const rows = Math.max(cell, Math.round((edge.long * face) / side));
  const columns = Math.min(deep, Math.max(1, Math.round((edge.deep * face) / side)));
  const [along, into] = [shares(edge.long, rows), shares(edge.deep, columns)];
  const high = Math.ceil(rows / cell) * cell;
  const data = new Float32Array(4 * high * deep);
  const plane = high * deep;
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const rgb = [0, 0, 0];
      for (const [a, u] of along[y])
        for (const [d, v] of into[x]) {
          const from = edge.at(a, d);
          for (let channel = 0; channel < 3; channel++) rgb[channel] += u * v * edge.data[from + channel];
        }
      const levels = rgb.map(Math.round);
      const apart = Math.min(...colours.map((own) => Math.hypot(...levels.map((level, channel) => level - own[channel]))));
      const values = [Math.min(255, Math.floor((apart * 255) / far)), ...levels];
      const place = y * deep + deep - columns + x;
      for (let channel = 0; channel < 4; channel++) data[channel * plane + place] = LEVELS[values[channel]];
    }
  for (let channel = 0; channel < 4; channel++)
    for (let y = 0; y < high; y++) {
      const [row, from] = [channel * plane + y * deep, channel * plane + Math.min(y, rows - 1) * deep];
      data.copyWithin(row, from, from + deep);
      data.fill(data[row + deep - columns], row, row + deep - columns);
    }
  return { data, high };
}

/** Return for each of `count` equal parts of `size` px the px in it, each with its share of the part.
 *  @param {number} size @param {number} count @returns {[number, number][][]} */
function shares(size, count) {
  const wide = size / count;
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i * wide, (i + 1) * wide];
    /** @type {[number, number][]} */
    const held = [];
    for (let px = Math.floor(from); px < Math.min(to, size); px++) held.push([px, (Math.min(px + 1, to) - Math.max(px, from)) / wide]);
    return held;
  });
}

/** Return the median colour of a face around its middle, RGB.
 *  @param {ImageData} image @param {number[]} middle @param {number} side */
function colourAt({ data, width, height }, middle, side) {
  const reach = Math.max(1, 0.3 * side);
  const [left, top] = middle.map((at) => Math.floor(Math.max(0, at - reach)));
  const [right, bottom] = middle.map((at) => Math.floor(at + reach) + 1);
  /** @type {number[][]} */
  const levels = [[], [], []];
  for (let y = Math.min(top, height - 1); y < Math.min(bottom, height); y++)
    for (let x = Math.min(left, width - 1); x < Math.min(right, width); x++)
      levels.forEach((channel, k) => channel.push(data[4 * (y * width + x) + k]));
  return levels.map(median);
}

/** Whether the px at an edge differ by no more than grain does.
 *  @param {Edge} edge @param {number} side @param {number} plain levels */
function isPlain({ data, long, deep, at }, side, plain) {
  const count = Math.max(1, Math.round(side / 4));
  const mirrored = (/** @type {number} */ a) => Math.min(Math.max(a < 0 ? -a : a >= long ? 2 * long - 2 - a : a, 0), long - 1);
  return [0, 1, 2].every((channel) => {
    let [least, most] = [Infinity, -Infinity];
    for (let a = 0; a < long; a++) {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += data[at(mirrored(a + k - (count >> 1)), deep - 1) + channel];
      [least, most] = [Math.min(least, sum / count), Math.max(most, sum / count)];
    }
    return most - least < plain;
  });
}
