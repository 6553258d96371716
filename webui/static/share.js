/** The picture of a result: drawn in the page's own colours, shared or saved. */

import { byId } from "./dom.js";

const { game, names, score, winners, day } = JSON.parse(byId("main").dataset.result);
const canvas = byId("picture");
const MARGIN = 64;
const MOST_SIZE = 132; // px of a score's digits

/** Return a colour of the page. */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function text(pen, words, x, y, { size, ink, weight = 700, align = "left", room }) {
  pen.font = `${weight} ${size}px ${colour("sans") || "sans-serif"}`;
  pen.fillStyle = ink;
  pen.textAlign = align;
  pen.fillText(words, x, y, room);
}

/** A seat's own shape: round, square, triangle, and again. */
function mark(pen, seat, x, y, half) {
  pen.fillStyle = colour(`seat-${seat % 6}`);
  pen.beginPath();
  const corners = [0, 4, 3][seat % 3];
  if (!corners) pen.arc(x, y, half, 0, 2 * Math.PI);
  for (let k = 0; k < corners; k++) {
    const turn = (2 * Math.PI * k) / corners - Math.PI / 2;
    pen.lineTo(x + half * 1.2 * Math.cos(turn), y + half * 1.2 * Math.sin(turn));
  }
  pen.fill();
}

function draw() {
  const pen = canvas.getContext("2d");
  const { width, height } = canvas;
  pen.fillStyle = colour("page");
  pen.fillRect(0, 0, width, height);
  text(pen, game, MARGIN, 104, { size: 52, ink: colour("ink"), room: width - 2 * MARGIN });
  text(pen, day, width - MARGIN, height - 44, { size: 28, ink: colour("soft"), weight: 500, align: "right" });
  text(pen, "Pipsight", MARGIN, height - 44, { size: 28, ink: colour("act") });
  const row = Math.min(150, (height - 250) / names.length);
  names.forEach((name, seat) => {
    const y = 170 + row * (seat + 0.5);
    const size = Math.min(MOST_SIZE, row * 0.78);
    const won = winners.includes(seat);
    if (won) {
      pen.fillStyle = colour("act-wash");
      pen.fillRect(MARGIN - 24, y - row / 2 + 4, width - 2 * MARGIN + 48, row - 8);
    }
    mark(pen, seat, MARGIN + 20, y, Math.min(20, row * 0.2));
    text(pen, name, MARGIN + 64, y + size * 0.16, { size: size * 0.46, ink: colour(`seat-${seat % 6}`), room: 700 });
    text(pen, score[seat], width - MARGIN, y + size * 0.34, { size, ink: colour("ink"), align: "right" });
  });
}

const picture = () => new Promise((done) => canvas.toBlob((blob) => done(new File([blob], "pipsight.png", { type: blob.type }))));

draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
picture().then((file) => {
  byId("save").href = URL.createObjectURL(file);
  byId("share").hidden = !navigator.canShare?.({ files: [file] });
});
byId("share").addEventListener("click", async () => {
  await navigator.share({ files: [await picture()], title: game }).catch(() => {}); // closed again by the person
});
