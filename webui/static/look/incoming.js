/** A photo on its way in: shown at once, outlined by this browser, and kept until the server has read it. */

import { Ahead } from "./ahead.js";
import { expected } from "../net/api.js";
import { byId } from "../page/dom.js";
import { mayBePart, partOf } from "./part.js";
import { cropped, shrink } from "../camera/photo.js";
import { queue } from "../net/queue.js";
import { _ } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look
 *  @typedef {import("../eyes/sight.js").Seen} Seen
 *  @typedef {import("../eyes/sight.js").Glimpse} Glimpse
 *  @typedef {import("../eyes/sight.js").Glimpses} Glimpses */

const LATEST = 60e3; // ms after which a photo is sent whole, however slow the network is

export class Incoming {
  /** @type {Glimpses} */
  glimpse = async () => null; // outlines and returns what this browser sees on a picture (sight.js)
  ended = () => {}; // hears that nobody looks at a photo any more (sight.js)
  /** @type {Blob | null} */ photo = null; // as it is sent
  /** @type {HTMLCanvasElement | null} */ canvas = null; // its px, where they are here
  /** @type {Promise<Glimpse | null> | null} */ sight = null; // what this browser sees on it, as soon as it is known
  /** @type {string | null} */ shown = null; // its address on this page
  visible = false; // this browser can show it

  /** @param {Look} look that is to read the photo */
  constructor(look) {
    this.look = look;
    this.ahead = new Ahead(this, look);
    byId("again").addEventListener("click", () => this.photo && this.send(this.photo));
    byId("photo").addEventListener("load", () => this.see(true));
    byId("photo").addEventListener("error", () => this.see(false));
  }

  /** This browser has eyes from now on: a photo that is on its way already is outlined too.
   *  @param {Glimpses} glimpse */
  sees(glimpse) {
    const { draft } = this.look;
    this.glimpse = glimpse;
    if (this.photo && draft && !draft.tapped && !draft.photo) this.outline(this.photo);
  }

  /** Begin anew: nothing has come in. */
  reset() {
    this.ahead.reset();
    this.canvas = this.sight = null;
    this.visible = false;
    byId("stage").hidden = true;
  }

  /** Get a picture ready and send it: a file, or a canvas that a viewfinder drew on, with what it `saw` there.
   *  @param {File | HTMLCanvasElement} picture @param {Seen | null} saw @param {() => boolean} shown says whether it is still wanted */
  async take(picture, saw, shown) {
    this.look.view.busy(_("Getting the photo ready …"), null);
    if (picture instanceof Blob) this.show(picture);
    let photo;
    try {
      photo = await shrink(picture, this.look.kind, (drawn) => shown() && this.draw(drawn, saw));
    } catch (fault) {
      return shown() && this.look.view.stop(fault.message);
    }
    if (!shown()) return; // another photo was taken meanwhile
    this.photo = photo;
    await this.send(photo);
  }

  /** @param {HTMLCanvasElement} canvas @param {Seen | null} saw */
  draw(canvas, saw) {
    this.canvas = canvas;
    this.outline(canvas, saw);
  }

  /** Take up again a photo that has not been read.
   *  @param {import("../net/queue.js").Entry & Record<string, any>} entry */
  async resume({ photo, counted }) {
    this.photo = photo;
    this.ahead.reset(counted);
    this.outline(photo);
    await this.send(photo);
  }

  /** Outline what this browser sees on a picture, or has seen.
   *  @param {ImageBitmapSource} picture @param {Seen | null} saw */
  async outline(picture, saw = null) {
    const { draft } = this.look;
    this.sight = this.glimpse(picture, saw);
    const sight = await this.sight;
    if (this.look.draft === draft) this.ahead.see(sight?.faces ?? null);
  }

  /** Return the part of the photo that is enough, {photo, box}, if it is known before all of it could be sent. */
  async part() {
    const { canvas, photo } = this;
    const { equipment } = this.look.table;
    if (!canvas || !photo || !mayBePart(equipment)) return null;
    const late = new Promise((done) => setTimeout(done, Math.min(expected(photo.size), LATEST), null));
    const sight = await Promise.race([this.sight, late]);
    const box = sight && partOf(sight, equipment, canvas);
    const part = box && (await cropped(canvas, box));
    return part && { photo: part, box: [...box, canvas.width, canvas.height] };
  }

  /** @param {Blob} photo */
  async send(photo) {
    this.show(photo);
    this.keep();
    await this.look.sending.photo(photo);
  }

  keep() {
    const { spot, place, draft: { kind, since }, entry } = this.look;
    const photo = { photo: this.photo, kind, since, spot, place, counted: this.ahead.counted };
    queue.hold(String(entry), { ...photo, draft: null, says: _("A photo") });
  }

  /** Keep it again where it is kept: the surface that it shows may be another one by now. */
  keepAgain() {
    if (queue.find(this.look.entry)?.photo) this.keep();
  }

  /** Show a photo as soon as this browser can: some read no HEIC, and some files are no picture.
   *  @param {Blob} photo */
  show(photo) {
    if (this.shown) URL.revokeObjectURL(this.shown);
    this.shown = URL.createObjectURL(photo);
    byId("photo").src = this.shown;
    this.look.view.drawPhoto();
  }

  /** @param {boolean} visible */
  see(visible) {
    const { draft } = this.look;
    this.visible = visible;
    if (draft && !draft.tapped && !draft.photo) byId("stage").hidden = !visible;
  }
}
