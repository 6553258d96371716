/** The viewfinder: a camera's live picture, with what this browser sees on it, and a shutter.
 *
 *  What it shows is a preview (eyes/reader.js). The photo that is taken goes the way of every other photo, and only
 *  the server's reading of it counts.
 */

import { offerCameras, openCamera, release } from "./device_camera.js";
import { html, svg } from "../page/dom.js";
import { outlines, wantedOf } from "../eyes/outlines.js";
import { Aim } from "./aim.js";
import { Track } from "./track.js";
import { shows, thumbnail, thumbnailPen } from "./thumbnail.js";
import { _ } from "../page/words.js";

const WANTED = { width: { ideal: 2560 }, height: { ideal: 1920 } };
const FRAME = 1280; // px of the longer side of a frame that is read,
const LEAST = 512; // and of one
const FACE = 48; // with faces of such a side, px, which is enough to classify them
const ITSELF = "shutter"; // the name under which it is kept whether the shutter is left to it
export const BEAT = 66; // ms between two looks at where the camera has moved
const TIRED = 120e3; // ms in which nothing moved, after which the camera rests
const ZOOMS = [1, 2];
const TORCH = "M13 3 6 13h5l-1 8 8-11h-6z";
const PICTURE = "M5 4.5h14a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Zm-1.500 12.500 5-5 4 4 3-3 5 4.500";
const CROSS = "M6 6l12 12M18 6 6 18";

/** @typedef {import("../eyes/eyes.js").Eyes} Eyes
 *  @typedef {{faces: ShownFace[], width: number, height: number}} Seen */

/** @param {string} path */
const icon = (path) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));

/** Return the px of a camera's picture that is read; the photo that is taken has all.
 *  @param {number} cameraWidth @param {number} cameraHeight */
export function frameSize(cameraWidth, cameraHeight) {
  const scale = Math.min(1, FRAME / Math.max(cameraWidth, cameraHeight));
  return [cameraWidth, cameraHeight].map((side) => Math.round(side * scale));
}

/** Return a frame of a camera, whose picture has so many px, in fewer where the `side` of its faces allows; black but for what
 *  is `around` them, [left, top, right, bottom], if that is all that is wanted.
 *  @param {CanvasImageSource} camera @param {number} width @param {number} height @param {number | null} side
 *  @param {number[] | null} [around] */
export function grab(camera, width, height, side, around) {
  const share = side ? Math.min(1, Math.max(FACE / side, LEAST / Math.max(width, height))) : 1;
  const [wide, high] = [width, height].map((px) => Math.round(px * share));
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(wide, high).getContext("2d", { alpha: false }));
  pen.imageSmoothingQuality = share < 1 ? "medium" : "low"; // the mean of many px takes twice as long as that of four
  if (around) {
    const [left, top, right, bottom] = around.map((px) => px * share);
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
  }
  pen.drawImage(camera, 0, 0, wide, high); // of a video a third of createImageBitmap's time
  return pen.canvas.transferToImageBitmap();
}

export class Finder {
  /** @type {MediaStream | null} */ stream = null;
  /** @type {Seen | null} */ still = null; // what is seen on a frame that shows what the one before it did
  round = 0; // of looking; an older one that comes back late is stopped by it
  track = new Track();

