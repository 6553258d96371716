/** What a look shows: the photo, the board or pool, what was found, and what its button would do.
 *
 *  It reads the look and changes nothing of it; taps are handed to the look.
 */

import { byId, die as drawn, html, targetOf } from "../page/dom.js";
import { piecesWord } from "./draft.js";
import { ruleTag } from "../page/help.js";
import { buttonOf, drawOverlay, nearEnough, walk } from "./overlay.js";
import { manner, onPhoto, piecesOf, tilePiece, unanswered, withTiles } from "./pieces.js";
import { drawPool } from "./pool.js";
import { drawPreview } from "./preview.js";
import { countIt } from "./scores.js";
import { isPressable } from "./state.js";
import { _, dieName, upper } from "../page/words.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./look.js").Look} Look */

const MOST_ACROSS = 5; // cells; a track goes on in the next row
/** @type {Partial<Record<Kind, string>>} */
const ANOTHER = { pool: _("It is another roll"), grid: _("It is another round") };
// What the button says in each state but three, which depend on the pieces (state.js).
const WORDS = {
  sending: _("Sending …"),
  failed: _("Try again"),
  same: _("Already counted"),
  replacing: _("See what that changes"),
  overtaken: _("Replace it with mine"),
  asking: _("Asking the rules …"),
  nothing: _("Nothing new to count"),
  forbidden: _("Cannot be counted yet"),
};
const ONLY = {
  grid: _("Show only the board"),
  track: _("Show only the track"),
  sheet: _("Show only the sheet"),
  tiles: _("Show only the tiles"),
  hand: _("Show only the tiles"),
  pool: _("Show only the dice"),
};

export class View {
  /** @type {import("./pieces.js").Shown[]} */ pieces = []; // on the photo
  said = ""; // what the live region says, in JSON

  /** @param {Look} look the look that is shown */
  constructor(look) {
    this.look = look;
    this.overlay = byId("overlay");
    this.overlay.addEventListener("keydown", (event) => this.press(event));
    this.overlay.addEventListener("focusin", (event) => targetOf(event).matches(":focus-visible") && this.showFocused(targetOf(event)));
    this.zoom = new Zoom(this.overlay, () => look.chips.place());
  }

  draw() {
    if (!this.look.draft || byId("board-part").hidden) return;
    byId("again").hidden = byId("later").hidden = true;
    this.drawPhoto();
    this.drawBoard();
    this.drawFindings();
    drawPreview(this.look.sending.proposal, this.look);
    this.drawConfirm();
    this.look.picker.remark();
    this.look.remember.draw();
    this.look.corners.draw();
  }

  // -------------------------------------------------------------- on the way

  /** @param {string} words @param {number | null} share */
  busy(words, share) {
    byId("busy").hidden = false;
    byId("findings").hidden = true;
    byId("photo-says").hidden = true;
    byId("board-part").hidden = true;
    byId("again").hidden = byId("later").hidden = true;
    byId("confirm").hidden = true;
    byId("trust").hidden = true;
    byId("confirm-says").textContent = "";
    this.look.incoming.ahead.draw();
    if (byId("busy-words").textContent !== words) byId("busy-words").textContent = words;
    const bar = byId("busy-bar");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  }

  idle() {
    byId("busy").hidden = true;
    byId("findings").hidden = false;
    byId("board-part").hidden = false;
    byId("confirm").hidden = false;
  }

  /** Say what went wrong with the photo; it is kept, and can be sent again where that may help.
   *  @param {string} words @param {boolean} again */
  stop(words, again = false) {
    byId("busy").hidden = true;
    byId("again").hidden = byId("later").hidden = !again;
    this.look.incoming.ahead.draw();
    this.tellAbove([words]);
  }

  // -------------------------------------------------------------- the photo and the dice

  drawPhoto() {
    const { look } = this;
    const hasPhoto = Boolean(look.draft?.photo);
    byId("photo").hidden = hasPhoto;
    this.overlay.toggleAttribute("hidden", !hasPhoto);
    byId("zoom").hidden = !hasPhoto;
    byId("whole").hidden = !hasPhoto || !nearEnough(look.draft);
    if (!hasPhoto) return;
    byId("whole").textContent = look.whole ? ONLY[look.draft.kind] : _("Whole photo");
    this.pieces = piecesOf(look);
    drawOverlay(this.overlay, look, this.pieces);
    look.chips.place();
  }

