/** The entry panel of a match: what is tapped is stored, through the queue, and may be overtaken by another phone. */

import { sending } from "../net/api.js";
import { all, byId, fields, html } from "../page/dom.js";
import { morph } from "../page/morph.js";
import { queue } from "../net/queue.js";
import { at } from "../net/root.js";
import { Panel } from "./panel.js";
import { OF_PADS, OF_PIECES, nameOf } from "./pieces.js";
import { againFor } from "./queue_list.js";
import { _ } from "../page/words.js";

/** @typedef {import("./panel.js").Step} Step */

export class Entry extends Panel {
  /** @type {Element | null} */ fresh = null; // the panel after another phone's step
  storing = false; // what was tapped is on its way: its news may come before its answer

  /** @param {HTMLElement} root @param {{match: string, seq: number}} table @param {(seq: number | null) => Later<unknown>} stored */
  constructor(root, table, stored) {
    super(root);
    this.table = table;
    this.stored = stored;
    this.shelf = `half ${table.match}`;
    this.clear(JSON.parse(sessionStorage.getItem(this.shelf) ?? "{}")); // of before a reload
    root.addEventListener("submit", (event) => {
      const form = /** @type {HTMLFormElement} */ (event.target);
      if (!form.matches("[data-play]")) return;
      event.preventDefault();
      this.submit(form, /** @type {HTMLButtonElement} */ (event.submitter));
    });
  }

  /** Whether somebody taps on a pad. */
  get tapped() {
    return !this.storing && super.tapped;
  }

  /** The page has news: what is half tapped stays, and says that it is not the newest.
   *  @param {Element} fresh */
  take(fresh) {
    const panel = fresh.querySelector(".entry");
    this.fresh = null;
    if (!panel || !this.tapped) return;
    const names = all(panel, OF_PADS).map(nameOf);
    if (Object.keys(this.half).every((name) => names.includes(name))) return; // it was a step at another table
    this.fresh = /** @type {Element} */ (panel.cloneNode(true));
    panel.setAttribute("data-kept", "");
  }

  /** The step that the pad follows, in each form: one that was kept is older than the match. */
  get seen() {
    return fields(this.root, '.entry [name="after"]');
  }

  /** What is half tapped comes after a step of this phone.
   *  @param {number} seq */
  ours(seq) {
    for (const one of this.seen) if (Number(one.value) === seq - 1) one.value = String(seq);
  }

  /** Draw the panel as the page has it now. */
  learn() {
    if (!this.footOf()) return;
    if (!this.fresh) this.clear(this.half);
    this.draw();
  }

  draw() {
    super.draw();
    const { half } = this;
    if (Object.keys(half).length) sessionStorage.setItem(this.shelf, JSON.stringify(half));
    else sessionStorage.removeItem(this.shelf);
  }

  /** What a tap does: nothing of it counts before a person knows. */
  get hint() {
    const pads = this.parts(`.pad:not(${OF_PIECES})`);
    if (!pads.length) return "";
    const { pad } = this;
    const [first] = all(this.root, ".entry [data-first] .cells [aria-pressed='true']");
    if (first) return _("{place}: the next tap counts.", { place: String(first.ariaLabel) });
    if (pad && "atOnce" in pad.dataset) return _("The next tap counts.");
    if (pads.some((each) => !each.dataset.pad)) return _("A tap counts at once.");
    return "";
  }

  /** Leave what was tapped for the newest panel. */
  renew() {
    if (this.fresh) morph(all(this.root, ".entry")[0], this.fresh);
    this.fresh = null;
    this.begin();
  }

  /** Say what was tapped, or that the pad is not the newest.
   *  @param {(Node | string)[]} words @param {string} [kind] */
  sayTapped(words, kind) {
    const renew = html("button", { type: "button", class: "plain", click: () => this.renew() }, _("Show the pad as it is now"));
    const moved = Number(this.seen[0]?.value) === this.table.seq ? "" : _("Another phone just moved.");
    if (this.fresh) this.say([moved, " ", renew], "doubt");
    else this.say(words, kind);
  }

