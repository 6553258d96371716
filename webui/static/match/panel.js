/** The entry panel: taps on the keys of a pad, one line that says what they make, and the buttons of that.
 *
 *  What the keys make comes from the rules (webui/pages/match/entry.py); this file knows no game. A key that is a move by
 *  itself is a form's button. Of other pads one key of each group is picked: with the last one the move is made, or
 *  a button does that: entry.js stores it, and a correction shows what it would change.
 */

import { all, byId, fields, html, targetOf } from "../page/dom.js";
import { ruleTag } from "../page/help.js";
import { redraw } from "../page/morph.js";
import { fits, made } from "./picks.js";
import { OF_PIECES, formName, nameOf, piecesOf } from "./pieces.js";
import { _, upper } from "../page/words.js";

/** @typedef {import("./picks.js").Taps} Taps
 *  @typedef {import("./pieces.js").FootButton} FootButton
 *  @typedef {Record<string, any>} Half of what is tapped, by the name of its pad (pieces.js)
 *  @typedef {{moves: unknown[], words: string, sent?: () => void}} Step that was tapped */

const BROKEN = _("Something went wrong on this page. Reload it; the match is safe.");
export const FIRST_KEY = '.entry :is(.key:not([aria-disabled="true"]), .square:not([aria-disabled="true"]), .pads input:not([type="hidden"]))';

export class Panel {
  /** @type {HTMLElement | null} */ last = null; // pad that was tapped on
  /** @type {Record<string, import("./picks.js").Picks>} */ picks = {}; // keys by group, of each pad
  /** @type {import("./pieces.js").Pieces[]} */ pieces = []; // that are tapped in any order, or laid, of each table