  /** On the photo Enter shows the values of a piece, digits set them, and arrows walk to the next piece.
   *  @param {KeyboardEvent} event */
  press(event) {
    const { key } = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-key]"))?.dataset ?? {};
    const piece = this.pieces.find((each) => each.key === key);
    if (!piece || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["Enter", " "].includes(event.key)) piece.press();
    else if (!this.look.pieces.digit(piece, event.key)) return walk(this.overlay, this.pieces, event);
    event.preventDefault();
  }

  /** Bring a small piece near that is asked about.
   *  @param {string} key */
  near(key) {
    const piece = this.pieces.find((each) => each.key === key);
    if (piece && this.look.draft.photo) this.zoom.near(piece);
  }

  /** @param {HTMLElement} target */
  showFocused(target) {
    const piece = this.pieces.find(({ key }) => key === target.dataset.key);
    if (piece) this.zoom.show(piece.at);
  }

  /** Return the button of a piece: on the photo, or on what is drawn of it.
   *  @param {string | null} key @returns {HTMLElement | null} */
  placeOf(key) {
    return key === null ? null : (buttonOf(this.overlay, key) ?? byId("board-part").querySelector(`[data-key="${key}"]`));
  }

  /** Draw what the photo does not show: a board that was tapped in or not found, and pieces added by hand. */
  drawBoard() {
    const { look } = this;
    const { loose } = look.draft;
    const drawn = !loose && !withTiles(look.draft) && !onPhoto(look.draft, look);
    byId("pool").hidden = !loose;
    byId("board").hidden = byId("beside").hidden = !drawn;
    byId("laid").hidden = byId("new-tile").hidden = !withTiles(look.draft);
    if (!drawn) byId("board").replaceChildren();
    if (loose) drawPool(byId("pool"), look.draft, look.table, look);
    else if (drawn) this.drawCells();
    else this.drawTiles();
  }

  /** The tiles that a person has added. */
  drawTiles() {
    const { look } = this;
    const added = look.draft.tiles.map((tile, at) => tilePiece(look, tile, at)).filter(({ quad }) => !quad);
    byId("laid").replaceChildren(
      ...added.map(({ key, name, tile }) =>
        html("button", { type: "button", class: "domino", "data-key": key, "aria-label": _("added: {piece}", { piece: name }), click: () => look.pieces.askTile(tile) }, tile.halves.map((half) => drawn(half, "white"))),
      ),
    );
  }

  drawCells() {
    const { look } = this;
    const board = byId("board");
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
    board.style.setProperty("--columns", String(Math.min(look.columns, MOST_ACROSS)));
    board.replaceChildren(...look.cells().map((cell) => this.drawCell(cell)));
    if (focused) this.placeOf(focused)?.focus();
    byId("beside").replaceChildren(
      ...look.draft.beside.map((die) =>
        html(
          "button",
          { type: "button", click: () => look.dice.askBeside(die) },
          drawn(die.value, die.colour),
          _("beside the board: {die}", { die: dieName(die.colour, die.value) }),
        ),
      ),
    );
  }

  /** @param {Cell} cell */
  drawCell(cell) {
    const dice = this.look.draft.on(cell);
    const [die] = dice;
    const doubt = dice.length === 1 && die.doubt;
    const forbidden = dice.some((one) => this.look.offences.has(one));
    const place = this.look.table.equipment.places[cell[1]]?.replace("*", "★");
    const words = dice.map(({ colour, value }) => dieName(colour, value)).join(_(" and ")) || _("empty");
    return html(
      "button",
      {
        type: "button",
        class: `cell ${doubt ? "doubtful" : ""} ${dice.length > 1 ? "wrong" : ""} ${forbidden ? "offence" : ""}`,
        "data-key": cell.join(),
        "aria-label": `${this.look.nameOf(cell)}: ${words}${manner(doubt, forbidden)}`,
        click: () => this.look.askCell(cell),
      },
      die ? drawn(die.value, die.colour) : html("span", { class: "plus", "aria-hidden": "true" }, place ?? "+"),
      doubt ? html("span", { class: "badge", "aria-hidden": "true" }, "?") : null,
      dice.length > 1 ? html("span", { class: "badge", "aria-hidden": "true" }, `${dice.length}`) : null,
    );
  }

  // -------------------------------------------------------------- what is said of them

  drawFindings() {
    const { sending } = this.look;
    const notice = byId("look-notice"); // above the photo, where it is seen
    const rule = sending.rules[String(sending.notice)];
    const words = sending.notice ?? "";
    if (notice.textContent !== words + (rule ?? "")) {
      notice.replaceChildren(words, rule ? ruleTag(rule) : "");
      notice.hidden = !sending.notice;
      if (sending.notice) notice.scrollIntoView({ block: "center" });
    }
    this.drawQuestions();
    this.drawWarnings();
    const { differences } = sending;
    const rules = Object.fromEntries(differences.map((/** @type {{sentence: string, rule: string}} */ { sentence, rule }) => [sentence, rule]));
    this.say([
      { kind: "wrong", words: sending.failed ? [sending.failed] : [] },
      { kind: "wrong", words: Object.keys(rules), rules },
      { kind: "", words: this.remarks },
      { kind: "unseen", words: this.marked },
    ]);
  }

  /** What is wrong with the photo stands above it: the board is cut off, mirrored, or another one. */
  drawWarnings() {
    this.tellAbove(once(this.warnings).map(upper));
  }

  /** Say something above the photo; it is touched only when it changes.
   *  @param {string[]} words */
  tellAbove(words) {
    const box = byId("photo-says");
    const same = box.children.length === words.length && words.every((line, at) => box.children[at].textContent === line);
    if (!same) box.replaceChildren(...words.map((line) => html("li", {}, line)));
    box.hidden = !words.length;
  }

  /** Offer the other answers to what is asked, and whether something was settled otherwise than was
   *  stored, where that explains the dice. */
  drawQuestions() {
    const { draft, sending } = this.look;
    const { instead } = draft;
    const asked = instead ? [instead] : (sending.proposal?.questions ?? []);
    const answers = instead || sending.waiting ? [] : (sending.proposal?.answers ?? []);
    // What an answer explains is against no rule.
    const forbidden = sending.differences.length && sending.proposal.play_on && !draft.replaces && !sending.waiting && !answers.length;
    const count = sending.proposal?.moves.length ? _("Count instead") : _("Count");
    byId("questions").replaceChildren(
      ...answers.map((/** @type {{text: string, moves: unknown[]}} */ { text, moves }) =>
        html("button", { type: "button", class: "wide", click: () => sending.answer(moves) }, `${count}: ${text}`),
      ),
      ...asked.map((/** @type {{question: string}} */ one) =>
        html(
          "button",
          {
            type: "button",
            class: "wide",
            "aria-pressed": String(Boolean(instead)),
            click: () => this.look.putRight(instead ? null : one),
          },
          upper(one.question) + (instead ? ` ${_("Yes")}` : ""),
        ),
      ),
      ...(forbidden ? [html("button", { type: "button", class: "wide", id: "play-on", click: () => sending.playOn() }, _("Play on as it lies"))] : []),
    );
  }

  /** What is said of the photo, but no more of where a die may lie once each place is answered. */
  get warnings() {
    const { hint, warnings } = this.look.draft;
    return unanswered(this.look.draft, this.look).length ? warnings : warnings.filter((sentence) => sentence !== hint);
  }

  /** What the rules find odd about the whole board: that it is not full yet, say. Doubts about a
   *  die that was read stand with the die; of one that was tapped only the rules know any. */
  get remarks() {
    return (this.look.sending.proposal?.doubts ?? [])
      .filter((/** @type {{piece: unknown}} */ doubt) => !doubt.piece || this.look.draft.tapped)
      .map((/** @type {{sentence: string}} */ doubt) => doubt.sentence);
  }

  /** What the question marks on the photo say to the eye. */
  get marked() {
    const { marked } = this.look.draft;
    return marked.length ? [_("With a question mark: {pieces}", { pieces: piecesWord(marked) })] : [];
  }

  /** Show sentences in the live region; it is touched only when they change.
   *  @param {{kind: string, words: string[], rules?: Record<string, string>}[]} groups */
  say(groups) {
    const shown = groups.filter(({ words }) => words.length);
    const text = JSON.stringify(shown);
    if (text === this.said) return;
    this.said = text;
    byId("findings").replaceChildren(
      ...shown.map(({ kind, words, rules = {} }) =>
        html("ul", { class: `note ${kind}` }, words.map((line) => html("li", {}, upper(line), rules[line] ? ruleTag(rules[line]) : null))),
      ),
    );
  }

  /** Whether a photo shows nothing but what has been counted, and no sentence says so yet. */
  get unchanged() {
    const { moves = [], differences = [] } = this.look.sending.proposal ?? {};
    return Boolean(this.look.draft.photo) && !moves.length && !differences.length && !this.remarks.length;
  }

  drawConfirm() {
    const { draft, sending, state } = this.look;
    const confirm = byId("confirm");
    byId("trust").hidden = !draft.unsure.length; // those that are only marked too
    const { overtaken, moves, differences } = sending.proposal ?? {};
    const another = ANOTHER[draft.kind] ?? _("It is another turn");
    byId("anew").hidden = !overtaken || (state === "another" && (!moves.length || differences.length));
    byId("retake-part").hidden = draft.tapped;
    byId("anew").textContent = overtaken?.corrected ? WORDS.overtaken : another;
    if (state === "doubtful") confirm.textContent = _("Check {pieces}", { pieces: piecesWord(draft.doubtful) });
    else if (state === "ready") confirm.textContent = countIt(sending.proposal.preview, this.look.table, this.remarks.length > 0);
    else confirm.textContent = state === "another" ? another : WORDS[state];
    confirm.setAttribute("aria-disabled", String(!isPressable(state)));
  }
}

/** What is asked about several dice stands with each of them, and is said once.
 *  @param {string[]} sentences */
const once = (sentences) => [...new Set(sentences)];
