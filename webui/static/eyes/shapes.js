/** Quads of px, four corners [x, y] clockwise: their sizes, and how much of their areas two share. */

/** @param {Quad} quad */
export const middleOf = (quad) => [0, 1].map((axis) => quad.reduce((sum, at) => sum + at[axis], 0) / 4);

/** Return the side of the square with the area of a quad.
 *  @param {Quad} quad */
export function sideOf([a, b, c, d]) {
  return Math.sqrt(Math.abs((c[0] - a[0]) * (d[1] - b[1]) - (c[1] - a[1]) * (d[0] - b[0])) / 2);
}

/** Return how far the farthest corner is from the middle.
 *  @param {Quad} quad @param {Point} middle */
export const reachOf = (quad, [x, y] = middleOf(quad)) => Math.max(...quad.map((at) => Math.hypot(at[0] - x, at[1] - y)));

/** @param {Point[]} ring */
function areaOf(ring) {
  let twice = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) twice += ring[j][0] * ring[i][1] - ring[i][0] * ring[j][1];
  return Math.abs(twice) / 2;
}

/** Return the area that two convex clockwise quads share (Sutherland and Hodgman, 1974).
 *  @param {Quad} first @param {Quad} second */
export function commonArea(first, second) {
  let ring = first;
  for (let k = 0; k < second.length && ring.length; k++) {
    const [a, b] = [second[k], second[(k + 1) % second.length]];
    const side = (/** @type {Point} */ [x, y]) => (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
    /** @type {Point[]} */
    const cut = [];
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [from, to] = [side(ring[j]), side(ring[i])];
      if (from >= 0 !== to >= 0) {
        const share = from / (from - to);
        cut.push([0, 1].map((axis) => ring[j][axis] + share * (ring[i][axis] - ring[j][axis])));
      }
      if (to >= 0) cut.push(ring[i]);
    }
    ring = cut;
  }
  return ring.length > 2 ? areaOf(ring) : 0;
}

/** Return the shared area of two quads over the smaller one.
 *  @param {Quad} a @param {Quad} b */
export const overSmaller = (a, b) => commonArea(a, b) / Math.max(Math.min(areaOf(a), areaOf(b)), 1e-6);

/** Return the shared area of two quads over that of both together.
 *  @param {Quad} a @param {Quad} b */
export function overBoth(a, b) {
  const both = commonArea(a, b);
  return both / Math.max(areaOf(a) + areaOf(b) - both, 1e-6);
}

/** Return the quads' indices whose middle and most of whose area are on a picture.
 *  @param {Quad[]} quads @param {number} width @param {number} height @param {number} mostly */
export function mostlyOn(quads, width, height, mostly) {
  const edge = [[0, 0], [width, 0], [width, height], [0, height]];
  return quads.flatMap((quad, i) => {
    const [x, y] = middleOf(quad);
    if (x < 0 || y < 0 || x >= width || y >= height) return [];
    const whole = quad.every((at) => at[0] >= 0 && at[1] >= 0 && at[0] <= width && at[1] <= height);
    return whole || commonArea(quad, edge) > mostly * areaOf(quad) ? [i] : [];
  });
}
