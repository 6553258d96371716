/** Watching the table: frames of a camera go to the server, which counts what has settled.
 *
 *  The server's answers set the pace: the next frame is taken when the last is answered, and no sooner
 *  than it is wanted. Once all lies still, it is told that nothing has changed, and gets the next frame
 *  as soon as something does (still_table.js). A hidden page sends none.
 */

import { Refusal, call, later, sendFrame } from "../net/api.js";
import { byId, svg } from "../page/dom.js";
import { at } from "../net/root.js";
import { shows } from "./thumbnail.js";
import { _ } from "../page/words.js";

const LONG_SIDE = { pool: 960, board: 1280 }; // px of a frame; a die of a full board is small
const QUALITY = 0.8;
const AGAIN = 2000; // ms until the server is tried again
const COMPARED = 66; // ms between two looks at a table on which nothing happens; the fastest pace of frames
const PICTURE = 400; // ms between two pictures of the server's camera
const ON_BATTERY = 2; // times as long between two frames
const HIDDEN = _("Paused while this page is hidden.");
const INSECURE =
  _("Browsers allow the camera on secure pages only. Start the server with pipsight serve --https, or photograph each roll instead.");
const TO_SECURE = _("Browsers allow the camera on secure pages only. This server has one:");

/** @typedef {import("./still_table.js").StillTable} StillTable */

export class Watching {
  /** @type {"page" | "server" | null} */
  on = null; // "page" or "server" while a camera watches
  round = 0; // of frames; an older one that comes back late is stopped by it
  /** @type {Promise<void> | null} */
  claiming = null; // the answer to the last claim
  seenAt = 0; // ms, when the page itself last saw that nothing changed
  taken = false; // another camera watches; the next tap takes over
  same = false; // the last frame showed nothing new
  counted = -1; // the step at which the last picture was sent
  /** @type {string | null} */ watch = null; // the server's name for what this page watches
  /** @type {object | null} */ lent = null;
  /** @type {StillTable | null} */ still = null;
  /** @type {MediaStream | null} */ stream = null;
  /** @type {{charging: boolean} | null} */ battery = null;

  /** @param {Table} table what the page knows of the match now
   *  @param {{stored: (seq: number | null) => void, changed: () => void, ended: (why: string | null) => void}} hears */
  constructor(table, { stored, changed, ended }) {
    this.table = table;
    this.tell = { stored, changed, ended };
    this.canvas = document.createElement("canvas");
    byId("watch-page").addEventListener("click", () => this.start("page"));
    byId("watch-server").addEventListener("click", () => this.start("server"));
    byId("watch-end").addEventListener("click", () => this.end());
    byId("watch-picture").addEventListener("error", () => this.outline([]));
    byId("bar-says").addEventListener("click", () => this.lead());
    document.addEventListener("visibilitychange", () => this.seen());
    navigator.getBattery?.().then((battery) => (this.battery = battery), () => {});
    this.watch = sessionStorage.getItem(this.key);
  }

  get path() {
    return at(`/api/matches/${this.table.match}/watch`);
  }

  get key() {
    return `watch ${this.table.match}`;
  }

  /** The table that is compared, once a camera watches it. */
  get calmTable() {
    return /** @type {StillTable} */ (this.still);
  }

  /** Show the view, and begin where there is one camera to choose. */
  open() {
    byId("watch").hidden = false;
    byId("watch-title").focus();
    if (this.table.camera && !this.watch) this.offer(null);
    else this.start("page");
  }

  /** Offer the cameras there are, after a fault that is shown.
   *  @param {string | null} fault */
  offer(fault) {
    byId("watch-fault").hidden = !fault;
    byId("watch-fault").textContent = fault ?? "";
    byId("watch-secure").hidden = ![INSECURE, TO_SECURE].includes(fault ?? "") || !this.table.https;
    byId("watch-page").hidden = false;
    byId("watch-page").textContent = this.taken ? _("Let this camera take over") : _("Use this camera");
    byId("watch-server").hidden = !this.table.camera;
  }

  offerNothing() {
    for (const part of ["page", "server", "fault", "secure"]) byId(`watch-${part}`).hidden = true;
  }

