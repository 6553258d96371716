/** Pieces without a value to read, on a photo of dice or of dominoes alone: what vision/unread.py computes. */

import { showsBar } from "./bars.js";
import { tileQuad } from "./dominoes.js";
import { headOf, kindProbs } from "./kinds.js";
import { middleOf, sideOf } from "./shapes.js";

/** @typedef {import("./picture.js").Picture} Picture
 *  @typedef {import("./dominoes.js").Pair} Pair
 *  @typedef {import("./dominoes.js").Rated} Rated
 *  @typedef {import("./kinds.js").KindHead} KindHead
 *  @typedef {{rated: Rated[], pairs: Pair[]}} Joined faces, and which of them are dominoes
 *  @typedef {(i: number, ...kinds: string[]) => number} Share the probability that face i is of some kinds */

/** Return faces and dominoes of a photo, those without a value `gone` or apart as `unread`, px of the picture; dice are
 *  believed by what is around them.
 *  @param {Picture} picture @param {Joined} joined @param {Rated[] | null} asDie halves of dominoes, taken for dice
 *  @param {Networks} networks @param {EyesConstants} constants @returns {Promise<Joined & {unread: UnreadPiece[]}>} */
export async function withoutUnread(picture, { rated, pairs }, asDie, networks, constants) {
  const { kinds, calibration, guess } = constants;
  const dice = asDie ?? rated;
  const head = headOf(await networks.head(), constants);
  const paired = halvesOf(pairs);
  const blanks = pairs.filter(({ ends }) => ends.every((i) => !rated[i].value));
  const isLikely = (/** @type {number} */ i) => dice[i].real < calibration.sure && Math.max(rated[i].real, dice[i].real) >= calibration.missed;
  const looked = rated.map((_, i) => (paired.has(i) ? halvesOf(blanks).has(i) : isLikely(i)));
  const found = await kindProbs(picture, rated.filter((_, i) => looked[i]), networks.trunk, head, constants);
  /** @type {number[][]} */
  const probs = looked.map((is) => (is && found.shift()) || kinds.names.map(() => 0));
  /** @type {Share} */
  const share = (i, ...names) => names.reduce((sum, name) => sum + probs[i][kinds.names.indexOf(name)], 0);
  const back = blanks.length ? shareOfBack(pairs.filter((pair) => !blanks.includes(pair)).map(hasBar), kinds) : 0;
  for (const { ends, prob } of blanks) {
    const [a, b] = ends.map((i) => probs[i]);
    const both = a.map((own, k) => (own + b[k]) / 2);
    const at = kinds.names.indexOf("back");
    if (!hasBar({ ends, prob })) both[at] = Math.max(both[at], back);
    for (const i of ends) probs[i] = both;
  }
  const looksNone = (/** @type {number} */ i) => !asDie && rated[i].real < kinds.certain && share(i, "printed", "nothing") >= kinds.none;
  const hasOthers = rated.some(({ real }, i) => real >= kinds.perhaps && !looksNone(i));
  const isNone = (/** @type {number} */ i) => looksNone(i) && (share(i, "printed") > share(i, "nothing") || hasOthers || !isCloseUp(rated[i]));
  const isGone = (/** @type {number} */ i) => share(i, "back") >= kinds.down || (!paired.has(i) && (isNone(i) || share(i, "numbered") >= kinds.numerals));
  const printed = halvesOf(printedPairs(pairs.filter(({ ends }) => !isGone(ends[0])), rated, kinds));
  for (const i of printed) probs[i] = kinds.names.map((/** @type {string} */ kind) => Number(kind === "printed"));
  const known = rated.map((face, i) => ({
    ...face,
    ...(!asDie && looked[i] ? believed(face, share(i, "die")) : {}),
    gone: printed.has(i) || isGone(i),
    doubted: paired.has(i) && share(i, "back") >= kinds.doubted,
  }));
  return { rated: known, pairs: pairs.filter(({ ends }) => !known[ends[0]].gone), unread: unreadPieces(known, pairs, share, kinds) };

  /** @param {Pair} pair */
  function hasBar({ ends: [a, b] }) {
    return showsBar(picture, [rated[a].quad, rated[b].quad], constants);
  }

  /** @param {Rated} face */
  function isCloseUp({ quad, real, right }) {
    const isLarge = sideOf(quad) >= kinds.closeUp * Math.min(picture.width, picture.height);
    return isLarge && real >= kinds.perhaps && right >= kinds.legible;
  }

  /** Return how a doubtful die is believed; what is around it may only speak for it.
   *  @param {Rated} face @param {number} die */
  function believed({ real, right, confidence }, die) {
    if (real < calibration.shown || confidence < guess) return {};
    const most = Math.max(real, head.faceProb(real, die));
    return { real: most, confidence: most * right };
  }
}

