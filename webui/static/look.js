/** From a photo, or from taps, to a confirmed step: what was seen, what to check, what it counts. */

import { Refusal, call, newRequest, sendPhoto } from "./api.js";
import { byId, die as drawn, html, svg } from "./dom.js";
import { Draft, cellName, diceWord } from "./draft.js";
import { inWords, settled } from "./jobs.js";
import { around, cellQuad, cellUnder, drawOverlay, unanswered } from "./overlay.js";
import { shrink } from "./photo.js";
import { Picker } from "./picker.js";
import { drawPool } from "./pool.js";
import { Remember } from "./remember.js";

const READING = "Reading the dice …";
const AGAIN = ["Offline", "Broken", "Busy", "Full", "Unknown"]; // Unknown: the server was started anew
const MOVED = "Another phone just moved. Look again.";
const GONE = "Another phone has counted this meanwhile, and something else is due now.";
const TWICE = "Another phone has already counted this very board.";

export class Look {
  /** @param table what the page knows of the match now (webui/pages.py, _table) */
  constructor(table, { opened, closed, stored }) {
    this.table = table;
    this.tell = { opened, closed, stored };
    this.picker = new Picker();
    this.remember = new Remember(this);
    this.overlay = byId("overlay");
    byId("picker").addEventListener("close", () => this.asked?.()?.focus());
    byId("confirm").addEventListener("click", () => this.main());
    byId("trust").addEventListener("click", () => this.trust());
    byId("again").addEventListener("click", () => this.send(this.photo));
    byId("close").addEventListener("click", () => this.close());
    byId("anew").addEventListener("click", () => this.anew());
    byId("whole").addEventListener("click", () => {
      this.whole = !this.whole;
      this.drawPhoto();
    });
    byId("spot").addEventListener("change", () => this.propose());
    byId("photo").addEventListener("load", () => this.see(true));
    byId("photo").addEventListener("error", () => this.see(false));
    new ResizeObserver(() => this.drawPhoto()).observe(byId("stage"));
    this.learn();
    this.restore();
  }

  get path() {
    return `/api/matches/${this.table.match}`;
  }

  get spot() {
    return Number(byId("spot").value);
  }

  /** The dice on this surface that have been counted or stored already. */
  get known() {
    return this.table.equipment.spots[this.spot]?.board ?? [];
  }

  /** Whether the dice lie on no board, to be told by colour and pips alone. */
  get pool() {
    return !this.rows;
  }

  /** Look for what is wanted now: a game may go from dice to a board, and the tables of a
   *  tournament change with every round. */
  learn() {
    const { spots, board, colours } = this.table.equipment;
    const size = board?.match(/^grid:(\d+)x(\d+)$/) ?? [board, 0, 0];
    [, this.rows, this.columns] = size.map(Number);
    this.picker.colours = Object.keys(colours).length ? Object.keys(colours) : ["white"];
    const chosen = this.spot;
    byId("spots").hidden = spots.length < 2;
    byId("spot").replaceChildren(
      ...spots.map(({ title }, place) => html("option", { value: place, selected: place === chosen }, title)),
    );
  }

  // -------------------------------------------------------------- a photo comes in

  async take(file) {
    this.open(new Draft({ pool: this.pool }));
    this.busy("Getting the photo ready …", null);
    try {
      this.photo = await shrink(file);
    } catch (fault) {
      return this.stop(fault.message);
    }
    return this.send(this.photo);
  }

  async send(photo) {
    if (this.shown) URL.revokeObjectURL(this.shown);
    this.shown = URL.createObjectURL(photo);
    byId("stage").hidden = true; // until the browser can show it: some read no HEIC, and some files are no picture
    this.visible = false;
    byId("photo").src = this.shown;
    this.drawPhoto();
    this.busy("Sending the photo …", 0);
    const { draft } = this;
    const shown = () => this.draft === draft; // not closed, and no other photo taken since
    try {
      const query = this.spot ? `?spot=${this.spot}` : "";
      const sent = await sendPhoto(`${this.path}/photos${query}`, photo, (share) =>
        this.busy(share < 1 ? "Sending the photo …" : READING, share < 1 ? share : null),
      );
      const answer = await settled(this.path, sent, (place) => shown() && this.busy(inWords(place, READING), null));
      if (shown()) this.read(answer);
    } catch (fault) {
      if (shown()) this.stop(sentence(fault), AGAIN.includes(fault.kind));
    }
  }

