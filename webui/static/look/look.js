/** From a photo, or from taps, to a confirmed step: a person checks what was read, piece by piece.
 *
 *  What lies there is the draft (draft.js), what goes to the server sending.js, what is seen view.js. The photo is
 *  where it is put right: a piece that is pressed shows its likely values (chips.js), and from there the sheet with
 *  all of them; look_pieces.js asks about marks and tiles, look_corners.js where the board lies.
 */

import { call, newRequest } from "../net/api.js";
import { Chips } from "./chips.js";
import { byId, html } from "../page/dom.js";
import { Draft, kindOf, toKeep } from "./draft.js";
import { Incoming } from "./incoming.js";
import { LookCorners } from "./look_corners.js";
import { LookDice } from "./look_dice.js";
import { LookPieces } from "./look_pieces.js";
import { Picker } from "./picker.js";
import { queue } from "../net/queue.js";
import { Remember } from "./remember.js";
import { at } from "../net/root.js";
import { Scores } from "./scores.js";
import { Sending, gone } from "./sending.js";
import { dueSpot, kindNow, sameSpot } from "./spots.js";
import { COUNTED, stateOf } from "./state.js";
import { View } from "./view.js";
import { _, cellName, upper } from "../page/words.js";
/** @typedef {import("./choices.js").Choice} Choice
 *  @typedef {import("../net/queue.js").Entry & Record<string, any>} Waiting
 *  @typedef {import("./spots.js").Spot} Spot
 *  @typedef {Table & Record<string, any>} LookTable */

const LEFT = { kind: "Left", message: _("You left it before it was counted.") };

export class Look {
  // Null while nothing is looked at; what is called only while a look is open does not ask.
  draft = /** @type {Draft} */ (/** @type {unknown} */ (null));
  rows = 0;
  columns = 0;
  picked = false; // a person has said once which surface a photo shows
  late = false; // that was while the photo was read
  stays = false; // that surface is the one of before, whatever happened elsewhere
  whole = false; // the whole photo is shown, and not the part with the board
  made = 0; // the newest step of this page
  /** @type {string | null} */ entry = null; // its place in the queue

  /** @param {LookTable} table what the page knows of the match now (webui/pages/match/context.py, table)
   *  @param {{opened: () => void, closed: (why: Fault | null) => void, stored: (seq: number | null) => Later<unknown>}} tell */
  constructor(table, { opened, closed, stored }) {
    this.table = table;
    this.tell = { opened, closed };
    this.picker = new Picker();
    this.dice = new LookDice(this);
    this.pieces = new LookPieces(this);
    this.corners = new LookCorners(this);
    this.remember = new Remember(this);
    this.sending = new Sending(this, stored);
    this.scores = new Scores(this);
    this.view = new View(this);
    this.incoming = new Incoming(this);
    this.chips = new Chips(this, ({ key }) => this.view.placeOf(key));
    byId("confirm").addEventListener("click", () => this.main());
    byId("trust").addEventListener("click", () => this.trust());
    byId("close").addEventListener("click", () => (this.draft.touched && !queue.find(this.entry)?.path ? this.giveUp(LEFT) : this.close()));
    byId("later").addEventListener("click", () => this.putOff());
    byId("anew").addEventListener("click", () => (this.sending.proposal.overtaken.corrected ? this.sending.confirm() : this.anew()));
    byId("whole").addEventListener("click", () => {
      this.whole = !this.whole;
      this.view.zoom.reset();
      this.view.drawPhoto();
    });
    byId("spot").addEventListener("change", () => {
      this.picked = true;
      this.late = this.draft.waits; // it is judged as shown here once it is read
      if (!this.late) this.propose();
      else this.incoming.keepAgain();
    });
    new ResizeObserver(() => this.view.drawPhoto()).observe(byId("stage"));
    this.learn();
  }

  /** The newest step that is known: of one made here the tally may be on its way. */
  get seq() {
    return Math.max(this.made, this.table.seq);
  }

  get path() {
    return at(`/api/matches/${this.table.match}`);
  }

  get spot() {
    return Number(byId("spot").value);
  }