/** @param {Pair[]} pairs */
const halvesOf = (pairs) => new Set(pairs.flatMap(({ ends }) => ends));
/** @param {Point} from @param {Point} to */
const distance = (from, to) => Math.hypot(to[0] - from[0], to[1] - from[1]);

/** Return the probability of a back of a double blank without a bar, by whether the `others` have theirs.
 *  @param {boolean[]} others @param {EyesConstants} kinds */
function shareOfBack(others, { bare, bareAmongBarred, fewest }) {
  return others.length >= fewest && others.every(Boolean) ? bareAmongBarred : bare;
}

/** Return the dominoes that are the print of a board: more equal ones than any sets have.
 *  @param {Pair[]} pairs @param {Rated[]} rated @param {EyesConstants} kinds @returns {Pair[]} */
function printedPairs(pairs, rated, { copies, board, lattice }) {
  const valuesOf = (/** @type {Pair} */ { ends }) => String(ends.map((i) => rated[i].value).sort());
  const equal = pairs.filter((pair) => pairs.filter((other) => valuesOf(other) === valuesOf(pair)).length >= copies);
  const blank = equal.filter((pair) => valuesOf(pair) === "0,0");
  const isPrint = blank.length >= board && isLattice(blank.map(({ ends }) => ends.map((i) => rated[i].middle)), lattice);
  const print = isPrint ? equal : equal.filter((pair) => !blank.includes(pair));
  return print.length >= board ? print : [];
}

/** Say whether all dominoes have their nearest one equally far away.
 *  @param {Point[][]} dominoes the middles of both halves @param {number} lattice */
function isLattice(dominoes, lattice) {
  const middles = dominoes.map(([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
  const nearest = dominoes.map(([a, b], i) => Math.min(...middles.filter((_, k) => k !== i).map((at) => distance(at, middles[i]))) / distance(a, b));
  const mean = nearest.reduce((sum, away) => sum + away, 0) / nearest.length;
  const spread = Math.sqrt(nearest.reduce((sum, away) => sum + (away - mean) ** 2, 0) / nearest.length);
  return spread < lattice * mean;
}

/** Return the pieces without a value, the likeliest first: whole dominoes, and single places that are not on one.
 *  @param {Rated[]} rated @param {Pair[]} pairs @param {Share} share @param {EyesConstants} kinds @returns {UnreadPiece[]} */
function unreadPieces(rated, pairs, share, { down, beside }) {
  const likely = (/** @type {number} */ i, /** @type {Quad} */ quad, /** @type {string[]} */ names) =>
    names.map((kind) => ({ kind, quad, probability: share(i, kind) })).filter(({ probability }) => probability >= down);
  const valueless = pairs.filter(({ ends }) => rated[ends[0]].gone);
  const pieces = valueless.flatMap(({ ends: [a, b] }) => likely(a, tileQuad([rated[a].quad, rated[b].quad]), ["back", "printed"]));
  const single = rated.flatMap(({ gone, quad }, i) => (gone && !halvesOf(valueless).has(i) ? likely(i, quad, ["back", "numbered"]) : []));
  const first = (/** @type {UnreadPiece} */ a, /** @type {UnreadPiece} */ b) => b.probability - a.probability;
  for (const one of single.sort(first))
    if (pieces.every(({ quad }) => distance(middleOf(quad), middleOf(one.quad)) > beside * sideOf(one.quad))) pieces.push(one);
  return pieces.sort(first);
}