  /** Show the photo on its way, if this browser can. */
  see(visible) {
    this.visible = visible;
    if (this.draft && !this.draft.tapped && !this.draft.photo) byId("stage").hidden = !visible;
  }

  read(answer) {
    const { since } = this.draft;
    this.draft = Draft.read(answer, this.visible ? this.shown : answer.photo, this.pool);
    byId("stage").hidden = false;
    this.draft.since = since;
    this.idle();
    this.settled(answer.proposal, this.table.seq);
    // Too many dice beside the board are no reason to refuse what lies on it. What another phone
    // has counted meanwhile, the photo's own proposal does not know.
    if ((answer.proposal.differences.length && this.draft.beside.length) || since !== this.table.seq) this.propose();
    byId("look-title").focus();
  }

  tapIn() {
    this.open(Draft.tapped(this.known, this.pool));
    byId("stage").hidden = true;
    this.idle();
    if (this.pool) return this.draw();
    this.propose();
    this.askNextEmpty();
  }

  open(draft) {
    this.draft = draft;
    draft.since ??= this.table.seq; // it belongs to the round or roll of then
    this.proposal = null;
    this.notice = null;
    this.sending = null;
    this.whole = false;
    this.tell.opened();
    byId("look-title").textContent = draft.tapped ? "Tap the dice in" : "Is this what lies there?";
    this.draw();
    byId("look-title").focus();
  }

  /** Leave the look; `why` is told on the page where nobody asked for it. */
  close(why = null) {
    this.draft = null;
    sessionStorage.removeItem(this.key);
    this.tell.closed(why);
  }