  /** What that surface is called: another table may go on, and then others have its number. */
  get place() {
    return byId("spot").selectedOptions[0]?.textContent ?? "";
  }

  /** The dice on this surface that have been counted or stored already. */
  get counted() {
    return this.table.equipment.spots[this.spot]?.board ?? [];
  }

  /** Which surface is looked at now (draft.js). */
  get kind() {
    return kindOf(this.table.equipment);
  }

  /** The pieces that the rules forbid as they lie. */
  get offences() {
    return this.sending.offences;
  }

  /** What its button says and does (state.js). */
  get state() {
    return stateOf({ draft: this.draft, sending: this.sending, unchanged: this.view.unchanged });
  }

  /** Whether dice are still to be tapped in, and nobody asked yet what is wrong with those that are. */
  get unfinished() {
    const { tapped, loose, pressed, dice } = this.draft;
    return tapped && loose && !pressed && dice.length < Number(this.table.equipment.dice);
  }

  /** Whether nothing lies there yet: nothing for the rules to judge. */
  get bare() {
    const { tapped, loose, kind, dice, tiles } = this.draft;
    return tapped && (loose || kind === "hand") && !dice.length && !tiles.length;
  }

  /** Look for what is wanted now: a game may go from dice to a board, and the tables of a
   *  tournament change with every round. */
  learn() {
    const { spots, board, places, colours = {} } = this.table.equipment;
    const size = board?.match(/^grid:(\d+)x(\d+)$/) ?? [board, places.length ? 1 : 0, places.length];
    [, this.rows, this.columns] = size.map(Number);
    this.picker.colours = Object.keys(colours).length ? Object.keys(colours) : ["white"];
    const was = this.place;
    const chosen = this.draft ? sameSpot(spots, this.spot, was) : dueSpot(spots, this);
    this.stays = Boolean(was) && upper(spots[chosen]?.title ?? "") === was;
    byId("spots").hidden = spots.length < 2;
    byId("spot").replaceChildren(
      ...spots.map((/** @type {Spot} */ { title }, /** @type {number} */ place) => html("option", { value: place, selected: place === chosen }, upper(title))),
    );
  }

  cells() {
    return Array.from({ length: this.rows * this.columns }, (_, place) => [Math.floor(place / this.columns), place % this.columns]);
  }

  /** The name of a cell: "row 1, column 2", or "place 4" of a track.
   *  @param {Cell} cell */
  nameOf([row, column]) {
    const place = this.table.equipment.places[column];
    if (!place) return cellName(row, column);
    return _("place {number}", { number: place.endsWith("*") ? _("{number} with a star", { number: place.slice(0, -1) }) : place });
  }

  // -------------------------------------------------------------- a photo comes in

  /** @param {File | HTMLCanvasElement} picture a file, or a canvas that a viewfinder drew on, with what it `saw` there
   *  @param {import("../eyes/sight.js").Seen | null} saw */
  take(picture, saw = null) {
    const draft = new Draft({ kind: this.kind });
    this.open(draft);
    return this.incoming.take(picture, saw, () => this.draft === draft);
  }

  /** Take what was read; `earlier` is the draft before it, where the same photo was read again.
   *  @param {any} answer @param {Partial<Draft> | null} earlier */
  read(answer, earlier = null) {
    const { since } = this.draft;
    this.draft = Draft.read(answer, this.kind, this.incoming.visible ? this.incoming.shown : null);
    this.draft.earlier = earlier;
    byId("stage").hidden = false;
    this.draft.since = since;
    this.view.idle();
    const { dice, marks } = this.draft;
    this.sending.settled(answer.proposal, this.seq, { dice, tiles: this.draft.counted.tiles, marks });
    // Too many dice beside the board are no reason to refuse what lies on it. What another phone
    // has counted meanwhile, the photo's own proposal does not know.
    if ((answer.proposal.differences.length && this.draft.beside.length) || since !== this.seq || this.late) this.propose();
    this.late = false;
    byId("look-title").focus();
    if (this.incoming.ahead.agrees(this.draft, answer.proposal)) return this.sending.confirm();
    this.askNextDoubt(false);
  }