  /** Store the numbers typed into a form, and the move of the button that was pressed.
   *  @param {HTMLFormElement} form @param {HTMLButtonElement} button */
  async submit(form, button) {
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    const moves = [...typedMoves(form), ...(button.value ? [JSON.parse(button.value)] : [])];
    const words = button.dataset.words ?? button.ariaLabel ?? String(button.textContent).trim();
    if (!moves.length) fields(form, '[name="number"]')[0].focus();
    else await this.play({ moves, words, sent: () => form.reset() }, button);
    delete form.dataset.busy;
  }

  /** Store moves, and show what comes of it; `sent` hears that they are stored, or wait in the queue.
   *  @param {Step} step @param {HTMLElement} button */
  async play({ moves, words, sent = () => {} }, button) {
    if (button.getAttribute("aria-disabled") === "true") return;
    const after = Number(this.seen[0].value);
    const leads = `: ${button.querySelector("small")?.textContent}`;
    const move = words.endsWith(leads) ? words.slice(0, -leads.length) : words; // of what waits only the move is said
    const numbers = JSON.stringify(moves, (name, value) => (name === "table" ? "" : value)).match(/\d/);
    const what = queue.waits && !numbers ? move.replace(/ \d+$/, "") : move; // a total that the pad shows is older than what waits
    const form = button.closest("form");
    const [table = ""] = form?.ariaLabel?.split(":") ?? [];
    const { ariaLabel, dataset } = form ?? all(this.root, ".entry [data-play]")[0]; // a button of the dock is of the only one
    const pad = { pad: ariaLabel, whose: dataset.whose };
    const says = what.toLowerCase().includes(table.toLowerCase()) ? what : `${table}: ${what}`; // of several tables its own
    this.storing = true;
    try {
      const { seq } = await sending(button, () => queue.add({ path: at(`/api/matches/${this.table.match}/moves`), sent: { after, moves }, says, ...pad }));
      sent();
      this.fresh = null;
      this.clear(this.halfBut(form));
      await this.stored(seq);
      this.draw(); // its news may have come before it: what was typed stood then
      if (!byId("result-title")) this.goOn();
    } catch (fault) {
      if (fault.kind === "Offline") sent();
      if (fault.kind === "Offline") this.clear(this.halfBut(form));
      if (fault.kind === "Stale") this.renew(); // the news may have come before the refusal
      if (fault.kind === "Stale") await this.stored(null);
      this.draw();
      this.tell(fault);
      if (fault.kind === "Stale") this.askAgain({ moves, words, sent }, says, againFor({ sent: { moves }, ...pad }) ?? _("Count mine too"));
    } finally {
      this.storing = false;
    }
  }

  /** Another phone was first: ask whether the same step counts after that one.
   *  @param {Step} step @param {string} says @param {string} too */
  askAgain(step, says, too) {
    const { announce } = all(document, "[data-announce]")[0].dataset;
    const again = html("button", { type: "button", click: () => this.play(step, again) }, too);
    const drop = html("button", { type: "button", click: () => (this.draw(), this.goOn()) }, _("Drop mine"));
    const words = `${_("Another phone was first: {step}", { step: announce ?? "" })} ${_("Not counted: {move}.", { move: says })}`;
    this.say([html("span", { "data-fault": "Stale" }, words), html("span", { class: "two" }, again, drop)], "doubt");
  }
}

/** The moves of the numbers that were typed into a form.
 *  @param {HTMLFormElement} form */
function typedMoves(form) {
  const [numbers, made] = ["number", "made"].map((name) => fields(form, `[name="${name}"]`));
  const typed = numbers.map(({ value }, place) => ({ value, ...JSON.parse(made[place].value) }));
  return typed.filter(({ value }) => value.trim()).map(({ value, move, field }) => ({ ...move, [field]: Number(value) }));
}
