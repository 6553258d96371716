/** This browser's own eyes on the page of a match: the viewfinder, and a glimpse of a photo on its way. */

import { byId, svg } from "../page/dom.js";
import { download, onWifi, openEyes, possible } from "./eyes.js";
import { sendWholes } from "../net/wholes.js";
import { outlines, wantedOf } from "./outlines.js";
import { _ } from "../page/words.js";

const requestIdle = window.requestIdleCallback ?? setTimeout; // Safari has none
const SOON = 2000; // ms after which a busy page sends them too
const PATIENCE = 3000; // ms after which the files are fetched that somebody may soon want

/** @typedef {import("./eyes.js").Eyes} Eyes
 *  @typedef {{faces: ShownFace[], width: number, height: number}} Seen
 *  @typedef {Seen & Partial<Sight>} Glimpse
 *  @typedef {(picture: ImageBitmapSource, saw: Seen | null) => Promise<Glimpse | null>} Glimpses
 *  @typedef {{table: Table, draft: {photo: unknown} | null, take: (canvas: HTMLCanvasElement, saw: Seen | null) => void,
 *    incoming: {sees: (glimpses: Glimpses) => void, ended: () => void}}} Looking */

/** @param {DOMStringMap} dataset of the page: where its `eyes` are, and how many bytes
 *  @param {Looking} look takes photos */
export function mount({ eyes: addresses, eyesBytes }, look) {
  const files = JSON.parse(String(addresses));
  const loading = new Loading(files, JSON.parse(String(eyesBytes)));
  /** @type {Promise<Eyes | null> | null} */
  let opened = null;
  let plain = false; // the phone's own camera is wanted
  /** @type {import("../camera/finder.js").Finder | null} */
  let finder = null;

  /** Open the eyes; `hear` gets how far they are loaded. */
  async function eyes(/** @type {(says: string) => void} */ hear = () => {}) {
    if (!opened && possible()) await loading.load(hear);
    opened ??= openEyes(files);
    if (!(await opened)) opened = null; // the server may be away; a browser that cannot does not try
    return opened;
  }

  /** Eyes that nobody has asked for cost nothing. */
  const eyesAtHand = async () => (opened || onWifi() ? eyes() : null);

  const ahead = () => look.table.photographable && onWifi() && possible() && loading.load(announce);
  setTimeout(() => requestIdle(ahead), PATIENCE); // or later, when wanted

  /** Open the viewfinder instead of the phone's own camera, where this page may use one.
   *  @param {Event} event */
  async function aim(event) {
    if (plain || !look.table.photographable || !isSecureContext || !navigator.mediaDevices?.getUserMedia) return;
    event.preventDefault();

    try {
      const { Finder } = await import("../camera/finder.js");
      finder ??= new Finder(eyes, look.table, { take: (/** @type {HTMLCanvasElement} */ canvas, /** @type {Seen | null} */ saw) => look.take(canvas, saw), choose: () => byId("gallery").click(), own });
      finder.open();
    } catch {
      own(); // the server is away
    }
  }

  /** Let the phone's own camera take it, which a browser may not allow long after the tap. */
  function own() {
    plain = true;
    byId("camera").click();
    plain = false;
  }

  for (const id of ["camera", "retake"]) byId(id).addEventListener("click", aim);
  for (const id of ["camera", "retake", "gallery"]) byId(id).addEventListener("click", () => eyesAtHand()); // ready when a photo is chosen
  look.incoming.sees(glimpses(eyesAtHand, look));
  const follow = () => requestIdle(() => sendWholes(), { timeout: SOON });
  look.incoming.ended = follow;
  follow();
}

/** What this browser sees with, on its way here: once, however many want it. */
class Loading {
  /** @type {Set<(says: string) => void>} */ heard = new Set();
  /** @type {Promise<void | null> | null} */ now = null; // the download, while it lasts or once all is here
  says = ""; // how far it is, in words

  /** @param {EyesFiles} files @param {{sent: number, whole: number}} bytes as they are sent, and unpacked */
  constructor(files, bytes) {
    this.files = files;
    this.bytes = bytes;
  }

  /** Load it, unless it is here; `hear` gets in words how far it is, and "" at the end.
   *  @param {(says: string) => void} hear */
  async load(hear) {
    this.heard.add(hear);
    hear(this.says);
    this.now ??= download(this.files, (here) => this.tell(here)).catch(() => (this.now = null));
    await this.now;
    this.heard.delete(hear);
    hear((this.says = ""));
  }

  /** @param {number} here */
  tell(here) {
    const size = (this.bytes.sent / 1e6).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
    const percent = Math.min(100, Math.floor((100 * here) / this.bytes.whole));
    this.says = _("Loading what outlines the pieces: {percent} % of {size} MB, once. You can photograph meanwhile.", { percent, size });
    for (const hear of this.heard) hear(this.says);
  }
}

/** Say at the foot of the page what is loaded; "" takes it back.
 *  @param {string} says */
function announce(says) {
  byId("eyes-says").hidden = !says;
  byId("eyes-says").textContent = says;
}

/** Return what outlines on a photo what this browser sees there, or what its viewfinder `saw` a moment before, while the
 *  server reads it; it answers what is seen on the photo itself: {faces, perhaps, width, height}, or null.
 *  @param {() => Promise<Eyes | null>} eyes @param {Looking} look @returns {Glimpses} */
function glimpses(eyes, look) {
  const drawn = svg("svg", { class: "overlay glimpsed", "aria-hidden": "true", "pointer-events": "none" });
  byId("stage").append(drawn);

  /** @param {ImageBitmapSource} picture */
  async function readHere(picture) {
    const [able, bitmap] = await Promise.all([eyes(), createImageBitmap(picture)]);
    const { width, height } = bitmap;
    return able && { ...(await able.read(bitmap, wantedOf(look.table.equipment))), width, height };
  }

  /** @param {Seen} seen */
  function draw({ faces, width, height }) {
    drawn.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawn.replaceChildren(...outlines(faces, width));
  }

  return async (picture, saw) => {
    drawn.replaceChildren();
    const { draft } = look;
    if (saw) draw(saw);
    const sight = await readHere(picture).catch(() => null); // the server reads it all the same
    if (!sight || look.draft !== draft || draft?.photo) return null;
    if (!saw) draw(sight);
    return sight;
  };
}