  /** Put right by hand what a watching camera saw, or for `replaces` what that step stored.
   *  @param {string | number} sighting @param {number | null} replaces */
  async review(sighting, replaces = null) {
    this.open(new Draft({ kind: this.kind, replaces }));
    const { entry } = this;
    this.view.busy(_("Getting the picture …"), null);
    try {
      const answer = await call(`${this.path}/sightings/${sighting}`);
      if (this.entry !== entry) return; // a photo was taken meanwhile
      const { since } = this.draft;
      this.draft = Draft.read({ ...answer, proposal: { doubts: [] } }, this.kind);
      Object.assign(this.draft, { since, replaces });
      byId("stage").hidden = false;
      this.view.idle();
      this.propose();
    } catch (fault) {
      if (this.entry === entry) this.view.stop(fault.message);
    }
  }

  tapIn() {
    this.open(Draft.tapped(this.counted, this.kind));
    this.view.idle();
    if (this.draft.loose || this.kind === "hand") return this.view.draw();
    this.propose();
    this.askNextEmpty();
  }

  /** @param {Draft} draft @param {string} entry its place in the queue, where it has one */
  open(draft, entry = newRequest()) {
    this.chips.close();
    if (this.entry) queue.release(this.entry); // another photo is taken in place of that one
    this.entry = entry;
    this.draft = draft;
    draft.since ??= this.seq; // it belongs to the round or roll of then
    this.sending.reset();
    this.incoming.reset();
    this.whole = this.late = false;
    this.view.zoom.reset();
    this.tell.opened();
    const title = byId("look-title");
    const tapped = draft.kind === "hand" ? _("Tap the tiles in") : _("Tap the dice in");
    title.textContent = draft.tapped ? tapped : _("Is this what is on the table?");
    this.view.draw();
    title.focus();
  }

  /** Leave the look for good. */
  close() {
    const { entry } = this;
    this.leave();
    return queue.release(String(entry));
  }

  /** Leave the look and what it has in the queue; `why`, a fault, is shown on the page.
   *  @param {Fault | null} why */
  leave(why = null) {
    this.chips.close();
    for (const id of /** @type {const} */ (["picker", "chooser", "corners"])) byId(id).close(); // they ask about what is no longer shown
    this.draft = /** @type {any} */ (null);
    this.entry = null;
    this.sending.reset();
    this.tell.closed(why);
    this.incoming.ended();
  }

  /** Leave a photo in the queue, to be read later. */
  putOff() {
    queue.hold(String(this.entry), { open: false });
    this.leave();
  }

  /** Leave what belongs to the game no more, or was put right and not counted; a person may drop it. */
  giveUp(refused = gone(this.table)) {
    if (this.bare) return this.close();
    queue.hold(String(this.entry), { open: false, refused });
    this.leave();
  }

  keep() {
    const { draft, spot, place } = this;
    queue.hold(String(this.entry), { draft: toKeep(draft), photo: null, kind: draft.kind, since: draft.since, spot, place, says: this.sending.says });
  }

  /** Show again what was looked at when the page was left.
   *  @param {Waiting | undefined} entry */
  restore(entry) {
    if (!entry || entry.id === this.entry) return;
    if (this.draft) queue.hold(entry.id, { open: false });
    else this.takeUp(entry);
  }

  /** Look again at what waits in the queue: a photo to be read, or what was confirmed and refused.
   *  @param {Waiting} entry */
  takeUp(entry) {
    const { id, draft, spot, place = "", after, path } = entry;
    const since = path ? entry.since : (after ?? entry.since); // its own steps before it are no other phone's
    if (this.draft) this.putOff();
    queue.hold(id, { open: true, path: null, refused: null });
    byId("spot").value = String(sameSpot(this.table.equipment.spots, Number(spot), place));
    const stays = this.place === place;
    const kind = kindNow(/** @type {Kind} */ (entry.kind), this.kind, Boolean(place) && stays);
    if (kind !== this.kind || !this.table.photographable) return queue.hold(id, { open: false, refused: gone(this.table) });
    if (draft) this.resume(new Draft({ ...draft, kind, since }), id);
    else this.open(new Draft({ kind, since }), id);
    if (place && !stays) this.sending.notice = _("It was taken for “{place}”, which is there no more. Choose which one it shows.", { place });
    if (!draft) this.incoming.resume(entry);
  }

