/** Join halves to dominoes on a photo of nothing else: what vision/dominoes/tiles.py and scene.py do. */

import { logitOf, valueProbs } from "./calibration.js";
import { matched } from "./matching.js";
import { aroundBeside, hasAlongside, neighbours, outline, pairProbs } from "./pairs.js";
import { middleOf, overSmaller, sideOf } from "./shapes.js";
import { fromUnitSquare } from "../look/quads.js";

/** @typedef {import("./matching.js").Ends} Ends
 *  @typedef {ReturnType<typeof import("./calibration.js").calibrated>[number]} Rated
 *  @typedef {{ends: Ends, prob: number}} Pair
 *  @typedef {{rated: Rated[], pairs: Pair[], settled: boolean}} Joined the faces, missed halves last, and the dominoes
 *  @typedef {{i: number, quad: Quad, prob: number}} Guess where the other half of face i may be
 *  @typedef {(faces: FoundFace[]) => Promise<ReadFace[]>} Classify in all orientations */

/** @param {import("./picture.js").Picture} picture @param {Networks} networks @param {EyesConstants} constants
 *  @param {Classify} classify @param {(faces: ReadFace[]) => Rated[]} rate */
export function joiner(picture, networks, constants, classify, rate) {
  const { pairs: shape, tiles: limits, calibration, coarsest, smallest } = constants;
  const logit = logitOf(constants);
  const probsOf = (/** @type {import("./pairs.js").Two[]} */ two, otherTurns = false) => pairProbs(picture, two, networks.pairs, shape, coarsest, otherTurns);
  const halvesOf = (/** @type {Pair[]} */ pairs) => new Set(pairs.flatMap(({ ends }) => ends));
  const places = (/** @type {Rated[]} */ rated, /** @type {number} */ least) => rated.flatMap(({ real }, i) => (real >= least ? [i] : []));

  return { join, readAgain };

  /** Return the dominoes among faces.
   *  @param {Rated[]} faces @returns {Promise<Joined>} */
  async function join(faces) {
    const quads = faces.map(({ quad }) => quad);
    const plain = new Set(places(faces, calibration.shown));
    const near = neighbours(quads, places(faces, limits.faint), shape);
    const probs = await probsOf(near.map(([i, j]) => [quads[i], quads[j]]));
    const all = matched(near, probs, faces.map(({ real }) => real), limits, logit);
    const found = all.filter(({ ends }) => ends.some((i) => plain.has(i)));
    const flat = [...plain].every((i) => halvesOf(found).has(i)); // else tiles may be stacked
    const believed = new Set(found.filter(({ ends, prob }) => {
      const own = probs[near.findIndex(([i, j]) => i === ends[0] && j === ends[1])];
      return own >= (flat ? limits.own : limits.plainly) && (prob >= limits.shared || !flat);
    }));
    const alone = [...plain].filter((i) => !halvesOf(found).has(i));
    const added = takenOf(await guesses(quads, alone), quads, found);
    const read = await classify(added.map(({ quad, prob }) => ({ quad, middle: middleOf(quad), size: sideOf(quad), prob, agreed: prob, values: Array(7).fill(1 / 7), half: prob })));
    const rated = rate([...faces, ...read]);
    const pairs = [...found, ...added.map(({ i, prob }, n) => ({ ends: /** @type {Ends} */ ([i, faces.length + n]), prob }))];
    const middles = [...new Set([...plain, ...halvesOf(pairs)])].map((i) => rated[i].middle);
    const open = pairs.filter((pair) => !believed.has(pair) && hasAlongside([rated[pair.ends[0]].quad, rated[pair.ends[1]].quad], middles, shape));
    const covered = withRivals(halvesOf(open), pairs, near.filter((_, k) => probs[k] >= limits.oneTile));
    const held = pairs.map((pair) => (covered.has(pair.ends[0]) ? { ...pair, prob: Math.min(pair.prob, limits.covered) } : pair));
    return { rated, pairs: held, settled: isSettled(rated, pairs) };
  }

  /** Return where the undetected other halves of faces may be, the likeliest first.
   *  @param {Quad[]} quads @param {number[]} alone @returns {Promise<Guess[]>} */
  async function guesses(quads, alone) {
    const own = (/** @type {{i: number, quad: Quad}[]} */ tried) => tried.map(({ i, quad }) => /** @type {import("./pairs.js").Two} */ ([quads[i], quad]));
    const sides = alone.flatMap((i) => aroundBeside(quads[i], shape).map((around) => around.map((quad) => ({ i, quad }))));
    const isFirst = (/** @type {number} */ k) => limits.spread.includes(k);
    const tried = sides.flatMap((side) => side.filter((_, k) => isFirst(k)));
    const probs = await probsOf(own(tried));
    const count = limits.spread.length;
    const worth = sides.filter((_, n) => Math.max(...probs.slice(n * count, (n + 1) * count)) >= limits.perhaps);
    const rest = worth.flatMap((side) => side.filter((_, k) => !isFirst(k)));
    const all = [...tried, ...rest];
    probs.push(...(await probsOf(own(rest))));
    // The largest of many probabilities is too large: but for the straight place of a side, likely ones are seen otherwise too.
    const best = all.flatMap((_, k) => (probs[k] >= limits.again && (k >= tried.length || k % count) ? [k] : []));
    const again = await probsOf(own(best.map((k) => all[k])), true);
    best.forEach((k, n) => (probs[k] = Math.min(probs[k], again[n])));
    return all.map((place, k) => ({ ...place, prob: probs[k] })).sort((a, b) => b.prob - a.prob);
  }

  /** Return the guesses that are taken for halves that the detector missed.
   *  @param {Guess[]} guessed @param {Quad[]} quads @param {Pair[]} pairs @returns {Guess[]} */
  function takenOf(guessed, quads, pairs) {
    const covered = [...halvesOf(pairs)].map((i) => quads[i]);
    const isFree = (/** @type {Quad} */ quad) => !covered.some((other) => overSmaller(quad, other) > limits.taken);
    return guessed.filter(({ i, quad, prob }) => {
      const [x, y] = middleOf(quad);
      const isOn = x >= 0 && y >= 0 && x < picture.width && y < picture.height && sideOf(quad) >= smallest;
      if (prob < limits.missed || !isOn || !isFree(quad) || !isFree(quads[i])) return false;
      covered.push(quad, quads[i]);
      return true;
    });
  }

  /** Say whether every domino is sure and no half is left alone.
   *  @param {Rated[]} rated @param {Pair[]} pairs */
  function isSettled(rated, pairs) {
    const halves = halvesOf(pairs);
    const isSure = (/** @type {Pair} */ { ends, prob }) => prob >= limits.certain && ends.every((i) => Math.max(...valueProbs(rated[i])) >= calibration.sure);
    return pairs.every(isSure) && places(rated, calibration.missed).every((i) => halves.has(i));
  }

  /** Return the same, the halves of doubtful dominoes read again from the outline of the whole one, cut in half.
   *  @param {Joined} joined @returns {Promise<Joined>} */
  async function readAgain({ rated, pairs, settled }) {
    const doubted = pairs.filter(({ ends }) => ends.some((i) => Math.max(...valueProbs(rated[i])) < calibration.sure));
    const ends = doubted.flatMap((pair) => pair.ends);
    const again = await classify(doubted.flatMap((pair) => exactHalves(pair.ends.map((i) => rated[i].quad))).map((quad, n) => ({ ...rated[ends[n]], quad })));
    const faces = [...rated];
    again.forEach(({ logits }, n) => {
      const own = rated[ends[n]];
      faces[ends[n]] = { ...own, logits: Array.from(own.logits, (logit, k) => (logit + logits[k]) / 2), values: Array(7).fill(1 / 7) };
    });
    return { rated: again.length ? rate(faces) : rated, pairs, settled };
  }
}