  /** `take` gets the photo, a canvas, and what lies still on it; `choose` lets a person choose a picture instead, `own`
   *  opens the phone's own camera instead.
   *  @param {(hear: (says: string) => void) => Promise<Eyes | null>} eyes opens this browser's eyes, and hears how far they have
   *  come; it answers null where there are none (eyes.js)
   *  @param {Table} table what the page knows of the match now
   *  @param {{take: (canvas: HTMLCanvasElement, saw: Seen | null) => void, choose: () => void, own: () => void}} tell */
  constructor(eyes, table, { take, choose, own }) {
    this.eyes = eyes;
    this.table = table;
    this.tell = { take, choose, own };
    this.video = html("video", { muted: true, playsinline: true, "aria-label": _("What the camera sees") });
    this.drawn = svg("svg", { class: "finder-drawn", "aria-hidden": "true" });
    this.pen = thumbnailPen();
    this.said = html("p", { role: "status" });
    this.zoom = html("div", { class: "finder-zoom", role: "group", "aria-label": _("Zoom"), hidden: true });
    this.torch = html("button", { type: "button", class: "round", "aria-label": _("Light"), "aria-pressed": "false", hidden: true, click: () => this.light() }, icon(TORCH));
    this.shutter = html("button", { type: "button", class: "shutter", "aria-label": _("Photograph now"), click: () => this.shoot() }, html("span"));
    this.itself = html("input", { type: "checkbox", change: () => localStorage.setItem(ITSELF, this.itself.checked ? "itself" : "") });
    this.itself.checked = localStorage.getItem(ITSELF) === "itself";
    const close = html("button", { type: "button", class: "round finder-close", "aria-label": _("Back to the match"), click: () => this.dialog.close() }, icon(CROSS));
    const gallery = html("button", { type: "button", class: "round", "aria-label": _("Choose a picture"), click: () => this.instead(this.tell.choose) }, icon(PICTURE));
    const keys = html("div", { class: "finder-keys" }, gallery, this.shutter, this.torch);
    this.again = html("button", { type: "button", class: "main", click: () => this.wake() }, _("Try again"));
    const instead = html("button", { type: "button", click: () => this.instead(this.tell.own) }, _("Use the phone's own camera"));
    this.ways = html("div", { class: "finder-ways", hidden: true }, this.again, instead);
    this.cameras = html("label", { class: "finder-cameras", hidden: true }, _("Camera"), html("select"));
    this.auto = html("label", { class: "finder-auto" }, this.itself, ` ${_("Take it by itself when all lie still")}`);
    const controls = html("div", { class: "finder-controls" }, html("div", { class: "finder-says" }, this.said), this.ways, this.zoom, keys, this.cameras, this.auto);
    this.dialog = html("dialog", { class: "finder", "aria-label": _("Photograph") }, html("div", { class: "finder-picture" }, this.video, this.drawn, close), controls);
    this.dialog.addEventListener("close", () => this.rest());
    document.body.append(this.dialog);
    document.addEventListener("visibilitychange", () => this.dialog.open && (document.hidden ? this.rest() : this.wake()));
  }

  /** Open it, and the camera. */
  async open() {
    this.dialog.showModal();
    this.shutter.focus();
    await this.wake();
  }

  /** Begin to look. */
  async wake() {
    this.rest();
    const { round } = this;
    const now = () => round === this.round && this.dialog.open;
    this.help(null);
    this.says(_("The camera is starting …"));
    try {
      const stream = await openCamera(this.video, WANTED, { now, slow: (/** @type {string} */ why) => this.help(why), ended: (/** @type {string} */ why) => this.lost(why) });
      if (!stream) return;
      this.stream = stream;
    } catch (fault) {
      return now() && this.lost(fault.message);
    }
    this.help(null);
    this.offer(this.stream.getVideoTracks()[0]);
    offerCameras(this.cameras, this.stream, () => this.wake());
    this.says(_("Hold the phone above the table."));
    const eyes = await this.eyes((says) => now() && this.says(says || _("Hold the phone above the table.")));
    if (eyes && now()) this.trace(round);
    await this.follow(round, eyes);
  }

  /** There is no camera any more: say why, and what can be done.
   *  @param {string} why */
  lost(why) {
    this.rest();
    this.help(why);
  }

  /** Offer what can be done while no picture comes, and say why; null takes that back.
   *  @param {string | null} why */
  help(why) {
    const had = this.ways.contains(document.activeElement);
    this.ways.hidden = !why;
    this.shutter.hidden = Boolean(why);
    if (why) this.says(why);
    if (why || had) (why ? this.again : this.shutter).focus();
  }

  /** Show the controls that this camera has.
   *  @param {MediaStreamTrack} track */
  offer(track) {
    const { zoom, torch } = /** @type {CameraAbilities} */ (track.getCapabilities?.() ?? {});
    const near = ZOOMS.filter((factor) => zoom && factor >= zoom.min && factor <= zoom.max);
    this.zoom.hidden = near.length < 2;
    this.zoom.replaceChildren(...near.map((factor) => html("button", { type: "button", "aria-pressed": String(factor === 1), click: ({ currentTarget }) => this.zoomTo(track, factor, currentTarget) }, `${factor}×`)));
    this.torch.hidden = !torch;
    this.torch.setAttribute("aria-pressed", "false");
  }

