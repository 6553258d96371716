/** Wooden sounds, made as they are played: no file is loaded. */

// Of each strike when it comes, s; its pitch, Hz; and how long it rings, s.
/** @type {Record<string, number[][]>} */
const STRIKES = {
  read: [[0, 1900, 0.04]],
  counted: [[0, 250, 0.1], [0.16, 215, 0.13]],
  refused: [[0, 110, 0.28]],
  won: [0, 0.07, 0.13, 0.2, 0.28, 0.38, 0.5, 0.66].map((at, place) => [at, 330 + 45 * ((place * 5) % 7), 0.07]),
};
const LOUD = 0.35;
const SILENT = 0.0001;
/** @type {AudioContext | null} */
let own = null;

/** Play what `kind` sounds like; browsers keep a page silent that nobody has touched yet.
 *  @param {string} kind */
export function play(kind) {
  if (navigator.userActivation?.hasBeenActive === false || typeof AudioContext === "undefined") return;
  own ??= new AudioContext();
  const context = own;
  context.resume();
  for (const [after, pitch, length] of STRIKES[kind]) strike(context, context.currentTime + after, pitch, length);
}

/** @param {AudioContext} context @param {number} at @param {number} pitch @param {number} length */
function strike(context, at, pitch, length) {
  const wood = context.createOscillator();
  const fading = context.createGain();
  wood.type = "triangle";
  wood.frequency.setValueAtTime(pitch, at);
  wood.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + length);
  fading.gain.setValueAtTime(LOUD, at);
  fading.gain.exponentialRampToValueAtTime(SILENT, at + length);
  wood.connect(fading).connect(context.destination);
  wood.start(at);
  wood.stop(at + length);
}