/** Return the halves of doubtful dominoes, and of those that would then lose a half to them.
 *  @param {Set<number>} covered @param {Pair[]} pairs @param {Ends[]} joinable @returns {Set<number>} */
function withRivals(covered, pairs, joinable) {
  const lost = new Set(joinable.filter((ends) => ends.some((i) => covered.has(i))).flat());
  const found = pairs.filter(({ ends }) => ends.some((i) => lost.has(i))).flatMap(({ ends }) => ends);
  return found.every((i) => covered.has(i)) ? covered : withRivals(new Set([...covered, ...found]), pairs, joinable);
}

/** Return the common outline of two halves, cut across its middle, or the halves if it has no area.
 *  @param {Quad[]} halves @returns {Quad[]} */
function exactHalves([first, second]) {
  const at = fromUnitSquare(outline([first, second]));
  const cut = [0, 1 / 2].map((left) => [at(left, 0), at(left + 1 / 2, 0), at(left + 1 / 2, 1), at(left, 1)]);
  return cut.flat(2).every(Number.isFinite) ? cut : [first, second];
}

/** Return the outline of a domino: of each half the two corners away from the other.
 *  @param {Quad[]} halves @returns {Quad} */
export function tileQuad([first, second]) {
  const outer = (/** @type {Quad} */ half, /** @type {Point} */ [x, y]) => [...half].sort((a, b) => Math.hypot(b[0] - x, b[1] - y) - Math.hypot(a[0] - x, a[1] - y)).slice(0, 2);
  return [...outer(first, middleOf(second)), ...outer(second, middleOf(first))];
}
