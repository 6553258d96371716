/** How far faces and their values are believed: what vision/faces/calibration.py computes. */

import { overlapsWithSides, viewPrior } from "./camera.js";
import { sigmoid, softmax } from "./detector.js";

/** @typedef {import("./camera.js").Camera} Camera */

/** Return n faces with `real`, the probability that a face points up there, `value`, `probs` of the
 *  values, and `confidence` that there is a face of this value.
 *  @param {ReadFace[]} faces from the detector, each with the classifier's `logits`, and `mark`, the size of what is in the middle of
 *    one that fills the picture, else 0
 *  @param {Point} size of the picture
 *  @param {boolean} halves whether they are halves of dominoes, which may be blank
 *  @param {Camera[]} among @param {EyesConstants} constants */
export function calibrated(faces, size, halves, among, constants) {
  const { nothing, aside, floor, least, fullSize, smallestPip, calibration } = constants;
  const logit = logitOf(constants);
  const rated = faces.map((face) => {
    const shares = softmax(face.logits);
    const pips = shares.slice(0, nothing);
    pips[0] = halves ? pips[0] + shares[nothing] : 0;
    const ofPips = normalized(pips);
    const probs = normalized(ofPips.map((share, value) => share * (face.values[value] + least)));
    const value = probs.indexOf(Math.max(...probs));
    const up = sum(shares.slice(halves ? 0 : 1, nothing));
    return { ...face, shares, ofPips, probs, value, up, anyFace: up + shares[aside] };
  });
  const others = rated.every(({ kept }) => kept) ? rated.map(({ kept }) => /** @type {AmongOthers} */ (kept)) : amongOthers(rated, size, among, constants, logit);
  return rated.map(({ shares: _, ofPips, up, anyFace, ...face }, i) => {
    const row = [
      1, logit(face.prob), logit(face.agreed), logit(anyFace), logit(up), logit(ofPips[face.value]),
      Math.log(face.values[face.value] + floor),
      Math.min(Math.max(Math.log(Math.max(face.size, 1) / fullSize), -2), 0),
      others[i].unlike, others[i].tilted, halves ? 0 : others[i].hangs,
    ];
    const isTray = !halves && face.value === 1 && face.mark > 0 && face.mark < smallestPip;
    const real = isTray ? 0 : sigmoid(dot(row, calibration.real));
    const ofHalf = halves && calibration.right_of_half.length;
    const right = ofHalf ? sigmoid(dot([...row, face.value ? 0 : 1], calibration.right_of_half)) : sigmoid(dot(row, calibration.right));
    return { ...face, real, right, confidence: real * right, others: others[i] };
  });
}

/** Return the log odds of a probability, which is neither 0 nor 1.
 *  @param {EyesConstants} constants */
export const logitOf = ({ floor }) => (/** @type {number} */ prob) => {
  const held = Math.min(Math.max(prob, floor), 1 - floor);
  return Math.log(held / (1 - held));
};

/** Return the probabilities of the values of a face: the likeliest has its calibrated one, and no other has more.
 *  @param {{probs: number[], value: number, right: number}} face */
export function valueProbs({ probs, value, right }) {
  const rest = probs.map((share, k) => (k === value ? 0 : share + 1e-3));
  const others = sum(rest);
  return normalized(rest.map((share, k) => (k === value ? right : Math.min((share * (1 - right)) / others, 0.99 * right))));
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((total, number, i) => total + number * b[i], 0);

/** @param {number[]} numbers */
function normalized(numbers) {
  const total = Math.max(sum(numbers), 1e-12);
  return numbers.map((number) => number / total);
}

/** Return for each face how it differs from the plain ones in size and in how it lies, and how like
 *  it is to the side of a die.
 *  @param {(ReadFace & {shares: number[]})[]} faces @param {Point} size @param {Camera[]} among @param {EyesConstants} constants
 *  @param {(prob: number) => number} logit */
function amongOthers(faces, size, among, constants, logit) {
  const { likely, usualSize, usualLie, foreign, fewest, nothing } = constants;
  const plain = faces.flatMap(({ prob, shares }, i) => (prob > likely && sum(shares.slice(1, nothing)) > likely ? [i] : []));
  const prior = viewPrior(faces, plain, size, among, constants);
  const sizes = faces.map((face, i) => Math.log(Math.max(face.size, 1) / prior.scale[i]));
  const hangs = faces.map(() => 0);
  const odds = faces.map(({ prob }) => Math.max(logit(prob) - logit(fewest), 0));
  overlapsWithSides(faces, prior.fall, (i, j, share) => (hangs[i] = Math.max(hangs[i], share * odds[j])));
  const off = (/** @type {number} */ value, /** @type {number} */ usual) => Math.min(Number.isNaN(value) ? usual : value, foreign) - usual;
  return faces.map((_, i) => {
    const rest = plain.filter((k) => k !== i).map((k) => sizes[k]);
    return { unlike: off(rest.length ? Math.abs(sizes[i] - median(rest)) : NaN, usualSize), tilted: off(prior.residual[i], usualLie), hangs: hangs[i] };
  });
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