  /** @param {Draft} draft @param {string} entry */
  resume(draft, entry) {
    this.open(draft, entry);
    byId("stage").hidden = !draft.photo;
    this.view.idle();
    this.propose();
    this.askNextDoubt(false);
  }

  // -------------------------------------------------------------- what it would count

  propose() {
    return this.sending.propose();
  }

  /** What is shown is no round or roll of before: judge it by what is due now. */
  anew() {
    this.draft.since = this.seq;
    this.sending.notice = null;
    this.propose();
  }

  /** Judge it with an earlier step put right, the answer to a question, or for null as it stands.
   *  @param {unknown} question */
  putRight(question) {
    this.draft.instead = question;
    this.propose();
  }

  // -------------------------------------------------------------- the person answers

  /** Show the likely values of a piece beside it, for an answer in one tap.
   *  @param {string} key @param {{piece: Partial<Piece>, said: string, choices: Choice[], more: (() => void) | null, focus?: boolean}} question */
  offer(key, { piece, said, choices, more, focus = true }) {
    const doubts = piece.doubt ? (piece.doubts ?? [piece.doubt]) : [said];
    const answered = (/** @type {Choice} */ choice) => {
      choice.make(this.draft);
      this.changed(key);
    };
    this.view.near(key);
    this.chips.open({ key, doubt: piece.doubt }, { said: doubts, choices, answered, more }, focus);
  }

  /** Take what was put right, ask the rules again, and walk on to the next doubt. @param {string | null} key */
  changed(key = null) {
    this.sending.notice = null;
    this.propose();
    if (!this.askNextDoubt()) (this.view.placeOf(key) ?? byId("confirm")).focus({ preventScroll: true });
  }

  /** Show the next doubtful piece with its likely values, and say whether there is one. */
  askNextDoubt(focus = true) {
    if (this.dice.askTwo(this.dice.doubled)) return true;
    const [piece] = /** @type {any[]} */ (this.draft.doubtful);
    if (piece?.halves || piece?.mark) this.pieces.open(piece, focus);
    else if (piece && !piece.cell) this.pieces.openDie(piece, focus);
    else if (piece) this.pieces.openCell(piece.cell, focus);
    return Boolean(piece);
  }

  /** Ask for the next empty cell from a place on, then from the first; one that was left empty is not asked about again. */
  askNextEmpty(from = 0) {
    const cells = this.cells();
    const next = [...cells.slice(from), ...cells.slice(0, Math.max(0, from - 1))].find((each) => !this.draft.on(each).length);
    if (next) this.askCell(next);
  }

  /** Ask which die lies on a cell; where dice are tapped in, the next empty one follows. @param {Cell} cell */
  askCell(cell) {
    const place = this.cells().findIndex((each) => each.join() === cell.join());
    this.dice.askAbout(cell, this.draft.tapped ? () => this.askNextEmpty(place + 1) : undefined);
  }

  trust() {
    this.chips.close();
    this.draft.trust();
    this.propose();
  }

  main() {
    const { state } = this;
    if (state === "doubtful") return this.askNextDoubt();
    if (state === "failed" || state === "another") return state === "failed" ? this.propose() : this.anew();
    return COUNTED.includes(state) ? this.sending.confirm() : this.explain();
  }

  /** Say why it cannot be counted: of dice that are still to be tapped in, what the rules miss. */
  explain() {
    const early = this.unfinished;
    this.draft.pressed = true;
    if (early) this.propose();
    byId("findings").focus();
  }

  /** A step made on this page is no other phone's: what lies here belongs to what comes after it.
   *  @param {number} seq */
  ours(seq) {
    this.made = seq;
    if (!this.draft) return;
    this.draft.since = seq;
    this.sending.after = undefined; // the rules were asked before it
    if (this.table.seq >= seq) this.sending.moved(); // the stream was faster than the answer
  }
}
