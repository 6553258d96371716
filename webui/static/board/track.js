/** A track of places with a die that shows the standing bid: tap a place, then a face. */

import { all, die, html } from "../page/dom.js";
import { redraw } from "../page/morph.js";
import { _ } from "../page/words.js";

/** @typedef {import("./boards.js").Desk} Desk */

const NUMBERS = [_("no"), _("one"), _("two"), _("three"), _("four"), _("five"), _("six")];

/** Return the track of `desk`, or null where nobody may bid now.
 *  @param {Desk} desk @param {Table} table */
export function drawTrack(desk, { equipment }) {
  const bids = desk.moves("Bid");
  const [standing] = equipment.spots[0]?.board ?? [];
  /** @type {string | null} */
  let chosen = null;

  const faces = html("div", { class: "faces", role: "group", "aria-label": _("Face") });
  const places = html("div", { class: "track", role: "group", "aria-label": _("Places of the track") });
  const calls = desk.moves("Call").map(({ words, move }) =>
    html("button", { type: "button", class: "wide", click: () => call(words, move) }, words),
  );

  /** @param {string} words @param {unknown} move */
  function call(words, move) {
    desk.ready([move], words);
    desk.button.focus();
  }

  function draw() {
    redraw(places, ...equipment.places.map(place));
    redraw(faces, ...open(chosen).map(face));
  }

  /** @param {string | null} space */
  const open = (space) => bids.filter(({ move }) => move.space === space);

  /** @param {string} space @param {number} at */
  function place(space, at) {
    const free = open(space).length > 0;
    const holdsBid = standing?.cell[1] === at;
    const star = space.endsWith("*") ? _("{number} with a star", { number: space.slice(0, -1) }) : space;
    const bid = holdsBid ? _(", the bid stands here with {face}", { face: NUMBERS[standing.value] }) : "";
    return html(
      "button",
      {
        type: "button",
        class: `place ${holdsBid ? "standing" : ""}`,
        "data-place": space,
        "aria-label": _("place {number}", { number: star }) + bid + (free ? "" : _(", passed")),
        "aria-pressed": String(space === chosen),
        "aria-disabled": free ? null : "true",
        click: () => free && choose(space),
      },
      html("span", {}, space.replace("*", "★")),
      holdsBid ? die(standing.value, standing.colour) : null,
    );
  }

  /** @param {string} space */
  function choose(space) {
    chosen = space;
    desk.ready([], "");
    draw();
    const offered = open(space);
    if (offered.length === 1) desk.ready([offered[0].move], offered[0].words);
    else all(faces, "button").at(0)?.focus();
  }

  /** @param {Legal} bid */
  function face({ words, move }) {
    return html(
      "button",
      { type: "button", class: "face", "aria-label": words, "data-value": move.face, click: () => call(words, move) },
      die(move.face, "white"),
    );
  }

  draw();
  return html(
    "div",
    { class: "stack" },
    html("h2", {}, _("Tap the bid")),
    html("p", { class: "small soft" }, _("A place, then a face. ★ are places for ones.")),
    places,
    faces,
    calls,
  );
}