  /** Begin to watch; where another camera does, the next tap takes over.
   *  @param {"page" | "server"} camera */
  async start(camera) {
    const take = this.taken;
    this.taken = false;
    this.tell.ended(null);
    this.release();
    this.offerNothing();
    const round = ++this.round;
    try {
      if (camera === "page") await this.lend();
      this.still = new (await later("still_table.js", () => import("./still_table.js"))).StillTable();
      if (round !== this.round) return;
      await this.claiming?.catch(() => {}); // of a camera that was chosen just before
      if (round !== this.round) return;
      if (!this.watch || take || camera === "server") await (this.claiming = this.claim(camera, take));
    } catch (fault) {
      if (round !== this.round) return; // another camera was chosen meanwhile
      this.taken = fault.kind === "NotYours";
      this.release();
      return this.offer(sentence(fault));
    }
    this.offerNothing(); // it may have come late
    this.on = camera;
    byId("watch-video").hidden = camera !== "page";
    byId("watch-picture").hidden = camera === "page";
    byId("watch-stage").hidden = false;
    this.tell.changed();
    this.run(round);
  }

  /** Ask the browser for its camera. */
  async lend() {
    if (!navigator.mediaDevices?.getUserMedia) throw new Refusal("Insecure", this.table.https ? TO_SECURE : INSECURE);
    const mine = (this.lent = {});
    const { offerCameras, openCamera } = await later("device_camera.js", () => import("./device_camera.js"));
    const heard = { now: () => this.lent === mine, slow: (/** @type {string} */ why) => this.offer(why), ended: (/** @type {string} */ why) => this.stop(why) };
    const stream = await openCamera(byId("watch-video"), { width: { ideal: 1280 }, height: { ideal: 960 } }, heard);
    if (!stream) return;
    this.stream = stream;
    offerCameras(byId("watch-cameras"), stream, () => this.start("page"));
  }

  /** Tell the server that this camera watches.
   *  @param {"page" | "server"} camera @param {boolean} take */
  async claim(camera, take) {
    const there = camera === "server" && !take ? await call(this.path) : null;
    const { watch } = there?.camera === camera ? there : await call(this.path, { camera, take });
    this.watch = watch;
    if (camera === "page") sessionStorage.setItem(this.key, watch);
  }

  // -------------------------------------------------------------- frame by frame

  /** @param {number} round */
  async run(round) {
    let due = performance.now();
    this.still?.disturb();
    while (this.on && round === this.round) {
      if (document.hidden) return this.pause();
      let pause = AGAIN;
      try {
        const answer = this.on === "page" ? await this.frame() : await this.look();
        if (round !== this.round) return;
        if (answer) pause = this.show(answer);
      } catch (fault) {
        if (round !== this.round) return;
        if (!(await this.overcome(fault))) return;
      }
      due = Math.max(due + pause, performance.now() - pause); // after a slow one the next comes sooner
      due = Math.min(due, await this.rest(due));
    }
  }

  /** Wait until a frame is due, or something changes where all lies still; return when that was.
   *  @param {number} due */
  async rest(due) {
    do {
      const left = Math.max(0, due - performance.now());
      const calm = this.on === "page" && this.still?.calm(performance.now());
      await new Promise((done) => setTimeout(done, calm ? Math.min(left, COMPARED) : left));
      if (calm && !this.alike(this.thumbnail(), performance.now())) break;
    } while (performance.now() < due);
    return performance.now();
  }

  /** Return a thumbnail of what the camera sees. */
  thumbnail() {
    const video = byId("watch-video");
    return this.calmTable.view(video, video.videoWidth, video.videoHeight);
  }

  /** Whether the table is as the server saw it last, and the match as well.
   *  @param {Float32Array} grey @param {number} at */
  alike(grey, at) {
    const alike = this.counted === this.table.seq && this.calmTable.unchanged(grey, at);
    if (alike) this.seenAt = at;
    return alike;
  }

  /** Send what the camera sees now, or that it is as before. */
  async frame() {
    const video = byId("watch-video");
    if (!shows(video)) return null;
    const now = performance.now();
    const seconds = (/** @type {number} */ at) => ((performance.timeOrigin + at) / 1000).toFixed(3);
    const since = this.seenAt ? `&since=${seconds(this.seenAt)}` : "";
    const path = `${this.path}/${this.watch}/frames?time=${seconds(now)}${since}`;
    const grey = this.thumbnail();
    this.same = this.alike(grey, now);
    if (this.same) return sendFrame(`${path}&unchanged=1`);
    this.calmTable.keep(grey, performance.now());
    this.counted = this.table.seq;
    const { board, tiles } = this.table.equipment;
    const longest = board || tiles ? LONG_SIDE.board : LONG_SIDE.pool;
    const scale = Math.min(1, longest / Math.max(video.videoWidth, video.videoHeight));
    this.canvas.width = Math.round(video.videoWidth * scale);
    this.canvas.height = Math.round(video.videoHeight * scale);
    this.canvas.getContext("2d")?.drawImage(video, 0, 0, this.canvas.width, this.canvas.height);
    /** @type {Blob | null} */
    const jpeg = await new Promise((done) => { this.canvas.toBlob(done, "image/jpeg", QUALITY); });
    return sendFrame(path, jpeg ?? "");
  }

