/** The photo of a look, larger: by pinch, double tap, wheel or buttons; a drag moves it, one finger is enough.
 *
 *  It is the view box of the photo's svg that changes, so what is pressed stays what is seen there. A small piece
 *  that is asked about is brought near by itself, and all is shown again when it is answered.
 */

import { byId } from "../page/dom.js";

const MOST = 10; // times
const STEP = 2; // times larger by a button
const DOUBLE = 3; // times larger by a double tap
const NOTCH = 0.01; // of a wheel's or a trackpad's px, the exponent of its zoom
const STILL = 8; // CSS px that a tap may move
const AT_ONCE = 350; // ms between the taps of a double tap
const FINGER = 40; // CSS px across
const SMALL = 36; // CSS px of a piece's shorter side below which a finger misses it
const NEAR = 64; // CSS px of its side then

export class Zoom {
  scale = 1; // of all that is shown unzoomed
  /** @type {Map<number, Point>} */
  fingers = new Map(); // where those are that touch the photo, by their ids
  dragged = false; // since the first of them came
  last = { at: -Infinity, x: 0, y: 0 }; // tap
  own = false; // it is zoomed for a piece, and not by a person
  /** @type {Point} */ start = [0, 0]; // where the first finger came
  /** @type {number[] | null} */ frame = null; // what is shown unzoomed
  /** @type {Point | null} */ center = null;