  busy(words, share) {
    byId("busy").hidden = false;
    byId("findings").hidden = true;
    byId("board-part").hidden = true;
    byId("again").hidden = true;
    byId("confirm").hidden = true;
    byId("trust").hidden = true;
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

  /** Say what went wrong with the photo; it is kept, and can be sent again where that may help. */
  stop(words, again = false) {
    byId("busy").hidden = true;
    byId("findings").hidden = false;
    byId("again").hidden = !again;
    this.say([{ kind: "wrong", words: [words] }]);
  }

  // -------------------------------------------------------------- what it would count

  /** Ask the rules what the dice as shown would mean. */
  async propose() {
    this.asking?.abort();
    this.asking = new AbortController();
    this.waiting = true;
    this.draw();
    const after = this.table.seq;
    try {
      const sent = { after, dice: this.draft.sent() };
      if (this.spot) sent.spot = this.spot;
      if (this.draft.instead) sent.instead = amendment(this.draft.instead);
      else if (this.draft.since < after) sent.since = this.draft.since;
      this.settled(await call(`${this.path}/proposals`, sent, this.asking.signal), after);
    } catch (fault) {
      if (fault.name === "AbortError") return;
      this.waiting = false;
      if (fault.kind === "Stale") return this.stale();
      this.failed = sentence(fault);
      this.draw();
    }
  }

  settled(proposal, after) {
    this.waiting = false;
    this.failed = null;
    this.proposal = proposal;
    this.after = after;
    this.sending = null;
    if (proposal.overtaken) this.notice = this.same ? TWICE : first(proposal.overtaken, this.pool);
    this.keep();
    this.draw();
  }

  /** The match has moved on under the draft: keep the dice, ask the rules again. */
  async moved() {
    if (!this.draft || this.after === this.table.seq) return;
    if (this.sending) return this.confirm(); // the news may be our own step, its answer lost
    if (this.draft.pool !== this.pool || (this.pool && !this.table.photographable)) return this.close(GONE);
    this.notice = MOVED;
    this.draft.instead = null; // the step it put right may stand no more
    if (!this.pool && !this.photo && !this.draft.sighting) this.draft = merged(this.draft, this.known);
    await this.propose();
  }

  /** Whether the board as shown is the one that another phone has counted. */
  get same() {
    const mine = newest(this.proposal?.preview);
    return Boolean(this.proposal?.overtaken && mine && mine === JSON.stringify(this.table.newest));
  }

  /** What is shown is no round or roll of before: judge it by what is due now. */
  anew() {
    this.draft.since = this.table.seq;
    this.notice = null;
    this.propose();
  }

  async stale() {
    this.notice = MOVED;
    this.sending = null;
    await this.tell.stored(null); // fetches the new state, which leads to moved()
    if (this.draft && !this.waiting && this.after !== this.table.seq) await this.propose();
  }

  // -------------------------------------------------------------- the person answers

  askAbout(cell, following) {
    const [die, second] = this.draft.on(cell);
    const said = second
      ? "Two dice were read on this cell. Which one lies there?"
      : die?.doubt ?? (die ? `Shown as ${die.colour} ${die.value}.` : this.draft.photo ? "Nothing was seen here." : "Which die lies here?");
    this.asked = () => this.cellButton(cell);
    this.picker.ask(this.question(cell, die, said), (answer) => {
      this.draft.settle(cell, answer);
      this.notice = null;
      this.propose();
      following?.();
    });
  }

  question(cell, die, said, free = null) {
    const place = cell ? `${cellName(cell)}: ` : "";
    return {
      said: upper(said.startsWith(place) ? said.slice(place.length) : said),
      free,
      title: cell ? upper(cellName(cell)) : this.pool ? "One of the dice" : "A die beside the board",
      value: die?.value,
      colour: die?.colour,
      columns: this.columns,
      crop: this.crop(cell, die),
    };
  }

  crop(cell, die) {
    const { photo, corners } = this.draft;
    const quad = die?.quad ?? (corners && cell && cellQuad(corners, this.rows, this.columns, cell));
    return photo && quad ? { ...photo, box: around(quad, die?.quad ? 0.35 : 0.05) } : null;
  }

  askBeside(die) {
    const cells = this.cells().map((cell) => ({ cell, taken: this.draft.on(cell).length > 0 }));
    const free = cells.some(({ taken }) => !taken) ? cells : null;
    const said = `Read as ${die.colour} ${die.value}. It lies beside the board and does not count.`;
    this.picker.ask(this.question(null, die, said, free), (answer) => {
      this.draft.move(die, answer);
      this.propose();
    });
  }

  /** Ask about a place where a die may lie that was not read. */
  askPerhaps(quad) {
    const { corners } = this.draft;
    const cell = corners && cellUnder(corners, this.rows, this.columns, quad);
    const asked = this.question(cell, { quad }, "There may be a die here. Which one is it?");
    this.picker.ask({ ...asked, title: "Perhaps another die" }, (answer) => {
      this.draft.found(quad, cell, answer);
      this.propose();
    });
  }

  askInPool(die, following) {
    const place = this.draft.dice.indexOf(die);
    this.asked = () => byId("pool").querySelectorAll(".lying button")[place];
    const said = die.doubt ?? `Shown as ${die.colour} ${die.value}.`;
    this.picker.ask(this.question(null, die, said), (answer) => {
      this.draft.move(die, answer);
      this.propose();
      following?.();
    });
  }

  /** Walk on to the next doubtful die, or the next empty cell: one tap a die. */
  askNextDoubt() {
    const [die] = this.draft.doubtful;
    const following = () => this.askNextDoubt();
    if (die && this.pool) this.askInPool(die, following);
    else if (die) this.askAbout(die.cell, following);
  }

  askNextEmpty() {
    const cell = this.cells().find((each) => !this.draft.on(each).length);
    if (cell) this.askAbout(cell, () => this.askNextEmpty());
  }

  tap(cell, die) {
    if (this.pool) this.askInPool(die);
    else if (cell) this.askAbout(cell);
    else this.askBeside(die);
  }

  trust() {
    this.draft.trust();
    this.propose();
  }

  main() {
    if (this.draft.doubtful.length) return this.askNextDoubt();
    if (this.failed) return this.propose();
    if (byId("confirm").getAttribute("aria-disabled") === "true") return byId("findings").focus();
    return this.confirm();
  }

  async confirm() {
    if (this.flying) {
      this.heard = true; // the stream is often faster than the answer, which may yet be lost
      return;
    }
    this.flying = true;
    this.heard = false;
    const { moves, overtaken } = this.proposal;
    const { instead, sighting } = this.draft;
    this.sending ??= {
      after: this.after,
      moves: overtaken ? [] : moves,
      sighting,
      request: newRequest(),
      instead: overtaken ? { step: overtaken.step, moves } : instead && amendment(instead),
    };
    this.notice = null;
    this.draw();
    try {
      const view = await call(`${this.path}/moves`, this.sending);
      this.flying = false;
      this.close();
      this.tell.stored(view.seq);
    } catch (fault) {
      this.flying = false;
      if (fault.kind === "Stale") return this.stale();
      if (fault.kind !== "Offline") this.sending = null;
      else if (this.heard) return this.confirm();
      this.notice = sentence(fault);
      this.draw();
    }
  }

  // -------------------------------------------------------------- kept over a reload

  get key() {
    return `draft ${this.table.match}`;
  }

  keep() {
    const { photo, ...rest } = this.draft;
    const kept = { ...rest, photo: photo && { ...photo, href: photo.stored } };
    sessionStorage.setItem(this.key, JSON.stringify(kept));
  }

  restore() {
    const kept = sessionStorage.getItem(this.key);
    if (!kept || JSON.parse(kept).pool !== this.pool || !this.table.photographable) return;
    this.open(new Draft(JSON.parse(kept)));
    const { photo } = this.draft;
    byId("stage").hidden = !photo;
    this.idle();
    this.propose();
  }

  // -------------------------------------------------------------- drawing

  cells() {
    return Array.from({ length: this.rows * this.columns }, (_, place) => [
      Math.floor(place / this.columns),
      place % this.columns,
    ]);
  }

  draw() {
    if (!this.draft || byId("board-part").hidden) return;
    this.drawPhoto();
    this.drawBoard();
    this.drawFindings();
    this.drawPreview();
    this.drawConfirm();
    this.remember.draw();
  }

  drawPhoto() {
    const seen = Boolean(this.draft?.photo);
    byId("photo").hidden = seen;
    this.overlay.toggleAttribute("hidden", !seen);
    byId("whole").hidden = !seen || this.draft.views.length < 2;
    if (!seen) return;
    byId("whole").textContent = this.whole ? `Show only the ${this.pool ? "dice" : "board"}` : "Show the whole photo";
    drawOverlay(this.overlay, this.draft, this, (cell, die) => this.tap(cell, die), (quad) => this.askPerhaps(quad));
  }

  drawBoard() {
    byId("board").hidden = this.pool;
    byId("pool").hidden = !this.pool;
    if (this.pool) return drawPool(byId("pool"), this.draft, this.table, this);
    const board = byId("board");
    const focused = document.activeElement?.dataset.cell;
    board.style.setProperty("--columns", this.columns);
    board.replaceChildren(...this.cells().map((cell) => this.drawCell(cell)));
    if (focused) this.cellButton(focused).focus();
    byId("beside").replaceChildren(
      ...this.draft.beside.map((die) =>
        html(
          "button",
          { type: "button", click: () => this.askBeside(die) },
          drawn(die.value, die.colour),
          `beside the board: ${die.colour} ${die.value}`,
        ),
      ),
    );
  }

  cellButton(cell) {
    return byId("board").querySelector(`[data-cell="${cell}"]`);
  }

  drawCell(cell) {
    const dice = this.draft.on(cell);
    const [die] = dice;
    const doubt = dice.length === 1 && die.doubt;
    const words = dice.map(({ colour, value }) => `${colour} ${value}`).join(" and ") || "empty";
    return html(
      "button",
      {
        type: "button",
        class: `cell ${doubt ? "doubtful" : ""} ${dice.length > 1 ? "wrong" : ""}`,
        "data-cell": cell.join(","),
        "aria-label": `${cellName(cell)}: ${words}${doubt ? ", doubtful" : ""}`,
        click: () => this.askAbout(cell),
      },
      die ? drawn(die.value, die.colour) : html("span", { class: "plus", "aria-hidden": "true" }, "+"),
      doubt ? html("span", { class: "badge", "aria-hidden": "true" }, "?") : null,
      dice.length > 1 ? html("span", { class: "badge", "aria-hidden": "true" }, `${dice.length}`) : null,
    );
  }

  drawFindings() {
    const notice = byId("look-notice"); // above the photo, where it is seen
    if (notice.textContent !== (this.notice ?? "")) {
      notice.textContent = this.notice ?? "";
      notice.hidden = !this.notice;
      if (this.notice) notice.scrollIntoView({ block: "center" });
    }
    this.drawQuestions();
    this.say([
      { kind: "wrong", words: [this.failed].filter(Boolean) },
      { kind: "wrong", words: once((this.proposal?.differences ?? []).map((one) => one.sentence)) },
      { kind: "doubt", words: once([...this.draft.doubtful.flatMap((die) => die.doubts ?? [die.doubt]), ...this.warnings]) },
      { kind: "", words: this.remarks },
    ]);
  }

  /** Ask whether something was settled otherwise than was stored, where that explains the dice. */
  drawQuestions() {
    const { instead } = this.draft;
    const asked = instead ? [instead] : (this.proposal?.questions ?? []);
    const answer = (one) => () => {
      this.draft.instead = instead ? null : one;
      this.propose();
    };
    byId("questions").replaceChildren(
      ...asked.map((one) =>
        html(
          "button",
          { type: "button", class: "wide", "aria-pressed": String(Boolean(instead)), click: answer(one) },
          upper(one.question) + (instead ? " Yes" : ""),
        ),
      ),
    );
  }

  /** What is said of the photo, but no more of where a die may lie once each place is answered. */
  get warnings() {
    const { hint, warnings } = this.draft;
    return unanswered(this.draft, this).length ? warnings : warnings.filter((sentence) => sentence !== hint);
  }

  /** What the rules find odd about the whole board: that it is not full yet, say. Doubts about a
   *  die that was read stand with the die; of one that was tapped only the rules know any. */
  get remarks() {
    return (this.proposal?.doubts ?? [])
      .filter((doubt) => !doubt.piece || this.draft.tapped)
      .map((doubt) => doubt.sentence);
  }

  /** Show sentences in the live region; it is touched only when they change. */
  say(groups) {
    const shown = groups.filter(({ words }) => words.length);
    const text = JSON.stringify(shown);
    if (text === this.said) return;
    this.said = text;
    byId("findings").replaceChildren(
      ...shown.map(({ kind, words }) =>
        html("ul", { class: `notice ${kind}` }, html("div", {}, words.map((line) => html("li", {}, upper(this.named(line)))))),
      ),
    );
  }

  drawPreview() {
    const preview = this.proposal?.preview;
    const gains = preview?.score.map((points, seat) => points - this.table.score[seat]) ?? [];
    const paid = gains.some(Boolean) && this.proposal.moves.length;
    byId("gains").textContent = paid
      ? gains.map((gain, seat) => `${this.table.names[seat]} ${gain < 0 ? "−" : "+"}${Math.abs(gain)}`).join("  ·  ")
      : "";
    // On a grid the dice are plain to see, and what counts are its lines; a pool is told in words.
    const means = this.pool ? (preview?.text ?? []) : [];
    const part = paid || !this.pool ? preview?.because[0] : null;
    byId("preview").replaceChildren(
      ...means.map((line) => html("p", { class: "sentence" }, upper(line))),
      ...(part ? [html("h2", {}, upper(this.named(part.part))), this.lines(part.lines)] : []),
    );
  }

  lines(lines) {
    const light = (cells, on) => () => {
      for (const cell of cells) this.cellButton(cell)?.classList.toggle("lit", on);
    };
    return html(
      "div",
      { class: "lines" },
      lines.map(({ seat, text, cells }) =>
        html(
          "div",
          { class: "line", pointerenter: light(cells, true), pointerleave: light(cells, false) },
          this.mini(cells),
          html("span", {}, this.named(text)),
          html("span", { class: `to seat seat-${seat}` }, seat === null ? "" : this.table.names[seat]),
        ),
      ),
    );
  }

  mini(cells) {
    const on = new Set(cells.map(String));
    const boxes = this.cells().map((cell) =>
      svg("rect", { class: on.has(String(cell)) ? "on" : "off", x: cell[1] * 10 + 1, y: cell[0] * 10 + 1, width: 8, height: 8, rx: 2 }),
    );
    const box = `0 0 ${this.columns * 10} ${this.rows * 10}`;
    return svg("svg", { class: "mini", viewBox: box, "aria-hidden": "true" }, boxes);
  }

  drawConfirm() {
    const doubtful = this.draft.doubtful.length;
    const confirm = byId("confirm");
    byId("trust").hidden = !doubtful;
    const { moves = [], differences = [] } = this.proposal ?? {};
    const ready = !this.waiting && moves.length > 0 && !differences.length && !this.same;
    const { overtaken } = this.proposal ?? {};
    byId("anew").hidden = !overtaken;
    byId("anew").textContent = this.pool ? "It is another roll" : "It is another round";
    if (this.flying) confirm.textContent = "Sending …";
    else if (doubtful) confirm.textContent = `Check ${diceWord(doubtful)}`;
    else if (this.failed || this.sending) confirm.textContent = "Try again";
    else if (this.same) confirm.textContent = "Already counted";
    else if (ready && overtaken) confirm.textContent = "Put mine in its place";
    else if (ready) confirm.textContent = this.remarks.length ? "Count it all the same" : "Count it";
    else confirm.textContent = this.waiting ? "Asking the rules …" : "Cannot be counted yet";
    confirm.setAttribute("aria-disabled", String(this.flying || !(doubtful || ready || this.failed || this.sending)));
  }

  named(text) {
    const { names } = this.table;
    return text.replace(/\b[Pp]layer (\d+)\b/g, (found, number) => names[number - 1] ?? found);
  }
}

/** An answered question as the server takes it. */
const amendment = ({ step, move }) => ({ step, moves: [move] });

/** What is told to the phone that was second. */
const first = ({ text }, pool) =>
  pool
    ? `Another phone was first: ${text.join("; ")}. Is what you see here another roll?`
    : "This round is over: another phone has counted the board, and not as it is shown here.";

/** The same sentence twice means the same board: eight lines with their cells and pips. */
function newest(preview) {
  const lines = preview?.because[0]?.lines;
  return lines ? JSON.stringify(lines.map(({ text, cells }) => [text, cells])) : null;
}

/** Dice tapped in stay; what the other phone has put down since comes first. */
function merged(draft, board) {
  const fresh = Draft.tapped(board);
  for (const die of draft.dice) if (!fresh.on(die.cell).length) fresh.dice.push(die);
  return fresh;
}

/** What is asked about several dice stands with each of them, and is said once. */
const once = (sentences) => [...new Set(sentences)];

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const sentence = (fault) =>
  fault instanceof Refusal ? fault.message : "Something went wrong on this page. Reload it; the match is safe.";