  /** See what the server's camera sees. */
  async look() {
    const answer = await call(this.path);
    if (answer.watch !== this.watch) throw new Refusal("Unknown", answer.says);
    byId("watch-picture").src = `${this.path}/${this.watch}/picture.jpg?${performance.now()}`;
    return { ...answer, next_ms: PICTURE };
  }

  /** Show what was answered; return after how many ms the next frame is wanted.
   *  @param {Record<string, any>} answer */
  show(answer) {
    byId("watch-fault").hidden = true;
    this.still?.waits(answer.waiting, performance.now());
    this.says(answer.says);
    byId("watch-outlines").setAttribute("viewBox", `0 0 ${answer.width || 4} ${answer.height || 3}`);
    this.outline(answer.pieces);
    if (answer.seq > this.table.seq) this.tell.stored(answer.seq);
    else if (answer.asked !== this.table.asked) this.tell.stored(null);
    if (answer.over) this.stop(null);
    return answer.next_ms * (this.battery && !this.battery.charging && !this.same ? ON_BATTERY : 1);
  }

  /** Draw the outlines of the pieces that the picture shows; none stays when that is gone or old.
   *  @param {{quad: Quad, state: string}[]} pieces */
  outline(pieces) {
    const edges = pieces.map(({ quad, state }) => {
      const points = quad.map((at) => at.join()).join(" ");
      return svg("g", { class: `piece ${state}` }, svg("polygon", { class: "under", points }), svg("polygon", { class: "edge", points }));
    });
    byId("watch-outlines").replaceChildren(...edges);
  }

  /** Say what went wrong; return whether to go on.
   *  @param {Fault} fault */
  async overcome(fault) {
    this.outline([]);
    byId("watch-fault").textContent = sentence(fault);
    byId("watch-fault").hidden = false;
    if (fault.kind === "Unknown" && this.on === "page" && this.watch) {
      this.watch = null; // the server was started anew, or this page was away for long
      try {
        await this.claim("page", false);
        return true;
      } catch (second) {
        fault = second;
      }
    }
    if (["Offline", "Broken", "Busy", "Full", "Unreadable"].includes(fault.kind)) return true;
    this.taken = fault.kind === "NotYours";
    this.stop(sentence(fault));
    return false;
  }

  /** @param {string} words */
  says(words) {
    byId("watch-says").textContent = words;
  }

  // -------------------------------------------------------------- the end

  /** Go on where the page is in sight again. */
  seen() {
    if (!this.on) return;
    if (document.hidden) this.pause();
    else this.run(++this.round);
  }

  pause() {
    this.says(HIDDEN);
    this.outline([]);
  }

  /** Lead to the view of the camera, and to what can be done there. */
  lead() {
    this.tell.ended(null);
    byId("watch").scrollIntoView({ block: "start" });
    byId("watch-title").focus({ preventScroll: true });
  }

  /** Stop because of `fault`, or because the match is over.
   *  @param {string | null} fault */
  stop(fault) {
    this.release();
    this.tell.ended(fault);
    if (fault) this.offer(fault);
    else this.forget();
  }

  forget() {
    this.watch = null;
    sessionStorage.removeItem(this.key);
  }

  /** Stop because a person wants to. */
  async end() {
    const { watch } = this;
    this.release();
    this.forget();
    this.tell.ended(null);
    byId("watch").hidden = true;
    byId("watch-open").focus();
    if (watch) await call(`${this.path}/${watch}/end`, {}).catch(() => {});
  }

  /** Let go of the camera. */
  release() {
    this.round++;
    this.on = null;
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = this.lent = null;
    this.outline([]);
    byId("watch-stage").hidden = true;
    this.tell.changed();
  }
}

/** Its kind tells a Refusal: a module that is loaded later has a class of its own.
 *  @param {Fault} fault */
const sentence = (fault) => (fault.kind ? fault.message : _("The camera could not be started. Try again."));
