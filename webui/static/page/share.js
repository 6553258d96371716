/** The picture of a result: drawn in the page's own colours, shared or saved. */

import { byId, shape } from "./dom.js";

const { game, names, score, winners, day } = JSON.parse(String(byId("main").dataset.result));
const canvas = byId("picture");
const MARGIN = 64;
const MOST_SIZE = 132; // px of a score's digits
const LEAST_NAME = 26; // px of a name, where a row has them

/** Return a colour of the page.
 *  @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** @typedef {CanvasRenderingContext2D} Pen */

/** @param {Pen} pen @param {string | number} words @param {number} x @param {number} y
 *  @param {{size: number, ink: string, weight?: number, align?: CanvasTextAlign, room?: number}} style */
function text(pen, words, x, y, { size, ink, weight = 700, align = "left", room }) {
  pen.font = `${weight} ${size}px ${colour("sans") || "sans-serif"}`;
  pen.fillStyle = ink;
  pen.textAlign = align;
  pen.fillText(String(words), x, y, room);
}

/** A seat's own shape, from the sprite, whose box is 20 wide.
 *  @param {Pen} pen @param {number} seat @param {number} x @param {number} y @param {number} half */
function mark(pen, seat, x, y, half) {
  const path = document.querySelector(`#mark-${shape(seat)} path`)?.getAttribute("d");
  pen.save();
  pen.translate(x, y);
  pen.scale(half / 10, half / 10);
  pen.translate(-10, -10);
  pen.fillStyle = colour(`seat-${shape(seat)}`);
  pen.fill(new Path2D(path ?? ""), "evenodd");
  pen.restore();
}

function draw() {
  const pen = /** @type {Pen} */ (canvas.getContext("2d"));
  const { width, height } = canvas;
  pen.fillStyle = colour("page");
  pen.fillRect(0, 0, width, height);
  text(pen, game, MARGIN, 104, { size: 52, ink: colour("ink"), room: width - 2 * MARGIN });
  text(pen, day, width - MARGIN, height - 44, { size: 28, ink: colour("soft"), weight: 500, align: "right" });
  text(pen, "Pipsight", MARGIN, height - 44, { size: 28, ink: colour("act") });
  const row = Math.min(150, (height - 250) / names.length);
  names.forEach((/** @type {string} */ name, /** @type {number} */ seat) => {
    const y = 170 + row * (seat + 0.5);
    const size = Math.min(MOST_SIZE, row * 0.78);
    const won = winners.includes(seat);
    if (won) {
      pen.fillStyle = colour("act-wash");
      pen.fillRect(MARGIN - 24, y - row / 2 + 4, width - 2 * MARGIN + 48, row - 8);
    }
    mark(pen, seat, MARGIN + 20, y, Math.min(20, row * 0.2));
    const small = Math.max(size * 0.46, Math.min(size, LEAST_NAME));
    text(pen, name, MARGIN + 64, y + small * 0.35, { size: small, ink: colour(`seat-${shape(seat)}`), room: 700 });
    text(pen, score[seat], width - MARGIN, y + size * 0.34, { size, ink: colour("ink"), align: "right" });
  });
}

/** @returns {Promise<File>} */
const picture = () => new Promise((done) => { canvas.toBlob((blob) => done(new File(blob ? [blob] : [], "pipsight.png", { type: "image/png" }))); });

draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
picture().then((file) => {
  byId("save").href = URL.createObjectURL(file);
  byId("share").hidden = !navigator.canShare?.({ files: [file] });
});
byId("share").addEventListener("click", async () => {
  await navigator.share({ files: [await picture()], title: game }).catch(() => {}); // closed again by the person
});
