/** What this browser looks for on a picture, and what it sees there, drawn. */

import { svg } from "../page/dom.js";

/** Return the outlines of faces, each with what it shows, on a picture that is so many px wide.
 *  @param {ShownFace[]} faces @param {number} width */
export function outlines(faces, width) {
  return faces.map(({ quad, value, sure, size, middle: [x, y] }) => {
    const points = quad.map((at) => at.join()).join(" ");
    const place = { x: x + 0.65 * size, y: y - 0.65 * size, "font-size": Math.max(0.5 * size, width / 32) };
    const text = svg("text", place, sure ? String(value) : `${value}?`);
    return svg("g", { class: sure ? "" : "doubtful" }, svg("polygon", { class: "under", points }), svg("polygon", { class: "edge", points }), text);
  });
}

/** Return what the eyes are to look for.
 *  @param {{tiles: number, colours?: object}} equipment */
export const wantedOf = ({ tiles, colours = {} }) => ({ halves: tiles > 0, colours: Object.keys(colours) });