  /** @param {HTMLElement} root that has the panel */
  constructor(root) {
    this.root = root;
    root.addEventListener("click", (event) => {
      const key = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-pad] .key"));
      if (key) this.tap(key);
      const face = /** @type {HTMLElement | null} */ (targetOf(event).closest(`:is(${OF_PIECES}) .key`));
      if (face) this.pieces.find(({ pad }) => pad.contains(face))?.add(String(face.dataset.key), String(face.dataset.colour));
      const tray = targetOf(event).closest("[data-onward]")?.parentElement;
      if (tray) tray.scrollBy({ left: tray.clientWidth - 2 * tray.offsetHeight, behavior: "smooth" });
    });
    root.addEventListener("input", (event) => targetOf(event).closest(".numbers") && this.draw());
    (root.closest("dialog") ?? document).addEventListener("keydown", (event) => this.press(/** @type {KeyboardEvent} */ (event)));
  }

  /** Return the parts of the panel that a selector finds.
   *  @param {string} selector */
  parts(selector) {
    return all(this.root, `.entry ${selector}`);
  }

  /** The element that has the buttons of what was tapped: the dock, or one of a form's own.
   *  @param {Element} [form] */
  footOf(form) {
    return all(form ?? this.root, ".entry-foot").at(0) ?? all(this.root, "#foot")[0];
  }

  /** Whether somebody taps on a pad. */
  get tapped() {
    return Object.keys(this.half).length > 0;
  }

  /** What is half tapped, by its pad.
   *  @returns {Half} */
  get half() {
    const laid = this.pieces.filter(({ tapped }) => tapped).map((each) => [each.padName, each.progress]);
    return { ...this.picks, ...Object.fromEntries(laid) };
  }

  /** What is half tapped outside a form.
   *  @param {Element | null} form */
  halfBut(form) {
    return Object.fromEntries(Object.entries(this.half).filter(([name]) => form && !name.startsWith(formName(form))));
  }

  /** The pad whose keys are picked, of several the last. */
  get pad() {
    const tapped = this.parts("[data-pad]").filter((pad) => nameOf(pad) in this.picks);
    return tapped.find((pad) => pad === this.last) ?? tapped.at(-1);
  }

  /** Draw it as the page has it, with nothing tapped. */
  begin() {
    this.clear();
    this.draw();
  }

  /** Leave what was tapped, but that half of it whose pads are still there.
   *  @param {Half} [half] */
  clear(half = {}) {
    const names = this.parts("[data-pad]").map(nameOf).filter((name) => name in half);
    this.picks = Object.fromEntries(names.map((name) => [name, half[name]]));
    this.pieces = this.parts(`:is(${OF_PIECES})`).map((pad) => piecesOf(pad, () => this.draw()));
    for (const each of this.pieces) if (each.padName in half) each.progress = half[each.padName];
  }

  // -------------------------------------------------------------- taps

  /** @param {HTMLElement} key */
  tap(key) {
    const pad = /** @type {HTMLElement} */ (key.closest(".pad"));
    if (key.ariaDisabled === "true") return;
    const [name, first, group] = [nameOf(pad), firstOf(pad), Number(key.dataset.group)];
    if (!(name in this.picks)) this.clear(this.halfBut(pad.closest("form")));
    this.last = pad;
    const picks = [...(this.picks[name] ?? first)];
    const again = picks[group] === key.dataset.key;
    picks[group] = again ? first[group] : key.dataset.key;
    const taps = made(tapsOf(pad), picks);
    if (taps?.move && "atOnce" in pad.dataset) {
      this.play({ moves: [taps.move], words: String(taps.words) }, key);
      return;
    }
    if (taps?.why) picks[group] = again ? key.dataset.key : undefined; // it is said, and not taken
    this.picks[name] = picks;
    if (picks.every((picked, at) => !picked || picked === first[at])) delete this.picks[name];
    this.draw();
    if (taps?.why) this.say([taps.why, ruleTag(String(taps.rule))], "wrong");
  }

  /** Digits press faces, Enter on what is tapped the button that stores, Ctrl+Z takes back.
   *  @param {KeyboardEvent} event */
  press(event) {
    const target = targetOf(event);
    const dialog = document.querySelector("dialog[open]");
    if ((dialog && !dialog.contains(this.root)) || target.closest("input, select, textarea, #look") || !all(this.root, ".entry").some((one) => one.checkVisibility())) return;
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) return this.pressed(event, all(this.root, "#undo")[0]);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && target.closest(`.entry :is(:is([data-pad], ${OF_PIECES}) .key:not([aria-pressed="false"]), .place.over)`)) return this.pressed(event, all(this.footOf(target.closest("form") ?? undefined), "button.main:not([aria-disabled])")[0]);
    if (/^[0-9]$/.test(event.key)) this.pressed(event, this.keyOf(event.key));
  }

  /** @param {Event} event @param {HTMLElement | undefined} button */
  pressed(event, button) {
    if (!button?.checkVisibility()) return;
    event.preventDefault();
    button.focus({ preventScroll: true });
    button.click();
  }

  /** The key of a face in the first group that has none picked.
   *  @param {string} value */
  keyOf(value) {
    const pad = this.pad ?? all(this.root, ".entry")[0];
    const groups = all(pad, ".keys:has(.key)").filter((group) => group.checkVisibility());
    const next = groups.find((group) => !all(group, '[aria-pressed="true"]').length) ?? groups.at(-1);
    return next && all(next, ".key").find(({ dataset }) => String(dataset.key).split(" ").at(-1) === value);
  }

  // -------------------------------------------------------------- what is shown

  draw() {
    for (const pad of this.parts("[data-pad]")) this.drawPad(pad, this.picks[nameOf(pad)] ?? firstOf(pad));
    const { pad } = this;
    const makes = (/** @type {HTMLElement | undefined} */ of) => of && made(tapsOf(of), this.picks[nameOf(of)]);
    const taps = makes(pad);
    for (const each of this.pieces) each.draw();
    const [words, kind, rule] = (this.pieces.find(({ tapped }) => tapped) ?? this.pieces.at(0))?.says ?? [];
    this.sayTapped([taps ? upper(taps.words ?? "") : words || this.hint, ...(rule ? [ruleTag(rule)] : [])], kind);
    const forms = /** @type {HTMLFormElement[]} */ (this.parts("form.pads"));
    for (const form of forms) this.drawFoot(this.footOf(form), form, makes(all(form, "[data-pad]").find((one) => nameOf(one) in this.picks)));
    if (!forms.length) redraw(this.footOf()); // the match is over
  }

  /** What a tap does: in a correction none counts, it shows what it would change. */
  get hint() {
    return "";
  }

  /** @param {HTMLElement} pad @param {(string | undefined)[]} picks */
  drawPad(pad, picks) {
    const every = tapsOf(pad);
    for (const key of all(pad, ".key")) {
      const group = Number(key.dataset.group);
      const picked = [...picks];
      picked[group] = key.dataset.key;
      const fitting = fits(every, picked);
      const taps = made(every, picked);
      key.setAttribute("aria-pressed", String(picks[group] === key.dataset.key));
      key.classList.toggle("dead", !fitting.some(({ move }) => move));
      lead(key, taps?.leads ?? "");
    }
  }

  /** @param {HTMLElement} foot @param {HTMLFormElement} form a table's @param {Taps | undefined} taps what is picked, if that is a move */
  drawFoot(foot, form, taps) {
    /** @type {FootButton[]} */
    const ready = taps?.move ? [{ main: taps.button || _("Count it"), small: taps.score, words: String(taps.words), moves: [taps.move] }] : [];
    /** @type {FootButton[]} */
    const typed = all(form, "[data-enters]").filter(() => hasNumber(form)).map((button) => ({ main: String(button.textContent), words: String(button.textContent), act: () => form.requestSubmit(button) }));
    const own = all(form, "[data-foot]").map((one) => footOf(/** @type {HTMLButtonElement} */ (one)));
    const pieces = this.pieces.filter(({ pad }) => form.contains(pad)).flatMap(({ buttons }) => buttons);
    const buttons = [...own, ...typed, ...pieces, ...ready];
    const focused = foot.contains(document.activeElement);
    redraw(
      foot,
      ...buttons.map((button, place) =>
        html(
          "button",
          { type: "button", class: place === buttons.length - 1 ? "main" : "second", "aria-label": nameOn(button), "aria-disabled": button.moves || button.act ? null : "true", click: (/** @type {Event} */ event) => this.act(button, /** @type {HTMLElement} */ (event.currentTarget)) },
          button.main,
          button.small ? html("small", {}, button.small) : null,
        ),
      ),
    );
    foot.parentElement?.classList.toggle("entering", buttons.length > 0);
    if (focused && !foot.contains(document.activeElement)) this.goOn(); // another phone has taken the button away
  }

  /** Focus the first key, where the next move is made. */
  goOn() {
    (all(this.root, FIRST_KEY).find((key) => key.checkVisibility()) ?? byId("result-title") ?? byId("prompt"))?.focus({ preventScroll: true });
  }

  /** Say what was tapped, and what it makes.
   *  @param {(Node | string)[]} words @param {string} [kind] */
  sayTapped(words, kind) {
    this.say(words, kind);
  }

  /** Say something in the panel's one line; refusals interrupt.
   *  @param {(Node | string)[]} words */
  say(words, kind = "") {
    const [line] = this.parts(".entry-says");
    if (!line) return;
    line.className = `entry-says ${kind}`;
    line.setAttribute("role", kind === "wrong" ? "alert" : "status");
    if (line.textContent !== words.map((word) => (typeof word === "string" ? word : word.textContent)).join("")) line.replaceChildren(...words);
  }

  /** @param {FootButton} button @param {HTMLElement} pressed */
  act({ moves, words, act }, pressed) {
    if (moves) this.play({ moves, words }, pressed);
    else act?.();
  }

  /** Make the moves of what was tapped: the form shows what they would change.
   *  @param {Step} step @param {HTMLElement} button */
  async play({ moves }, button) {
    const form = button.closest("form") ?? /** @type {HTMLFormElement} */ (this.parts("form")[0]);
    for (const whole of fields(form, '[name="whole"]')) whole.disabled = false; // it has all of the turn
    form.append(...moves.map((move) => html("input", { type: "hidden", name: "move", value: JSON.stringify(move) })));
    form.requestSubmit();
  }

  /** @param {Fault} fault */
  tell(fault) {
    const words = fault.kind ? fault.message : BROKEN;
    if (words === BROKEN) reportError(fault);
    this.say([html("span", { "data-fault": fault.kind }, words), ...(fault.rule ? [ruleTag(fault.rule)] : [])], fault.kind === "Offline" ? "doubt" : "wrong");
  }
}

