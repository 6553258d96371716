/** Choose which pairs of halves are dominoes, all at once: what vision/dominoes/matching.py computes. */

/** @typedef {[number, number]} Ends two places
 *  @typedef {{ends: Ends, weight: number}} Weighed */

const EQUAL = 1e-9; // difference of log odds that is rounding

/** Return the likeliest way to pair faces with their probabilities `real`, the most probable pair first. The probability
 *  of each is its share among all ways.
 *  @param {Ends[]} near neighbours @param {number[]} probs that each is one domino @param {number[]} real
 *  @param {EyesConstants} constants @param {(prob: number) => number} logit @returns {{ends: Ends, prob: number}[]} */
export function matched(near, probs, real, { oneTile, lone, mostOpen }, logit) {
  const alone = real.map((share) => Math.log(lone + (1 - lone) * (1 - share)));
  const every = near.map((ends, k) => ({ ends, weight: logit(probs[k]) - logit(oneTile) }));
  const shares = new Map(groups(narrow(every, mostOpen)).flatMap((group) => {
    const places = new Set(group.flatMap(({ ends }) => ends));
    const whole = total(group, places, alone, either);
    return group.map((pair) => [pair, Math.exp(pair.weight + total(...without(group, places, pair), alone, either) - whole)]);
  }));
  const chosen = groups(narrow(every.filter(({ weight }) => weight >= 0), mostOpen)).flatMap((group) => likeliest(group, alone));
  return chosen.map((pair) => ({ ends: pair.ends, prob: shares.get(pair) ?? 0 })).sort((a, b) => b.prob - a.prob);
}

/** Return the pairs of the matching with the largest sum of weights.
 *  @param {Weighed[]} group @param {number[]} alone */
function likeliest(group, alone) {
  let places = new Set(group.flatMap(({ ends }) => ends));
  let left = group;
  return [...group].sort((a, b) => b.weight - a.weight).filter((pair) => {
    if (!left.includes(pair)) return false;
    const [rest, others] = without(left, places, pair);
    const isTaken = pair.weight + total(rest, others, alone, Math.max) >= total(left, places, alone, Math.max) - EQUAL;
    [left, places] = isTaken ? [rest, others] : [left.filter((other) => other !== pair), places];
    return isTaken;
  });
}

/** @param {number} a @param {number} b */
const either = (a, b) => Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));

/** Return what is left to decide when a pair is a domino: other pairs, and places.
 *  @param {Weighed[]} pairs @param {Set<number>} places @param {Weighed} taken @returns {[Weighed[], Set<number>]} */
function without(pairs, places, { ends }) {
  return [pairs.filter((pair) => !pair.ends.some((place) => ends.includes(place))), new Set([...places].filter((place) => !ends.includes(place)))];
}

/** Return the log weight of all matchings of pairs, or of the likeliest, as `add` has it.
 *  @param {Weighed[]} pairs @param {Set<number>} places that stay alone or not @param {number[]} alone log odds of it
 *  @param {(a: number, b: number) => number} add */
function total(pairs, places, alone, add) {
  const paired = new Set(pairs.flatMap(({ ends }) => ends));
  let table = new Map([[0, 0]]); // log weights by which of the open places are taken, a bit each
  /** @type {(number | undefined)[]} */
  const open = [];
  const bitOf = (/** @type {number} */ place) => {
    let at = open.indexOf(place);
    if (at < 0) open[(at = open.includes(undefined) ? open.indexOf(undefined) : open.length)] = place;
    return 1 << at;
  };
  for (const { place, joins } of orderOf(pairs) ?? []) {
    for (const { ends: [a, b], weight } of joins) {
      const both = bitOf(a) | bitOf(b);
      for (const [taken, before] of [...table])
        if (!(taken & both)) table.set(taken | both, add(table.get(taken | both) ?? -Infinity, before + weight));
    }
    const bit = bitOf(place);
    const next = new Map();
    for (const [taken, before] of table) next.set(taken & ~bit, add(next.get(taken & ~bit) ?? -Infinity, before + (taken & bit ? 0 : alone[place])));
    table = next;
    open[open.indexOf(place)] = undefined;
  }
  return [...places].reduce((sum, place) => sum + (paired.has(place) ? 0 : alone[place]), table.get(0) ?? 0);
}

/** Return the pairs without the least likely ones, so that few places are undecided at once.
 *  @param {Weighed[]} pairs @param {number} mostOpen */
function narrow(pairs, mostOpen) {
  const kept = [...pairs].sort((a, b) => b.weight - a.weight);
  while (!orderOf(kept, mostOpen)) kept.pop();
  return kept;
}

/** Return the places in an order that keeps few undecided, each with its remaining pairs; null if more than `most` would be.
 *  @param {Weighed[]} pairs */
function orderOf(pairs, most = 30) {
  /** @type {Map<number, Weighed[]>} */
  const left = new Map();
  for (const pair of pairs) for (const place of pair.ends) left.set(place, [...(left.get(place) ?? []), pair]);
  const other = (/** @type {Weighed} */ { ends: [a, b] }, /** @type {number} */ place) => (a === place ? b : a);
  /** @type {Set<number>} */
  const opened = new Set();
  const order = [];
  while (left.size) {
    const closed = (/** @type {number} */ place) => (left.get(place) ?? []).filter((pair) => !opened.has(other(pair, place))).length;
    const place = [...(opened.size ? opened : left.keys())].reduce((best, one) => (closed(one) < closed(best) ? one : best));
    const joins = left.get(place) ?? [];
    for (const one of [place, ...joins.map((pair) => other(pair, place))]) opened.add(one);
    if (opened.size > most) return null;
    order.push({ place, joins });
    for (const pair of joins) left.set(other(pair, place), (left.get(other(pair, place)) ?? []).filter((one) => one !== pair));
    left.delete(place);
    opened.delete(place);
    for (const one of [...opened].filter((at) => !left.get(at)?.length)) {
      order.push({ place: one, joins: [] });
      left.delete(one);
      opened.delete(one);
    }
  }
  return order;
}

/** Return the pairs in groups that share no place.
 *  @param {Weighed[]} pairs @returns {Weighed[][]} */
function groups(pairs) {
  /** @type {Weighed[][]} */
  let found = [];
  for (const pair of pairs) {
    const touching = found.filter((group) => group.some(({ ends }) => ends.some((place) => pair.ends.includes(place))));
    found = [...found.filter((group) => !touching.includes(group)), [pair, ...touching.flat()]];
  }
  return found;
}
