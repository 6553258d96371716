/** What a viewfinder sees, frame after frame: whether all lies there, still and alike, and what is wanting. */

import { _, ngettext } from "../page/words.js";

const STILL = 0.12; // sides that a face moves at most between two frames that show it lying still
const ALIKE = 500; // ms for which all is seen alike before the shutter goes by itself
const EDGE = 0.1; // sides from the edge of the picture within which a die is cut off
const DARK = 45; // mean grey level below which pips are lost in noise
const FORGET = 1500; // ms after which the size of the faces is no longer taken from the last

export class Aim {
  /** @type {ShownFace[]} */ before = [];
  since = 0; // when what is seen was first seen so
  last = 0; // when there was a face
  /** @type {number | null} */ side = null; // of the faces on the last frame

  /** @param {{dice?: number, tiles: number}} equipment what the rules want to see (webui/api/answers/match.py, equipment_view) */
  constructor({ dice, tiles }) {
    this.wanted = dice || 2 * tiles || 0; // faces; none: any number
    this.tiles = tiles > 0;
  }

  /** Take what a frame shows at a time in ms.
   *  @param {Pick<Sight, "faces" | "light"> & {width: number, height: number}} seen @param {number} at
   *  @returns what to say, whether all lie still, and whether the shutter may go */
  take({ faces, width, height, light }, at) {
    const moving = this.moving(faces);
    const alike = faces.length === this.before.length && !moving;
    if (!alike || !faces.length) this.since = at;
    this.before = faces;
    if (faces.length) [this.side, this.last] = [median(faces.map(({ size }) => size)), at];
    else if (at - this.last > FORGET) this.side = null;
    const cut = faces.filter(({ quad, size }) => quad.some(([x, y]) => Math.min(x, y, width - x, height - y) < EDGE * size)).length;
    const all = this.wanted ? faces.length === this.wanted : faces.length > 0;
    const sure = faces.every((face) => face.sure);
    const ready = all && sure && !cut && at - this.since >= ALIKE;
    return { still: alike, ready, says: this.says({ seen: faces.length, all, sure, cut, moving, light, ready }) };
  }

  /** @param {{seen: number, all: boolean, sure: boolean, cut: number, moving: boolean, light: number, ready: boolean}} state */
  says({ seen, all, sure, cut, moving, light, ready }) {
    if (light < DARK) return _("Too dark to see the pips. Switch on a light.");
    if (cut) return _("A piece is cut off at the edge.");
    if (!seen) return this.tiles ? _("Hold the phone above the tiles.") : _("Hold the phone above the table.");
    if (!all) return this.counted(seen);
    if (ready) return this.wanted ? _("All {wanted} seen", { wanted: this.wanted }) : ngettext("{n} die seen", "{n} dice seen", seen);
    return moving || sure ? _("Hold still …") : _("Come a little closer.");
  }

  /** @param {number} seen */
  counted(seen) {
    const count = { seen, wanted: this.wanted };
    return this.tiles ? _("{seen} of {wanted} halves seen", count) : _("{seen} of {wanted} dice seen", count);
  }

  /** Whether a face of this frame lies elsewhere than in the last, or shows something else.
   *  @param {ShownFace[]} faces */
  moving(faces) {
    return faces.some(({ middle: [x, y], size, value }) => {
      const near = this.before.find((face) => Math.hypot(face.middle[0] - x, face.middle[1] - y) < STILL * size);
      return near?.value !== value;
    });
  }
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
