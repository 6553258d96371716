/** Dominoes seen from above: choose a tile, tap the cell of its first half, then of the second. */

import { die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _, cellName, ngettext } from "../page/words.js";

/** @typedef {[number, number]} Spot
 *  @typedef {Legal & {cells: Spot[]}} Way
 *  @typedef {{cell: Spot, level: number, pips: number, other: Spot, joined: string}} Top */

/** Return the table of `desk`, or null where no tile can be laid now.
 *  @param {import("./boards.js").Desk} desk @param {Table} table */
export function drawTiles(desk, { equipment }) {
  const lays = desk.moves("Lay");
  const placed = equipment.spots[0]?.tiles ?? [];
  const top = topmost(placed);
  /** @type {[string, number[]][]} */
  const hand = [...new Map(lays.map(({ move }) => [move.tile.join("-"), move.tile])).entries()];
  /** @type {[string | null, number[] | null]} */
  let [name, tile] = hand.length === 1 ? hand[0] : [null, null];
  /** @type {Spot | null} */
  let first = null;
  /** @type {Way | null} */
  let chosen = null;

  const hint = html("p", { class: "small soft", role: "status" });
  const tiles = html("div", { class: "hand", role: "group", "aria-label": _("Tiles that can be laid") });
  const ground = html("div", { class: "ground felt" });

  /** The ways to lay the tile, each [cell of the first half, cell of the second].
   *  @returns {Way[]} */
  function ways() {
    const found = lays.filter(({ move }) => move.tile.join("-") === name);
    const turned = tile && tile[0] === tile[1]; // a double lies alike both ways round
    return found.flatMap((one) => {
      const [a, b] = one.move.cells;
      return [{ ...one, cells: [a, b] }, ...(turned ? [{ ...one, cells: [b, a] }] : [])];
    });
  }

  /** @param {string | null} next @param {number[] | null} halves */
  function choose(next, halves) {
    [name, tile, first, chosen] = [next, halves, null, null];
    desk.ready([], "");
    draw();
  }

  /** @param {Spot} cell */
  function tap(cell) {
    const half = first;
    if (half && same(half, cell)) return choose(name, tile);
    if (!half || chosen) {
      [first, chosen] = [cell, null];
      desk.ready([], "");
    } else {
      chosen = ways().find(({ cells }) => same(cells[0], half) && same(cells[1], cell)) ?? null;
      if (chosen) desk.offerMove(chosen, { tiles: [...placed, asLaid(chosen)] });
    }
    draw();
  }

  /** The tile as it would lie, one level above what is under it.
   *  @param {Way} way */
  function asLaid({ cells }) {
    const level = 1 + Math.max(...cells.map((cell) => top.get(cell.join())?.level ?? 0));
    return { halves: tile, cells, level };
  }

  function targets() {
    if (!name) return [];
    const half = first;
    if (half && !chosen) return ways().filter(({ cells }) => same(cells[0], half)).map(({ cells }) => cells[1]);
    return ways().map(({ cells }) => cells[0]);
  }

  function draw() {
    const [half, other] = tile ?? [];
    if (!name) hint.textContent = _("Choose a tile.");
    else if (chosen) hint.textContent = _("Confirm it below, or tap another cell.");
    else if (first) hint.textContent = _("Now tap where the {number} goes.", { number: other });
    else hint.textContent = half === other ? _("Tap where one half goes.") : _("Tap where the {first} goes, then the {second}.", { first: half, second: other });
    redraw(tiles, ...hand.map(([text, halves]) => domino(text, halves)));
    drawGround();
  }

  /** @param {string} text @param {number[]} halves */
  function domino(text, halves) {
    return html(
      "button",
      { type: "button", class: "domino", "data-at": text, "aria-label": _("the tile {tile}", { tile: text }), "aria-pressed": String(text === name), click: () => choose(text, halves) },
      halves.map((half) => die(half, "white")),
    );
  }

  function drawGround() {
    const open = targets();
    /** @type {Spot[]} */
    const shown = [...top.values()].map(({ cell }) => cell).concat(lays.flatMap(({ move }) => move.cells));
    const rows = shown.map(([row]) => row);
    const columns = shown.map(([, column]) => column);
    const [up, left] = [Math.min(...rows), Math.min(...columns)];
    const across = Math.max(...columns) - left + 1;
    ground.style.setProperty("--columns", String(across));
    const cells = [];
    for (let row = up; row <= Math.max(...rows); row++)
      for (let column = left; column < left + across; column++) cells.push(square([row, column], open));
    redraw(ground, ...cells);
  }

  /** @param {Spot} cell @param {Spot[]} open */
  function square(cell, open) {
    const lying = top.get(cell.join());
    const free = open.some((one) => same(one, cell));
    const half = first && same(cell, first) ? 0 : chosen && same(cell, chosen.cells[1]) ? 1 : -1;
    const ghost = half >= 0; // half of the tile that is about to be laid
    const laid = ghost && tile ? tile[half] : null;
    const pips = laid ?? lying?.pips ?? null;
    const height = (lying?.level ?? 0) + (ghost ? 1 : 0);
    const words = `${cellName(cell[0], cell[1])}: ${lying ? ngettext("a {pips}, {n} tile high", "a {pips}, {n} tiles high", lying.level, { pips: lying.pips }) : _("empty")}${ghost ? _(", {number} to be laid here", { number: Number(laid) }) : ""}`;
    const content = [
      pips === null ? null : die(pips, "white"),
      height > 1 ? html("span", { class: "height", "aria-hidden": "true" }, String(height)) : null,
    ];
    const kind = `spot ${ghost ? "ghost" : ""} ${lying && !ghost ? `joined-${lying.joined}` : ""}`;
    if (!free && !ghost) return html("div", { class: kind, role: "img", "aria-label": words }, content);
    return html(
      "button",
      { type: "button", class: `${kind} ${free ? "free" : ""}`, "data-at": cell.join(), "aria-label": words, click: () => tap(cell) },
      content,
    );
  }

  draw();
  const window = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": _("Lay a tile") }, ground);
  requestAnimationFrame(() => window.scrollTo({ left: (window.scrollWidth - window.clientWidth) / 2 }));
  return html("div", { class: "stack" }, html("h2", {}, _("Lay a tile")), hint, tiles, window);
}

/** @param {Spot} a @param {Spot} b */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** Return what is seen from above: for each cell its face, its height, and to which side the rest
 *  of its tile lies, if that can be seen too.
 *  @param {{halves: number[], cells: Spot[], level: number}[]} tiles */
function topmost(tiles) {
  /** @type {Map<string, Top>} */
  const top = new Map();
  for (const { halves, cells, level } of tiles)
    cells.forEach((cell, half) => top.set(cell.join(), { cell, level, pips: halves[half], other: cells[1 - half], joined: "none" }));
  for (const face of top.values()) {
    const mate = top.get(face.other.join());
    const whole = mate && same(mate.other, face.cell) && mate.level === face.level;
    const [down, right] = [face.other[0] - face.cell[0], face.other[1] - face.cell[1]];
    face.joined = !whole ? "none" : down ? (down > 0 ? "bottom" : "top") : right > 0 ? "right" : "left";
  }
  return top;
}