  /** @param {SVGSVGElement} view the svg of the photo @param {() => void} moved hears that another part of it is shown */
  constructor(view, moved) {
    this.view = view;
    this.moved = moved;
    view.addEventListener("pointerdown", (event) => this.press(event));
    view.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(end, ({ pointerId }) => this.fingers.delete(pointerId));
    view.addEventListener("click", (event) => this.tap(event), { capture: true });
    view.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false }); // else the page scrolls
    view.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    byId("zoom-in").addEventListener("click", () => this.step(STEP));
    byId("zoom-out").addEventListener("click", () => this.step(1 / STEP));
  }

  /** Let `frame`, [x, y, width, height] in px of the photo, be what is shown unzoomed.
   *  @param {number[]} frame */
  within(frame) {
    this.frame = frame;
    this.center ??= [frame[0] + frame[2] / 2, frame[1] + frame[3] / 2];
    this.draw();
  }

  reset() {
    this.scale = 1;
    this.center = null;
    this.own = false;
    if (this.frame) this.within(this.frame);
  }

  draw() {
    const [frame, middle] = [this.shown, this.middle];
    const size = frame.slice(2).map((side) => side / this.scale);
    this.center = middle.map((value, axis) => {
      const [start, side] = [frame[axis], frame[2 + axis]];
      return Math.min(Math.max(value, start + size[axis] / 2), start + side - size[axis] / 2);
    });
    this.view.setAttribute("viewBox", [...this.center.map((value, axis) => value - size[axis] / 2), ...size].join(" "));
    this.view.classList.toggle("zoomed", this.scale > 1);
    byId("zoom-in").setAttribute("aria-disabled", String(this.scale >= MOST));
    byId("zoom-out").setAttribute("aria-disabled", String(this.scale <= 1));
  }

  /** The frame and the middle of what is shown, once there is a photo. */
  get shown() {
    return this.frame ?? [0, 0, 1, 1];
  }

  get middle() {
    return this.center ?? [0, 0];
  }

  /** What makes px of the window of those of the photo. */
  get matrix() {
    return /** @type {DOMMatrix} */ (this.view.getScreenCTM());
  }

  /** Return the place of the photo that is shown at a place of the window, px.
   *  @param {number} x @param {number} y */
  at(x, y) {
    const place = new DOMPoint(x, y).matrixTransform(this.matrix.inverse());
    return [place.x, place.y];
  }

  /** Zoom so that the photo's place `fixed` stays where it is shown.
   *  @param {number} scale @param {Point} fixed */
  to(scale, fixed = this.middle) {
    const next = Math.min(Math.max(scale, 1), MOST);
    this.center = fixed.map((value, axis) => value + ((this.middle[axis] - value) * this.scale) / next);
    this.scale = next;
    this.own = false;
    this.draw();
    this.moved();
  }

  /** @param {number} factor */
  step(factor) {
    this.to(this.scale * factor);
  }

  /** @param {Point} from @param {Point} to */
  pan([fromX, fromY], [x, y]) {
    const px = this.matrix.a;
    this.own = false; // a person has taken over
    this.center = [this.middle[0] + (fromX - x) / px, this.middle[1] + (fromY - y) / px];
    this.draw();
    this.moved();
  }

  // -------------------------------------------------------------- pieces

  /** Bring a piece near that is too small for a finger.
   *  @param {{quad: Quad, at: Point}} piece */
  near({ quad, at }) {
    const px = this.matrix.a;
    const [wide, high] = [0, 1].map((axis) => px * (Math.max(...quad.map((point) => point[axis])) - Math.min(...quad.map((point) => point[axis]))));
    const small = Math.min(wide, high);
    if (small >= SMALL) return this.show(at);
    const own = this.own || this.scale === 1;
    this.center = at;
    this.to((this.scale * NEAR) / small);
    this.own = own;
  }

  /** Show the place of a piece, if it is out of sight.
   *  @param {Point} at */
  show(at) {
    const inside = (/** @type {number} */ value, /** @type {number} */ axis) => Math.abs(value - this.middle[axis]) < this.shown[2 + axis] / this.scale / 2;
    if (at.every(inside)) return;
    this.center = at;
    this.draw();
    this.moved();
  }

  /** Show again what was shown before a piece was brought near. */
  back() {
    this.last.at = -Infinity; // an answer lies between this tap and the next
    if (this.own) this.reset();
  }

  // -------------------------------------------------------------- fingers

  /** @param {PointerEvent} event */
  press({ pointerId, clientX, clientY, isPrimary }) {
    if (isPrimary) {
      this.fingers.clear();
      this.dragged = false;
      this.start = [clientX, clientY];
    }
    this.fingers.set(pointerId, [clientX, clientY]);
    if (this.fingers.size > 1) this.hold();
  }

  /** Get what the fingers do, wherever they go; it is no tap. */
  hold() {
    this.dragged = true;
    for (const id of this.fingers.keys()) this.view.setPointerCapture(id);
  }

  /** @param {PointerEvent} event */
  drag({ pointerId, clientX, clientY }) {
    const before = [...this.fingers.values()];
    if (!this.fingers.has(pointerId)) return;
    this.fingers.set(pointerId, [clientX, clientY]);
    const after = [...this.fingers.values()];
    if (after.length === 2) return this.pinch(before, after);
    const far = Math.hypot(clientX - this.start[0], clientY - this.start[1]) > STILL;
    if (this.scale > 1 && !this.dragged && far) this.hold();
    if (this.scale > 1 && this.dragged) this.pan(before[0], after[0]);
  }

  /** @param {Point[]} before @param {Point[]} after */
  pinch(before, after) {
    const apart = (/** @type {Point[]} */ [[x0, y0], [x1, y1]]) => Math.hypot(x1 - x0, y1 - y0) || 1;
    const middle = (/** @type {Point[]} */ [[x0, y0], [x1, y1]]) => [(x0 + x1) / 2, (y0 + y1) / 2];
    this.pan(middle(before), middle(after));
    this.to((this.scale * apart(after)) / apart(before), this.at(middle(after)[0], middle(after)[1]));
  }

  /** A drag is no tap, and the second of two taps on one place zooms there, or back.
   *  @param {MouseEvent} event */
  tap(event) {
    const { detail, timeStamp, clientX, clientY } = event;
    if (!detail) return; // a key's
    const near = Math.hypot(clientX - this.last.x, clientY - this.last.y) < FINGER;
    const again = !this.dragged && (detail === 2 || (near && timeStamp - this.last.at < AT_ONCE)); // not every browser counts taps
    this.last = { at: again || this.dragged ? -Infinity : timeStamp, x: clientX, y: clientY };
    if (again || this.dragged) event.stopImmediatePropagation();
    if (again && !this.own) this.jump(clientX, clientY); // else the first tap has brought a piece near
  }

  /** @param {number} x @param {number} y */
  jump(x, y) {
    if (this.scale === 1) return this.to(DOUBLE, this.at(x, y));
    this.reset();
    this.moved();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey) return; // it scrolls; with this key it zooms, as a trackpad's pinch does
    event.preventDefault();
    this.to(this.scale * Math.exp(-NOTCH * event.deltaY), this.at(event.clientX, event.clientY));
  }
}
