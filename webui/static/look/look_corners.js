/** "The board lies here": four corners that a person sets, and the photo read again with them.
 *
 *  The reading before is kept, and one press brings it back with all that was put right in it. A board
 *  of one's own is taught here too: its lines are dragged into place, and its print is remembered.
 */

import { Refusal, call } from "../net/api.js";
import { CORNERS, Corners, evenCells, printedCells } from "./corners.js";
import { byId } from "../page/dom.js";
import { Draft } from "./draft.js";
import { inWords, settled } from "../net/jobs.js";
import { Lattice, trackCells } from "./lattice.js";
import { at } from "../net/root.js";
import { _ } from "../page/words.js";

/** @typedef {import("./look.js").Look} Look */

const KINDS = ["grid", "sheet", "track"]; // surfaces whose board has corners
const LEARNING = _("Learning this board …");
const PATIENCE = 60000; // ms that it may take
const READING = _("Reading again …");
const DONE = _("The photo was read again with the board where you put it.");
const FAILED = _("That did not work. Reload the page; the match is safe.");

export class LookCorners {
  reading = false; // the photo is read again, or its board learned

  /** @param {Look} look whose photo is read again */
  constructor(look) {
    this.look = look;
    this.dialog = byId("corners");
    this.corners = new Corners(byId("corners-view"), () => this.guide());
    byId("set-corners").addEventListener("click", () => this.open());
    byId("corners-back").addEventListener("click", () => this.back());
    byId("corners-close").addEventListener("click", () => this.dialog.close());
    byId("corners-turn").addEventListener("click", () => this.corners.turn());
    byId("corners-read").addEventListener("click", () => this.read());
    byId("corners-lines").addEventListener("click", () => this.showLines(!this.corners.lattice));
    byId("corners-teach").addEventListener("click", () => this.teach());
    for (const id of ["track-row", "track-turns"]) byId(id).addEventListener("change", () => this.layTrack());
    this.dialog.addEventListener("close", () => byId("set-corners").focus());
  }

  /** Offer it where a photo was read whose board has corners, plainly where none was found. */
  draw() {
    const { draft } = this.look;
    const button = byId("set-corners");
    button.hidden = !(draft.sighting && draft.photo && KINDS.includes(draft.kind));
    button.textContent = draft.corners ? _("Move the corners") : _("Show where the board is");
    button.classList.toggle("plain", Boolean(draft.corners));
    byId("corners-says").textContent = draft.earlier ? DONE : "";
    byId("corners-back").hidden = !draft.earlier;
  }

  async open() {
    const { draft, table, rows, columns } = this.look;
    this.fault(null);
    this.showLines(false);
    this.dialog.showModal();
    const cells = draft.kind === "grid" ? evenCells(rows, columns) : [];
    this.corners.show(/** @type {DraftPhoto} */ (draft.photo), draft.corners, cells);
    this.corners.handles[0].focus();
    const geometry = await call(at(`/m/${table.match}/board.json`)).catch(() => null); // its outline will do
    if (geometry && this.dialog.open) {
      this.corners.cells = printedCells(geometry);
      if (this.corners.lattice) this.showLines(true);
      this.corners.draw();
    }
  }

  /** Let the lines of one's own board be dragged, or do not.
   *  @param {boolean} shown */
  showLines(shown) {
    const { corners } = this;
    byId("corners-lines").setAttribute("aria-expanded", String(shown));
    byId("lattice-part").hidden = !shown;
    if (!corners.photo) return;
    corners.setLattice(shown && corners.cells.length ? new Lattice(corners.cells) : null);
    const { draft } = this.look;
    byId("track-part").hidden = draft?.kind !== "track";
    if (shown && draft.kind === "track" && corners.lattice) {
      byId("track-row").value = String(corners.lattice.lines[0].length - 1);
      byId("track-turns").checked = corners.cells.length < 2 || !sameRow(corners.cells, byId("track-row").valueAsNumber);
    }
  }

  /** Lay the places of a track anew: so many in a row. */
  layTrack() {
    const across = Math.min(Math.max(Math.round(byId("track-row").valueAsNumber) || 1, 1), 30);
    this.corners.setLattice(new Lattice(trackCells(this.look.columns, across, byId("track-turns").checked)));
  }

  /** Save the board, so that later photos recognise its print; then read the photo with it. */
  async teach() {
    if (this.reading || !this.corners.lattice) return;
    const { path, draft } = this.look;
    const button = byId("corners-teach");
    const said = button.textContent;
    this.reading = true;
    this.fault(null);
    button.textContent = LEARNING;
    button.setAttribute("aria-disabled", "true");
    let learned = false;
    try {
      const sent = { sighting: draft.sighting, corners: this.set(), cells: this.corners.lattice.boxes };
      const taken = await call(`${path}/board`, sent, undefined, PATIENCE);
      const answer = await settled(path, taken, (/** @type {number} */ place) => (button.textContent = inWords(place, LEARNING)));
      byId("taught-board").textContent = answer.says;
      learned = true;
    } catch (fault) {
      this.fault(fault instanceof Refusal ? fault.message : FAILED);
    }
    this.reading = false;
    button.textContent = said;
    button.removeAttribute("aria-disabled");
    if (learned && this.look.draft === draft) await this.read();
  }

  /** The corners as they are sent. */
  set() {
    return this.corners.points.map((point) => point.map((value) => Math.round(10 * value) / 10));
  }

  /** Say which corner the next tap puts; it is touched only when it changes. */
  guide() {
    const words = _("Drag each corner to where the outer cells end, or tap there. Next: {number}, the board's own {corner} corner.", { number: this.corners.next + 1, corner: CORNERS[this.corners.next] });
    const said = byId("corners-said");
    if (said.textContent !== words) said.textContent = words;
  }

  /** @param {string | null} words */
  fault(words) {
    byId("corners-fault").textContent = words ?? "";
    byId("corners-fault").hidden = !words;
  }

  async read() {
    if (this.reading) return;
    const { look } = this;
    const { draft } = look;
    const button = byId("corners-read");
    const said = button.textContent;
    this.reading = true;
    this.fault(null);
    button.textContent = READING;
    button.setAttribute("aria-disabled", "true");
    try {
      const sent = { corners: this.set(), spot: look.spot };
      const answer = await settled(look.path, await call(`${look.path}/sightings/${draft.sighting}/corners`, sent), () => {});
      if (look.draft === draft) {
        this.dialog.close();
        look.read(answer, { ...draft, earlier: null });
      }
    } catch (fault) {
      if (look.draft === draft) this.fault(fault instanceof Refusal ? fault.message : FAILED);
    }
    this.reading = false;
    button.textContent = said;
    button.removeAttribute("aria-disabled");
  }

  /** Show what was read before, as it stood. */
  back() {
    const { look } = this;
    look.draft = new Draft(/** @type {Partial<Draft>} */ (look.draft.earlier));
    look.sending.notice = null;
    look.propose();
    byId("look-title").focus();
  }
}

/** Whether the second row of a track begins where the first one does.
 *  @param {Quad[]} cells @param {number} across */
function sameRow(cells, across) {
  return cells.length <= across || Math.abs(cells[across][0][0] - cells[0][0][0]) < 0.01;
}