  /** @param {MediaStreamTrack} track @param {number} factor @param {Element} pressed */
  async zoomTo(track, factor, pressed) {
    await track.applyConstraints({ advanced: [/** @type {MediaTrackConstraintSet} */ ({ zoom: factor })] }).catch(() => {});
    for (const button of this.zoom.children) button.setAttribute("aria-pressed", String(button === pressed));
  }

  async light() {
    const on = this.torch.getAttribute("aria-pressed") !== "true";
    await this.stream?.getVideoTracks()[0].applyConstraints({ advanced: [/** @type {MediaTrackConstraintSet} */ ({ torch: on })] }).catch(() => {});
    this.torch.setAttribute("aria-pressed", String(on));
  }

  // -------------------------------------------------------------- frame by frame

  /** Read one frame after the other, as fast as this browser can, and say what is still wanting.
   *  @param {number} round @param {Eyes | null} eyes */
  async follow(round, eyes) {
    const { equipment } = this.table;
    const aim = new Aim(equipment);
    this.auto.hidden = !eyes || !aim.wanted;
    let moved = performance.now();
    /** @type {Sight["around"]} */
    let around = null;
    while (eyes && this.dialog.open && round === this.round) {
      if (shows(this.video)) {
        const [width, height] = frameSize(this.video.videoWidth, this.video.videoHeight);
        const options = { next: true, side: aim.side, around, wide: width, ...wantedOf(equipment) };
        let answer;
        this.step();
        this.track.ask();
        try {
          answer = await eyes.read(grab(this.video, width, height, aim.side, around), options);
        } catch {
          return; // it goes on as a plain viewfinder
        }
        if (round !== this.round) return;
        around = answer.around;
        const state = aim.take({ ...answer, width, height }, performance.now());
        this.still = state.still ? { faces: answer.faces, width, height } : null;
        this.draw(answer.faces, width, height);
        this.says(state.says, state.ready);
        if (!state.still) moved = performance.now();
        if (state.ready && this.itself.checked) return this.shoot();
        if (performance.now() - moved > TIRED) return this.tire();
      }
      await new Promise((done) => requestAnimationFrame(done));
    }
  }

  /** Rest until somebody taps. */
  tire() {
    this.rest();
    this.says(_("Paused, to save the battery. Tap the picture to go on."));
    this.video.addEventListener("click", () => this.dialog.open && this.wake(), { once: true });
  }

  /** @param {string} words @param {boolean} ready */
  says(words, ready = false) {
    if (this.said.textContent !== words) this.said.textContent = words;
    this.said.classList.toggle("ready", ready);
    this.shutter.classList.toggle("ready", ready);
  }

  /** Outline the faces, and write on each what it shows; what is doubtful is dashed.
   *  @param {ShownFace[]} faces @param {number} width @param {number} height */
  draw(faces, width, height) {
    this.drawn.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawn.replaceChildren(svg("g", {}, outlines(faces, width)));
    this.track.draw();
    this.step();
  }

  /** Let the outlines follow the camera between the frames that are read.
   *  @param {number} round */
  trace(round) {
    this.track = new Track();
    let last = 0;
    const look = (/** @type {number} */ at) => {
      if (round !== this.round) return;
      if (at - last >= BEAT && shows(this.video)) {
        last = at;
        this.step();
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }

  /** Follow the camera to the frame that is shown now. */
  step() {
    const [width, height] = frameSize(this.video.videoWidth, this.video.videoHeight);
    this.track.step(thumbnail(this.pen, this.video, width, height));
    this.drawn.firstElementChild?.setAttribute("transform", this.track.transform(width, height));
  }

  // -------------------------------------------------------------- the end

  /** Take the frame that is seen now, or the first, with what was seen on the last where nothing has moved since. */
  shoot() {
    const { round, video } = this;
    if (!shows(video)) return video.addEventListener("loadeddata", () => this.dialog.open && round === this.round && this.shoot(), { once: true });
    const { videoWidth: width, videoHeight: height } = video;
    const canvas = html("canvas", { width, height });
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    const { still } = this;
    this.dialog.close();
    this.tell.take(canvas, still);
  }

  /** Let a picture be chosen instead, or taken by the phone's own camera.
   *  @param {() => void} way */
  instead(way) {
    this.dialog.close();
    way();
  }

  /** Let go of the camera. */
  rest() {
    this.round += 1;
    this.still = null;
    release(this.stream);
    this.stream = this.video.srcObject = null;
    this.drawn.replaceChildren();
  }
}
