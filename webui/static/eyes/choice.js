/** Choose which dice on a photo are reported and which places a person is asked about: what vision/assemble.py and
 *  vision/faces/other_objects.py do. */

import { median } from "./calibration.js";
import { rectified } from "./classifier.js";
import { softmax } from "./detector.js";
import { hasRoundMark, spreadOfMark } from "./pips.js";
import { overSmaller } from "./shapes.js";

/** @typedef {import("./dominoes.js").Rated} Rated
 *  @typedef {{shown: Rated[], perhaps: Rated[]}} Chosen */

/** Return single faces of a photo without what is `gone` and, of dice, without places that are hardly one, numerals on
 *  their sides, and a pattern such as a cloth's; of dominoes, without gaps between their `halves`.
 *  @param {import("./picture.js").Picture} picture @param {Chosen} found @param {Rated[] | null} halves null: they are dice
 *  @param {EyesConstants} constants @returns {Chosen} */
export function chosen(picture, { shown, perhaps }, halves, constants) {
  const { choice, marks, nothing, fullSize, calibration } = constants;
  const isLeft = (/** @type {Rated} */ { gone }) => !gone;
  if (halves) {
    const gaps = gapsAmong(picture, [...shown, ...perhaps], halves, constants);
    const isHalf = (/** @type {Rated} */ face) => isLeft(face) && !gaps.includes(face);
    return { shown: shown.filter(isHalf), perhaps: perhaps.filter(isHalf) };
  }
  const cropOf = (/** @type {Rated} */ { quad }) => rectified(picture, [quad], constants);
  const isLong = (/** @type {Rated} */ face) => spreadOfMark(cropOf(face), constants) > marks.disc;
  const isRound = (/** @type {Rated} */ face) => hasRoundMark(cropOf(face), constants);
  const asked = perhaps.filter((face) => !isOther(face));
  const strange = [...shown, ...asked].filter(isNumeral);
  const sure = strange.length ? shown.filter(({ confidence }) => confidence >= calibration.sure) : [];
  const numerals = sure.filter(isRound).length > sure.length / 2 ? strange : []; // else the photo is blurred
  const [reported, open] = [shown, asked].map((faces) => faces.filter((face) => !numerals.includes(face)));
  const dice = reported.filter(isLeft);
  const missed = open.filter((face) => isLeft(face) && (dice.length || face.real >= choice.nearly));
  const places = missed.length + [...reported, ...open].filter(({ gone }) => gone).length;
  const isPattern = places >= choice.repeated && places > choice.sides * dice.length && !dice.some(({ confidence }) => confidence >= choice.likely);
  return isPattern ? { shown: [], perhaps: [] } : { shown: dice, perhaps: missed.filter(({ real }) => real >= choice.perhaps) };

  /** Say whether a place is not worth a question: it is certainly no face, no value of it is likely, or it is unlike the
   *  dice that are shown or lies on one.
   *  @param {Rated} face */
  function isOther(face) {
    const { logits, confidence, right, size, quad, value } = face;
    if (softmax(logits)[nothing] > choice.certain || confidence < choice.illegible) return true;
    if (choice.legible.some((/** @type {number[]} */ [side, least]) => size >= side && right < least)) return true;
    const isUnlike = shown.length && Math.abs(Math.log(Math.max(size, 1) / median(shown.map((die) => die.size)))) > choice.unlike;
    return isUnlike || shown.some((die) => overSmaller(quad, die.quad) > choice.onAnother) || (value === 1 && isLong(face));
  }

  /** Say whether a doubtful place is the side of a die with numerals, if the pips of the others are round.
   *  @param {Rated} face */
  function isNumeral(face) {
    const isWhole = face.quad.every(([x, y]) => x >= 0 && y >= 0 && x <= picture.width && y <= picture.height);
    return isWhole && face.real < choice.doubtful && face.size >= fullSize && (face.value === 1 ? isLong(face) : !isRound(face));
  }
}

/** Return the blank places that have the colour of no half of a domino: what they lie on.
 *  @param {import("./picture.js").Picture} picture @param {Rated[]} places @param {Rated[]} halves @param {EyesConstants} constants */
function gapsAmong(picture, places, halves, constants) {
  const { side, gaps } = constants;
  const blank = places.filter(({ value }) => value === 0);
  if (!blank.length || !halves.length) return [];
  const wide = side - 2 * gaps.rim;
  const inside = Array.from({ length: wide * wide }, (_, at) => (Math.floor(at / wide) + gaps.rim) * side + (at % wide) + gaps.rim);
  const bodyOf = (/** @type {Rated} */ { quad }) => {
    const crop = rectified(picture, [quad], constants);
    return [0, 1, 2].map((channel) => 255 * median(inside.map((at) => crop[channel * side * side + at])));
  };
  const away = (/** @type {number[]} */ one, /** @type {number[]} */ other) => Math.hypot(...one.map((level, k) => level - other[k]));
  const bodies = halves.map(bodyOf);
  const alike = Math.max(gaps.ofColour, ...bodies.flatMap((one) => bodies.map((other) => away(one, other))));
  return blank.filter((face) => bodies.every((half) => away(bodyOf(face), half) >= alike));
}
