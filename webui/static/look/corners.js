/** Four corners on a photo: where a board lies that was not found, or was found in the wrong place.
 *
 *  A corner is dragged, tapped to (the next one follows), or moved with the arrow keys; a loupe shows
 *  what a thumb covers. All places are px of the photo.
 */

import { svg } from "../page/dom.js";
import { fromUnitSquare, toUnitSquare } from "./quads.js";
import { _ } from "../page/words.js";

export const CORNERS = [_("upper left"), _("upper right"), _("lower right"), _("lower left")];
const MARGIN = 0.06; // of the photo's longer side, shown around it: a corner may be cut off
const INSET = 0.15; // of the photo, from its edges to the frame that is offered at first
const REACH = 34; // CSS px from a corner within which a finger takes hold of it
const TOUCH = 26; // CSS px around a corner that are its own, also where a line's handle is nearer
const STILL = 5; // CSS px that a tap may move
const RING = 15; // CSS px, the radius of a handle
const DOT = 8; // CSS px, that of a line's
const BESIDE = 16; // CSS px from the board to a line's handle
const LOUPE = 118; // CSS px, its side
const ZOOM = 3; // of the loupe
/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAST = 10; // CSS px that an arrow moves a corner with Shift; else one

/** @typedef {import("./lattice.js").Lattice} Lattice
 *  @typedef {{pointer: number, line?: number, place: number, by: Point, at: Point, taken: boolean, still: boolean}} Held */

export class Corners {
  photo = /** @type {DraftPhoto} */ (/** @type {unknown} */ (null)); // until one is shown
  /** @type {Quad[]} */ cells = [];
  /** @type {Lattice | null} */ lattice = null; // its lines are shown where there is one, to be dragged
  next = 0; // the corner that a tap puts
  /** @type {Quad} */ points = [];
  /** @type {Quad} */ offered = []; // those of the points that nobody has set yet
  box = [0, 0, 1, 1];
  /** @type {SVGGElement[]} */ layers = [];
  /** @type {SVGGElement[]} */ handles = [];
  /** @type {SVGGElement[]} */ drags = [];
  cross = svg("path", { class: "cross" });
  glass = svg("svg");
  rim = svg("rect", { class: "rim" });
  loupe = svg("g");
  /** @type {Held | null} */ held = null; // the corner under a finger, see press

