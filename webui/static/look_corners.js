/** "The board lies here": four corners that a person sets, and the photo read again with them.
 *
 *  The reading before is kept, and one press brings it back with all that was put right in it.
 */

import { Refusal, call } from "./api.js";
import { CORNERS, Corners, evenCells, printedCells } from "./corners.js";
import { byId } from "./dom.js";
import { Draft } from "./draft.js";
import { settled } from "./jobs.js";

const KINDS = ["grid", "sheet", "track"]; // surfaces whose board has corners
const READING = "Reading again …";
const DONE = "The photo was read again with the board where you put it.";
const FAILED = "That did not work. Reload the page; the match is safe.";

export class LookCorners {
  /** @param look whose photo is read again */
  constructor(look) {
    this.look = look;
    this.dialog = byId("corners");
    this.corners = new Corners(byId("corners-view"), () => this.guide());
    byId("set-corners").addEventListener("click", () => this.open());
    byId("corners-back").addEventListener("click", () => this.back());
    byId("corners-close").addEventListener("click", () => this.dialog.close());
    byId("corners-turn").addEventListener("click", () => this.corners.turn());
    byId("corners-read").addEventListener("click", () => this.read());
    this.dialog.addEventListener("close", () => byId("set-corners").focus());
  }

  /** Offer it where a photo was read whose board has corners, plainly where none was found. */
  draw() {
    const { draft } = this.look;
    const button = byId("set-corners");
    button.hidden = !(draft.sighting && draft.photo && KINDS.includes(draft.kind));
    button.textContent = draft.corners ? "The board lies elsewhere" : "Show where the board lies";
    button.classList.toggle("plain", Boolean(draft.corners));
    byId("corners-says").textContent = draft.earlier ? DONE : "";
    byId("corners-back").hidden = !draft.earlier;
  }

  async open() {
    const { draft, table, rows, columns } = this.look;
    this.fault(null);
    this.dialog.showModal();
    const cells = draft.kind === "grid" ? evenCells(rows, columns) : [];
    this.corners.show(draft.photo, draft.corners, cells);
    this.corners.handles[0].focus();
    if (draft.kind === "grid") return;
    const geometry = await call(`/m/${table.match}/board.json`).catch(() => null); // its outline will do
    if (geometry && this.dialog.open) {
      this.corners.cells = printedCells(geometry);
      this.corners.draw();
    }
  }

  /** Say which corner the next tap puts; it is touched only when it changes. */
  guide() {
    const words = `Drag each corner to where the outer cells end, or tap there. Next: ${this.corners.next + 1}, the board's own ${CORNERS[this.corners.next]} corner.`;
    const said = byId("corners-said");
    if (said.textContent !== words) said.textContent = words;
  }

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
      const sent = { corners: this.corners.points.map((point) => point.map((value) => Math.round(10 * value) / 10)), spot: look.spot };
      const answer = await settled(look.path, await call(`${look.path}/sightings/${draft.sighting}/corners`, sent), () => {});
      if (look.draft === draft) {
        this.dialog.close();
        look.read(answer, { ...draft, earlier: null });
      }
    } catch (fault) {
      this.fault(fault instanceof Refusal ? fault.message : FAILED);
    }
    this.reading = false;
    button.textContent = said;
    button.removeAttribute("aria-disabled");
  }

  /** Show what was read before, as it stood. */
  back() {
    const { look } = this;
    look.draft = new Draft(look.draft.earlier);
    look.sending.notice = null;
    look.propose();
    byId("look-title").focus();
  }
}
