/** A photo on its way in: shown at once, outlined by this browser, and kept until the server has read it. */

import { Ahead } from "./ahead.js";
import { expected } from "../net/api.js";
import { byId } from "../page/dom.js";
import { mayBePart, partOf } from "./part.js";
import { cropped, shrink } from "../camera/photo.js";
import { queue } from "../net/queue.js";
import { _ } from "../page/words.js";

const LATEST = 60e3; // ms after which a photo is sent whole, however slow the network is

export class Incoming {
  glimpse = async () => null; // outlines and returns what this browser sees on a picture (sight.js)
  ended = () => {}; // hears that nobody looks at a photo any more (sight.js)
  photo = null; // as it is sent
  canvas = null; // its px, where they are here
  sight = null; // what this browser sees on it, as soon as it is known
  shown = null; // its address on this page
  visible = false; // this browser can show it

  /** @param look that is to read the photo */
  constructor(look) {
    this.look = look;
    this.ahead = new Ahead(this, look);
    byId("again").addEventListener("click", () => this.send(this.photo));
    byId("photo").addEventListener("load", () => this.see(true));
    byId("photo").addEventListener("error", () => this.see(false));
  }

  /** This browser has eyes from now on: a photo that is on its way already is outlined too. */
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
   *  @param shown says whether it is still wanted */
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

  draw(canvas, saw) {
    this.canvas = canvas;
    this.outline(canvas, saw);
  }

  /** Take up again a photo that has not been read. */
  async resume({ photo, counted }) {
    this.photo = photo;
    this.ahead.reset(counted);
    this.outline(photo);
    await this.send(photo);
  }

  /** Outline what this browser sees on a picture, or has seen. */
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
    if (!canvas || !mayBePart(equipment)) return null;
    const late = new Promise((done) => setTimeout(done, Math.min(expected(photo.size), LATEST), null));
    const sight = await Promise.race([this.sight, late]);
    const box = sight && partOf(sight, equipment, canvas);
    const part = box && (await cropped(canvas, box));
    return part && { photo: part, box: [...box, canvas.width, canvas.height] };
  }

  async send(photo) {
    this.show(photo);
    this.keep();
    await this.look.sending.photo(photo);
  }

  keep() {
    const { spot, draft: { kind, since }, entry } = this.look;
    const photo = { photo: this.photo, kind, since, spot, counted: this.ahead.counted };
    queue.hold(entry, { ...photo, draft: null, says: _("A photo") });
  }

  /** Show a photo as soon as this browser can: some read no HEIC, and some files are no picture. */
  show(photo) {
    if (this.shown) URL.revokeObjectURL(this.shown);
    this.shown = URL.createObjectURL(photo);
    byId("photo").src = this.shown;
    this.look.view.drawPhoto();
  }

  see(visible) {
    const { draft } = this.look;
    this.visible = visible;
    if (draft && !draft.tapped && !draft.photo) byId("stage").hidden = !visible;
  }
}