/** What the keys of a pad make.
 *  @param {HTMLElement} pad @returns {Taps[]} */
function tapsOf(pad) {
  return JSON.parse(String(pad.dataset.pad));
}

/** The keys of a pad that are picked before the first tap.
 *  @param {HTMLElement} pad */
const firstOf = (pad) => pad.dataset.first?.split(" ") ?? [];

/** Show on a key what it leads to, and say it at the end of its name.
 *  @param {HTMLElement} key @param {string} leads */
function lead(key, leads) {
  const [small] = all(key, "small");
  if (!small) return; // it says that it is on its way
  const shown = small.textContent ? `: ${small.textContent}` : "";
  const name = String(key.ariaLabel).slice(0, -shown.length || undefined);
  small.textContent = leads;
  key.ariaLabel = leads ? `${name}: ${leads}` : name;
}

/** The name of a button: what stands on it, then what it does where that says more.
 *  @param {FootButton} button */
function nameOn({ main, small = "", words }) {
  const says = words.startsWith(main) && words.includes(small);
  return says ? words : [main, small, words].filter((part, at, parts) => part && parts.indexOf(part) === at).join(": ");
}

/** Whether a number is typed into a form.
 *  @param {HTMLFormElement} form */
const hasNumber = (form) => fields(form, '[name="number"]').some(({ value }) => value);

/** A button of its own, as the dock shows it.
 *  @param {HTMLButtonElement} button @returns {FootButton} */
function footOf(button) {
  const [main, small] = [button.firstChild?.textContent ?? "", button.querySelector("small")?.textContent ?? ""];
  return { main, small, words: String(button.dataset.words), moves: [JSON.parse(button.value)] };
}