  /** @param {SVGSVGElement} view the svg that shows photo and corners @param {() => void} moved hears that a corner has another place */
  constructor(view, moved = () => {}) {
    this.view = view;
    this.moved = moved;
    view.addEventListener("pointerdown", (event) => this.press(event));
    view.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) view.addEventListener(end, (event) => this.release(event));
    new ResizeObserver(() => this.photo && this.draw()).observe(view);
  }

  /** Show a photo {href, width, height}, and the board at `points`, or in a frame where it is not known.
   *  `cells` are the quads of its cells on the unit square, drawn to be laid over the print.
   *  @param {DraftPhoto} photo @param {Quad | null} points @param {Quad[]} cells */
  show(photo, points, cells) {
    this.photo = photo;
    this.cells = cells;
    this.lattice = null;
    this.next = 0;
    const { width, height } = photo;
    const [x, y] = [INSET * width, INSET * height];
    this.offered = points ? [] : [[x, y], [width - x, y], [width - x, height - y], [x, height - y]];
    this.points = points?.map((point) => [...point]) ?? [...this.offered];
    const margin = MARGIN * Math.max(width, height);
    this.box = [-margin, -margin, width + 2 * margin, height + 2 * margin];
    this.view.setAttribute("viewBox", this.box.join(" "));
    this.view.style.aspectRatio = `${this.box[2]} / ${this.box[3]}`;
    this.build();
    this.draw();
    this.moved();
  }

  /** Make what is drawn, once: handles keep the focus while they move. */
  build() {
    const { href, width, height } = this.photo;
    const picture = () => svg("image", { href, width, height, preserveAspectRatio: "none" });
    const lines = () => svg("g", { class: "board-lines" });
    this.layers = [lines(), lines()];
    this.handles = CORNERS.map((name, place) =>
      svg(
        "g",
        {
          class: "corner", tabindex: 0, role: "button", "data-corner": place,
          keydown: (event) => this.key(event, place), focus: () => this.choose(place), blur: () => this.draw(),
        },
        svg("circle", { class: "hit" }), svg("circle", { class: "under" }), svg("circle", { class: "edge" }),
        svg("text", { class: "word" }, String(place + 1)),
      ),
    );
    this.drags = (this.lattice?.inner ?? []).map(([axis, line]) =>
      svg(
        "g",
        { class: "corner line", tabindex: 0, role: "button", keydown: (event) => this.keyLine(event, axis, line), focus: () => this.draw(), blur: () => this.draw() },
        svg("circle", { class: "hit" }), svg("circle", { class: "under" }), svg("circle", { class: "edge" }),
      ),
    );
    this.glass = svg("svg", { class: "glass" }, svg("rect", { class: "ground", ...this.ground }), picture(), this.layers[1], this.cross);
    this.loupe = svg("g", { class: "loupe", "aria-hidden": "true" }, this.glass, this.rim);
    this.view.replaceChildren(picture(), this.layers[0], ...this.drags, ...this.handles, this.loupe);
  }

  /** Let the lines of a lattice be dragged too, or none.
   *  @param {Lattice | null} lattice */
  setLattice(lattice) {
    this.lattice = lattice;
    this.build();
    this.draw();
  }

  /** The quads of the cells on the unit square. */
  get laid() {
    return this.lattice?.quads ?? this.cells;
  }

  get ground() {
    const [x, y, width, height] = this.box;
    return { x: x - width, y: y - height, width: 3 * width, height: 3 * height };
  }

  /** px of the photo to a CSS px. */
  get unit() {
    const { width, height } = this.view.getBoundingClientRect();
    return width ? Math.max(this.box[2] / width, this.box[3] / height) : this.box[2] / 328;
  }

  draw() {
    const { unit } = this;
    const at = fromUnitSquare(this.points);
    const rings = [...this.laid.map((quad) => quad.map(([u, v]) => at(u, v))), this.points];
    const polygons = (/** @type {string} */ kind) =>
      rings.map((ring, place) =>
        svg("polygon", { class: `${kind} ${place === rings.length - 1 ? "outer" : ""}`, points: ring.map((one) => one.join()).join(" ") }),
      );
    for (const layer of this.layers) layer.replaceChildren(...polygons("under"), ...polygons("edge"));
    this.handles.forEach((handle, place) => {
      const [x, y] = this.points[place];
      handle.classList.toggle("next", place === this.next);
      for (const circle of handle.querySelectorAll("circle")) {
        const radius = (circle.classList.contains("hit") ? TOUCH : RING) * unit;
        for (const [name, value] of Object.entries({ cx: x, cy: y, r: radius })) circle.setAttribute(name, String(value));
      }
      const [dx, dy] = [[-1, -1], [1, -1], [1, 1], [-1, 1]][place]; // outside the board, not over its corner
      const word = handle.querySelector("text");
      for (const [name, value] of Object.entries({ x: x + 1.9 * RING * unit * dx, y: y + 1.9 * RING * unit * dy, "font-size": 16 * unit }))
        word?.setAttribute(name, String(value));
      const [across, down] = [x / this.photo.width, y / this.photo.height].map((share) => Math.round(100 * share));
      handle.setAttribute("aria-label", _("{corner} corner: {across} % from the left, {down} % from the top", { corner: CORNERS[place], across, down }));
    });
    this.drawLines(unit);
    this.drawLoupe(unit);
  }

  /** Draw a line's handle at its end, beside the board.
   *  @param {number} unit */
  drawLines(unit) {
    const { lattice } = this;
    if (!lattice) return;
    this.drags.forEach((handle, place) => {
      const [axis, line] = lattice.inner[place];
      const [x, y] = this.endOf(lattice, axis, line);
      for (const circle of handle.querySelectorAll("circle")) {
        const radius = (circle.classList.contains("hit") ? REACH * 0.4 : DOT) * unit;
        for (const [name, value] of Object.entries({ cx: x, cy: y, r: radius })) circle.setAttribute(name, String(value));
      }
      const share = Math.round(100 * lattice.lines[axis][line]);
      const words = axis ? _("level line {line}: {share} % from the upper side", { line, share }) : _("upright line {line}: {share} % from the left side", { line, share });
      handle.setAttribute("aria-label", words);
    });
  }

  /** Where the handle of a line stands, px of the photo: upright ones above the board, level ones at its left.
   *  @param {Lattice} lattice @param {number} axis @param {number} line */
  endOf(lattice, axis, line) {
    const at = fromUnitSquare(this.points);
    const value = lattice.lines[axis][line];
    const [end, inside] = axis ? [at(0, value), at(0.1, value)] : [at(value, 0), at(value, 0.1)];
    const [dx, dy] = [end[0] - inside[0], end[1] - inside[1]];
    const away = (BESIDE * this.unit) / (Math.hypot(dx, dy) || 1);
    return [end[0] + dx * away, end[1] + dy * away];
  }

  /** Show what lies under the finger, or at the corner with the keyboard's focus, away from it.
   *  @param {number} unit */
  drawLoupe(unit) {
    const place = this.held?.place ?? this.handles.findIndex((handle) => handle === document.activeElement);
    const line = this.held?.line ?? this.drags.findIndex((handle) => handle === document.activeElement);
    const shown = (place >= 0 || line >= 0) && (this.held || document.activeElement?.matches(":focus-visible"));
    this.loupe.toggleAttribute("hidden", !shown);
    if (!shown) return;
    const [x, y] = line >= 0 && !(Number(this.held?.place) >= 0) ? this.onLine(line) : this.points[place];
    const [left, top, width] = this.box;
    const side = LOUPE * unit;
    const [gap, part] = [6 * unit, side / ZOOM];
    const right = x < left + width / 2;
    const place_ = { x: right ? left + width - side - gap : left + gap, y: top + gap, width: side, height: side };
    for (const [name, value] of Object.entries(place_)) {
      this.glass.setAttribute(name, String(value));
      this.rim.setAttribute(name, String(value));
    }
    this.glass.setAttribute("viewBox", [x - part / 2, y - part / 2, part, part].join(" "));
    this.cross.setAttribute("d", `M${x - part / 4} ${y}h${part / 2}M${x} ${y - part / 4}v${part / 2}`);
  }

  /** Where a line begins on the board, px of the photo.
   *  @param {number} place */
  onLine(place) {
    const lattice = /** @type {Lattice} */ (this.lattice);
    const [axis, line] = lattice.inner[place];
    const value = lattice.lines[axis][line];
    return fromUnitSquare(this.points)(axis ? 0 : value, axis ? value : 0);
  }

  // -------------------------------------------------------------- fingers and keys

  /** @param {PointerEvent} event */
  at({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(/** @type {DOMMatrix} */ (this.view.getScreenCTM()).inverse());
    return [point.x, point.y];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.photo || this.held || event.button) return;
    event.preventDefault(); // no text is selected, no page scrolled
    const at = this.at(event);
    const away = this.points.map((point) => distance(point, at));
    const line = this.lineAt(at, Math.min(...away));
    if (line >= 0) {
      this.held = { line, place: -1, by: [0, 0], at, taken: true, still: false, pointer: event.pointerId };
      this.view.setPointerCapture(event.pointerId);
      this.drags[line].focus({ preventScroll: true });
      return;
    }
    const nearest = away.indexOf(Math.min(...away));
    const taken = away[nearest] < REACH * this.unit;
    const place = taken ? nearest : this.next;
    const by = taken ? [this.points[place][0] - at[0], this.points[place][1] - at[1]] : [0, 0];
    this.held = { place, by, at, taken, still: true, pointer: event.pointerId };
    this.view.setPointerCapture(event.pointerId);
    this.handles[place].focus({ preventScroll: true });
    if (!taken) this.put(place, at);
    else this.draw();
  }

  /** The handle of a line within reach; -1 if there is none, or a corner comes first: one that is not
   *  set yet, or is touched, `corner` px away.
   *  @param {Point} at @param {number} corner */
  lineAt(at, corner) {
    const { lattice } = this;
    const asked = this.points.some((point) => this.offered.includes(point));
    if (!lattice || asked || corner < TOUCH * this.unit) return -1;
    const away = lattice.inner.map(([axis, line]) => distance(this.endOf(lattice, axis, line), at));
    const nearest = away.indexOf(Math.min(...away));
    return away[nearest] < Math.min(corner, this.reachOf(lattice, nearest)) ? nearest : -1;
  }

  /** How far from a line's handle it is taken hold of, px: no more than halfway to the next line.
   *  @param {Lattice} lattice @param {number} place */
  reachOf(lattice, place) {
    const [axis, line] = lattice.inner[place];
    const [before, end, after] = [-1, 0, 1].map((step) => this.endOf(lattice, axis, line + step));
    return Math.min(REACH * this.unit, Math.max(distance(before, end), distance(end, after)) / 2);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { held } = this;
    if (!held || held.pointer !== event.pointerId) return;
    const at = this.at(event);
    if (held.line !== undefined) {
      const [axis, line] = /** @type {Lattice} */ (this.lattice).inner[held.line];
      this.putLine(axis, line, toUnitSquare(this.points)(at[0], at[1])[axis]);
      return;
    }
    if (Math.hypot(at[0] - held.at[0], at[1] - held.at[1]) > STILL * this.unit) {
      held.still = false;
      this.next = held.place;
    }
    if (!held.still || !held.taken) this.put(held.place, [at[0] + held.by[0], at[1] + held.by[1]]);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { held } = this;
    if (!held || held.pointer !== event.pointerId) return;
    this.held = null;
    if (held.line !== undefined) return this.draw();
    if (event.type !== "pointerup") return this.draw();
    // A tap puts the corner that is asked for, also where another was guessed to be.
    const place = this.next;
    if (held.still) this.handles[place].focus({ preventScroll: true });
    this.next = (place + 1) % 4;
    this.put(place, held.still ? held.at : this.points[place]);
  }

  /** @param {KeyboardEvent} event @param {number} place */
  key(event, place) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const by = this.unit * (event.shiftKey ? FAST : 1);
    this.put(place, [this.points[place][0] + step[0] * by, this.points[place][1] + step[1] * by]);
  }

  /** @param {KeyboardEvent} event @param {number} axis @param {number} line */
  keyLine(event, axis, line) {
    const step = STEPS[event.key]?.[axis];
    if (!step) return;
    event.preventDefault();
    const [x, y] = this.points[0];
    const [ex, ey] = this.points[axis ? 3 : 1];
    const side = Math.hypot(ex - x, ey - y) || 1;
    this.putLine(axis, line, Number(this.lattice?.lines[axis][line]) + (step * this.unit * (event.shiftKey ? FAST : 1)) / side);
  }

  /** @param {number} axis @param {number} line @param {number} value */
  putLine(axis, line, value) {
    this.lattice?.move(axis, line, value);
    this.draw();
  }

  /** @param {number} place */
  choose(place) {
    if (!this.held) this.next = place;
    this.draw();
    this.moved();
  }

  /** @param {number} place @param {Point} to */
  put(place, [x, y]) {
    const [left, top, width, height] = this.box;
    const within = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ size) => Math.min(Math.max(value, low), low + size);
    this.points[place] = [within(x, left, width), within(y, top, height)];
    this.draw();
    this.moved();
  }

  /** Take the next corner for the board's upper left: it lies turned on the photo. */
  turn() {
    this.points = [...this.points.slice(1), this.points[0]];
    this.draw();
    this.moved();
  }
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** Return the quads of rows x columns even cells on the unit square.
 *  @param {number} rows @param {number} columns @returns {Quad[]} */
export function evenCells(rows, columns) {
  return Array.from({ length: rows * columns }, (_, place) => {
    const [row, column] = [Math.floor(place / columns), place % columns];
    return [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]].map(([x, y]) => [x / columns, y / rows]);
  });
}

/** Return the quads of a print's cells (`pipsight print --geometry`) on the unit square around all.
 *  @param {{cells: {polygon: Quad}[]}} geometry */
export function printedCells(geometry) {
  const points = geometry.cells.flatMap(({ polygon }) => polygon);
  const low = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])));
  const size = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis])) - low[axis]);
  return geometry.cells.map(({ polygon }) => polygon.map((point) => point.map((value, axis) => (value - low[axis]) / size[axis])));
}
