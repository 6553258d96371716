/** Read the faces on a picture in this browser: the passes of vision/faces/multiscale.py.
 *
 *  With a server it is a preview: the server reads every photo again, with boards, marks and the rules, and only its
 *  reading counts. Without one a photo is looked at twice.
 */

import { calibrated, median, valueProbs } from "./calibration.js";
import { cameras } from "./camera.js";
import { chosen } from "./choice.js";
import { rectified } from "./classifier.js";
import { cutAtEdge } from "./cut_pieces.js";
import { detect, softmax, suppressed } from "./detector.js";
import { joiner, tileQuad } from "./dominoes.js";
import { carried } from "./glance.js";
import { Picture, partOf } from "./picture.js";
import { sizeOfMark } from "./pips.js";
import { furtherViews, fused, turned } from "./second_look.js";
import { withoutUnread } from "./unread.js";

/** @typedef {ReturnType<typeof calibrated>[number]} Rated */

const FRAMES = 5; // for which a face that lies still is not classified again, two thirds of a second,
const AGAIN = 4; // and of which so many at most are on one frame
const WHOLE = 500; // ms after which all of a camera's frame is looked at again,
const PARTS = 2; // and so many looks at least at a part of it
const AROUND = 0.5; // sides around the last faces that are looked at in between
const GLANCE = 0.73; // of a view's sides, with which known faces are found again (eyes/glance.js),
const CLOSE = 2000; // ms after which all is looked at on the whole view nevertheless,
const UNSETTLED = 3000; // and ms for which every look is at it, after one at which faces were not found again
const RIM = 4; // px of a frame that are wanted beside those looked at, as neighbours are mixed
const DIM = 320; // px of a picture that is small enough to tell how light it is

/** @param {Networks} networks answer output maps and rows of logits
 *  @param {EyesConstants} constants those of the server's eyes (webui/eyes/preview.py) */
