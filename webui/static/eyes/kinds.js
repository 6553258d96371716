/** Recognise what a place shows before its value is believed: what vision/faces/kinds.py computes. */

import { logitOf } from "./calibration.js";
import { rectified, warped } from "./classifier.js";
import { sigmoid, softmax } from "./detector.js";

/** @typedef {ReturnType<typeof headOf>} KindHead */

/** Return for faces of a picture the probabilities of all kinds of things.
 *  @param {import("./picture.js").Picture} picture @param {FoundFace[]} faces @param {Networks["trunk"]} trunk
 *  @param {KindHead} head @param {EyesConstants} constants */
export async function kindProbs(picture, faces, trunk, head, constants) {
  if (!faces.length) return [];
  const { side, coarsest, least, kinds } = constants;
  const logit = logitOf(constants);
  const quads = faces.map(({ quad }) => quad);
  const around = { wide: side, high: side, edge: (side * (1 - 1 / kinds.wide)) / 2, coarsest };
  const near = await trunk(levelled(rectified(picture, quads, constants), constants), faces.length);
  const wide = await trunk(levelled(warped(picture, quads, around), constants), faces.length);
  return faces.map(({ prob, agreed, half, values, size }, i) => {
    const found = [logit(prob), logit(agreed), logit(half), ...values.map((share) => Math.log(share + least)), Math.log(Math.max(size, 1))];
    return head.probs([...near[i], ...wide[i], ...found]);
  });
}

/** Return crops, (n, 3, side, side), in grey, each with one mean and contrast.
 *  @param {Float32Array} crops @param {EyesConstants} constants */
function levelled(crops, { side, kinds: { middle, spread, steepest } }) {
  const plane = side * side;
  const out = new Float32Array(crops.length);
  for (let first = 0; first < crops.length; first += 3 * plane) {
    const grey = out.subarray(first, first + plane).map((_, at) => 85 * (crops[first + at] + crops[first + plane + at] + crops[first + 2 * plane + at]));
    const mean = grey.reduce((sum, level) => sum + level, 0) / plane;
    const off = Math.sqrt(grey.reduce((sum, level) => sum + (level - mean) ** 2, 0) / plane);
    const contrast = Math.min(spread / Math.max(off, 1), steepest);
    const even = grey.map((level) => Math.floor(Math.min(Math.max(middle + (level - mean) * contrast, 0), 255)) / 255);
    for (let channel = 0; channel < 3; channel++) out.set(even, first + channel * plane);
  }
  return out;
}

/** Return the network with one hidden layer that tells kinds from features.
 *  @param {Float32Array} weights mean and spread of the features, both layers, each with its biases last, and of `faceProb`
 *  @param {EyesConstants} constants */
export function headOf(weights, constants) {
  const { names, features, hidden } = constants.kinds;
  const logit = logitOf(constants);
  const spread = weights.subarray(features);
  const inner = weights.subarray(2 * features);
  const outer = inner.subarray((features + 1) * hidden);
  const through = (/** @type {number[]} */ given, /** @type {Float32Array} */ layer, /** @type {number} */ width) =>
    Array.from({ length: width }, (_, k) => given.reduce((sum, one, i) => sum + one * layer[i * width + k], layer[given.length * width + k]));
  const [bias, own, around] = weights.slice(-3);
  return {
    /** Return the probabilities of the kinds. */
    probs(/** @type {number[]} */ row) {
      const even = row.map((one, i) => (one - weights[i]) / spread[i]);
      return softmax(through(through(even, inner, hidden).map((one) => Math.max(one, 0)), outer, names.length));
    },
    /** Return the probability that a face points up: `real` by the calibration, which knows the face, and `die` that of
     *  one by this head, which knows what is around it. */
    faceProb: (/** @type {number} */ real, /** @type {number} */ die) => sigmoid(bias + own * logit(real) + around * logit(die)),
  };
}