export function reader(networks, constants) {
  const among = cameras(constants);
  /** @type {ReadFace[]} */
  let before = []; // the faces of the last frame
  /** @type {Rated[]} */
  let last = []; // those of them that it is looked around for
  /** @type {import("./picture.js").Pen[]} */
  const pens = []; // of a camera's frames
  let light = 0; // of the last that all was looked at of
  let aimed = 0; // px of the longer side of their view; at another scale outlines jump
  let whole = { at: 0, parts: 0 }; // when all of a frame was last looked at, ms, and looks at a part of one since then
  const close = { at: -Infinity, until: 0 }; // when that was not a glance, ms, and until when no look is one

  /** Return the faces on an upright bitmap or frame, px of it, the quads of places where more may lie, and how
   *  light it is, mean grey levels.
   *  A face of the `next` frame of a camera that lies where one lay on the last is seldom classified again. `halves`
   *  are those of dominoes; `colours` the game's pieces have, none: any.
   *  @param {ImageBitmap} source @param {Wanted} wanted @returns {Promise<Sight>} */
  return async function read(source, { next = false, side = null, around = null, wide, halves = false, colours = [], twice = false } = {}) {
    const picture = new Picture(source, constants, wide, next ? pens : []);
    const again = next ? await tracked(picture, side, around) : null;
    const { found, view } = again ?? (await focused(picture));
    before = await classified(picture, likely(found), next ? before : []);
    const size = [picture.width, picture.height];
    const rate = (/** @type {ReadFace[]} */ faces, asHalves = halves) => calibrated(faces, size, asHalves, among, constants);
    if (!next || !whole.parts) light = lightOf(picture);
    let rated = rate(before);
    const isShown = (/** @type {Rated} */ { real, confidence }) => real >= constants.calibration.shown && confidence >= constants.guess;
    last = rated.filter((face) => isShown(face) || face.prob >= constants.glimpsed);
    /** @type {import("./dominoes.js").Pair[]} */
    let pairs = [];
    /** @type {UnreadPiece[]} */
    let unread = [];
    if (twice) {
      const { fitting, calibration, likely: sure, again } = constants;
      const sizes = rated.filter(isShown).map((face) => face.size);
      const isDoubtful = (/** @type {Rated} */ face) => (isShown(face) ? face.confidence < calibration.sure : face.prob >= sure || face.real >= again);
      const clear = sizes.length && fits(sizes, view, picture, fitting) && !rated.some(isDoubtful);
      const { join, readAgain } = joiner(picture, networks, constants, (faces) => classifiedTurned(picture, faces), rate);
      let joined = clear && halves ? await join(rated) : null;
      if (!clear || joined?.settled === false) {
        rated = await secondLook(picture, before, view, rate, halves);
        if (halves) joined = await join(rated);
      }
      if (joined) ({ rated, pairs } = await readAgain(joined));
      ({ rated, pairs, unread } = await withoutUnread(picture, { rated, pairs }, halves ? rate(rated, false) : null, networks, constants));
    }
    const inTiles = new Set(pairs.flatMap(({ ends }) => ends));
    const single = rated.filter((_, i) => !inTiles.has(i));
    const each = { shown: single.filter(isShown), perhaps: single.filter((face) => face.real >= constants.calibration.missed && !isShown(face)) };
    const { shown, perhaps: places } = twice ? chosen(picture, each, halves ? [...inTiles].map((i) => rated[i]) : null, constants) : each;
    const back = (/** @type {Point} */ at) => at.map((px) => (px + 0.5) / picture.scale - 0.5);
    const asShown = (/** @type {Rated} */ face, { probs, confidence } = face) => ({
      ...bodies(face, colours),
      quad: face.quad.map(back),
      middle: back(face.middle),
      size: face.size / picture.scale,
      value: face.value,
      probs,
      confidence,
      sure: confidence >= constants.calibration.sure && !face.doubted,
    });
    const tiles = pairs.map(({ ends, prob }) => {
      const both = ends.map((i) => {
        const probs = valueProbs(rated[i]);
        return asShown(rated[i], { ...rated[i], probs, confidence: Math.max(...probs) });
      });
      const confidence = both.reduce((share, half) => share * half.confidence, prob);
      const sure = both.every((half) => half.sure) && confidence >= constants.calibration.sure;
      return { quad: tileQuad(both.map(({ quad }) => quad)), halves: both, prob, confidence, sure };
    });
    const areSure = tiles.length && !shown.length && tiles.every(({ sure }) => sure);
    const perhaps = areSure ? places.filter(({ real }) => real >= constants.choice.perhapsHalf) : places;
    return {
      faces: shown.map((face) => asShown(face)),
      tiles,
      perhaps: perhaps.map(({ quad }) => quad.map(back)),
      unread: unread.map((piece) => ({ ...piece, quad: piece.quad.map(back) })),
      cut: twice && (await cutAtEdge(picture, [...[...inTiles].map((i) => rated[i]), ...shown].map(({ quad }) => quad), networks.edges, constants)),
      light,
      around: again && last.length && !isDue() ? wantedAround(picture) : null,
    };
  };

  /** Return the faces on a `next` frame at the scale that suits their `side`: those around the last ones; now and then, and if
   *  one is missing, all. Of a frame that shows only what is `around` the last ones, they stand if one is missing.
   *  @param {Picture} picture @param {number | null} side @param {number[] | null} around */
  async function tracked(picture, side, around) {
    if (side === null) {
      whole.parts = 0;
      return null;
    }
    const suits = (constants.aimed / (side * picture.scale)) * Math.max(picture.width, picture.height);
    const steps = Math.abs(suits - aimed) >= constants.step;
    if (steps) [aimed, close.at] = [stepped(suits), -Infinity];
    const view = aimed;
    const stay = () => {
      whole = { at: -Infinity, parts: PARTS }; // so the next look is at all
      return { found: last.map((face) => ({ ...face, age: 0 })), view };
    };
    if (around && steps) return stay();
    const look = (/** @type {number} */ longest, isPart = false) => detect(picture, longest, networks.detector, constants, constants.plain, false, isPart ? partAround(picture, longest) : undefined);
    const now = performance.now();
    const all = !around && isDue();
    const glances = last.length && close.at > -Infinity && now >= close.until && !(all && now - close.at >= CLOSE);
    whole = all ? { at: now, parts: 0 } : { ...whole, parts: whole.parts + 1 };
    if (glances) {
      const found = carried(last, await look(stepped(GLANCE * view), !all), constants.likely);
      if (found) return { found, view };
      close.until = now + UNSETTLED;
    }
    let faces = all || glances ? [] : await look(view, true);
    if (all || glimpsed(faces).length < glimpsed(last).length) {
      if (around) return stay();
      whole = { at: now, parts: 0 };
      close.at = now;
      faces = await look(view);
    }
    const sizes = glimpsed(faces);
    if (sizes.length && fits(sizes, view, picture, constants.aiming)) return { found: faces, view };
    return around ? stay() : null;
  }

  function isDue() {
    return !last.length || (performance.now() - whole.at >= WHOLE && whole.parts >= PARTS);
  }

  /** @param {Picture} picture @param {number} longest */
  function partAround(picture, longest) {
    return partOf(picture, longest, constants, surroundings(last));
  }

  /** Return what the next look needs of a frame, px of the picture that is shown.
   *  @param {Picture} picture */
  function wantedAround(picture) {
    const boxes = [aimed, stepped(GLANCE * aimed)].map((longest) => {
      const { left, top, wide, high } = partAround(picture, longest);
      return [left, top, left + wide, top + high].map((px) => (px * Math.max(picture.width, picture.height)) / longest / picture.scale);
    });
    const [a, b] = boxes;
    return [0, 1, 2, 3].map((i) => (i < 2 ? Math.min(a[i], b[i]) - RIM : Math.max(a[i], b[i]) + RIM));
  }

  /** @param {Picture} picture */
  async function focused(picture) {
    const first = await detect(picture, constants.first, networks.detector, constants);
    const sizes = glimpsed(first);
    const view = sizes.length ? bestView(median(sizes), picture, constants.best) : constants.first;
    return { found: view === constants.first ? first : await detect(picture, view, networks.detector, constants), view };
  }

  /** Return the faces of further views and of the first together, the doubtful ones classified in all orientations.
   *  @param {Picture} picture @param {ReadFace[]} first @param {number} longest px of its view
   *  @param {(faces: ReadFace[], asHalves?: boolean) => Rated[]} rate @param {boolean} halves */
  async function secondLook(picture, first, longest, rate, halves) {
    const kinds = halves ? [true] : [false, true];
    const rates = (/** @type {ReadFace[]} */ faces) => kinds.map((kind) => rate(faces, kind));
    const plain = (/** @type {ReadFace[]} */ faces, rated = rates(faces)) => faces.filter((_, i) => rated.every((kind) => kind[i].confidence >= constants.plainly));
    const views = furtherViews(first, longest, stepped, constants);
    let read = first;
    if (views.length) {
      /** @type {FoundFace[][]} */
      const found = [first];
      for (const [side, mirrored] of views) found.push(await detect(picture, side, networks.detector, constants, constants.fewest, mirrored));
      const scales = [longest, ...views.map(([side]) => side)].map((side) => side / Math.max(picture.width, picture.height));
      read = await classified(picture, likely(fused(found, scales, constants)), plain(first));
    }
    const rated = rates(read);
    const sure = new Set(plain(read, rated));
    const perhaps = read.filter((face, i) => !sure.has(face) && rated.some((kind) => kind[i].real >= constants.again));
    await classifyTurned(picture, perhaps);
    return suppressed(rate(read), constants.same, ({ real }) => real);
  }

  /** Classify faces in all other orientations too, and take the means.
   *  @param {Picture} picture @param {ReadFace[]} faces */
  async function classifyTurned(picture, faces) {
    if (!faces.length) return;
    const crops = rectified(picture, faces.map(({ quad }) => quad), constants);
    for (let turn = 1; turn < constants.turns; turn++) {
      const rows = await networks.classifier(turned(crops, turn, constants.side), faces.length);
      faces.forEach((face, i) => {
        const mean = (/** @type {Numbers} */ before, /** @type {Numbers} */ now) => Array.from(before, (logit, k) => logit + (now[k] - logit) / (turn + 1));
        face.logits = mean(face.logits, rows[i].slice(0, constants.classes));
        face.colours = mean(face.colours, rows[i].slice(constants.classes));
      });
    }
  }

  /** Return faces as the classifier sees them in all orientations.
   *  @param {Picture} picture @param {FoundFace[]} faces */
  async function classifiedTurned(picture, faces) {
    const read = await classified(picture, faces.map(({ quad, middle, size, prob, agreed, values, half }) => ({ quad, middle, size, prob, agreed, values, half })), []);
    await classifyTurned(picture, read);
    return read;
  }

  /** Return the places that are classified, the most probable first: all that are faces to the detector.
   *  @param {FoundFace[]} found */
  function likely(found) {
    const large = found.filter(({ size }) => size >= constants.smallest).sort((a, b) => b.prob - a.prob);
    return large.slice(0, Math.max(constants.mostPlaces, glimpsed(large).length));
  }

  /** @param {FoundFace[]} faces */
  function glimpsed(faces) {
    return faces.filter(({ prob }) => prob >= constants.glimpsed).map(({ size }) => size);
  }

  /** @param {number[]} sizes @param {number} view @param {Picture} picture @param {number[]} range */
  function fits(sizes, view, { width, height }, [low, high]) {
    const side = (median(sizes) * view) / Math.max(width, height);
    return low <= side && side <= high;
  }

  /** @param {number} side @param {Picture} picture @param {number} best */
  function bestView(side, picture, best) {
    if (fits([side], constants.first, picture, constants.fitting)) return constants.first;
    return stepped((best / side) * Math.max(picture.width, picture.height));
  }

  /** @param {number} longest */
  function stepped(longest) {
    const { step, farthest, nearest } = constants;
    return Math.round(Math.min(Math.max(longest, farthest), nearest) / step) * step;
  }

  /** Return faces with the classifier's logits: those of `known` ones that have not moved, but for the oldest.
   *  @param {Picture} picture @param {FoundFace[]} faces @param {ReadFace[]} known @returns {Promise<ReadFace[]>} */
  async function classified(picture, faces, known) {
    const read = /** @type {ReadFace[]} */ (faces).map((face) => {
      if (face.logits) return face;
      const same = known.find(({ middle, size }) => Math.hypot(middle[0] - face.middle[0], middle[1] - face.middle[1]) < constants.asBefore * size);
      return same ? { ...face, logits: same.logits, colours: same.colours, mark: same.mark, age: same.age + 1 } : face;
    });
    const old = read.filter(({ age }) => age > FRAMES).sort((a, b) => b.age - a.age);
    const asked = [...read.filter(({ logits }) => !logits), ...old.slice(0, AGAIN)];
    if (!asked.length) return read;
    const crops = rectified(picture, asked.map(({ quad }) => quad), constants);
    const marks = asked.map(({ size }, i) => {
      const fills = size >= constants.fills * Math.min(picture.width, picture.height);
      return fills ? sizeOfMark(crops.subarray(i * (crops.length / asked.length)), constants) : 0;
    });
    const rows = await networks.classifier(crops, asked.length); // which may take the crops with it
    const isOther = (/** @type {ReadFace} */ { logits }, /** @type {number} */ i) => logits && largest(logits) !== largest(rows[i].slice(0, constants.classes));
    if (asked.some(isOther)) close.at = -Infinity;
    asked.forEach((face, i) => Object.assign(face, { logits: rows[i].slice(0, constants.classes), colours: rows[i].slice(constants.classes), mark: marks[i], age: 0 }));
    return read;
  }

  /** Return the likeliest body colour, and those possible with their probabilities, likeliest first.
   *  @param {ReadFace} face @param {string[]} possible @returns {{colour: string, colours: [string, number][]}} */
  function bodies({ colours: logits }, possible) {
    const shares = softmax(constants.colours.map((/** @type {string} */ name, /** @type {number} */ k) => (!possible.length || possible.includes(name) ? logits[k] : -Infinity)));
    const colours = shares.map((share, k) => /** @type {[string, number]} */ ([constants.colours[k], share])).sort(([, a], [, b]) => b - a);
    return { colour: colours[0][0], colours };
  }
}

/** Return the place of the largest number.
 *  @param {Numbers} numbers */
const largest = (numbers) => Array.from(numbers).indexOf(Math.max(...numbers));

/** Return the box of faces, [left, top, right, bottom], and of what is around them.
 *  @param {FoundFace[]} faces */
function surroundings(faces) {
  const far = AROUND * median(faces.map(({ size }) => size));
  const along = [0, 1].map((axis) => faces.flatMap(({ quad }) => quad.map((at) => at[axis])));
  return [...along.map((px) => Math.min(...px) - far), ...along.map((px) => Math.max(...px) + far)];
}

/** Return the mean grey level of a picture, of px far apart.
 *  @param {Picture} picture */
function lightOf(picture) {
  const level = Math.ceil(Math.log2((picture.finest * Math.max(picture.width, picture.height)) / DIM));
  const { data } = picture.pixels(Math.max(0, level)).image;
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += (data[at] + data[at + 1] + data[at + 2]) / 3;
  return sum / (data.length / 4);
}
