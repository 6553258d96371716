/** Elements in one call, and the dice drawn from the page's own sprite (templates/_sprite.svg). */

const SVG = "http://www.w3.org/2000/svg";

/** Return an HTML element; functions among the attributes listen, text children stay text. */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** Return an SVG element, likewise. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Return a number as every page shows it, with a true minus; `readNumber` reads it back. */
export const figure = (number) => String(number).replace("-", "−");
export const readNumber = (element) => Number(element.textContent.replace("−", "-"));

export const LISTENERS = Symbol("listeners"); // of an element, by event; morph.js hands them on

function listen(element, name, hear) {
  element[`on${name}`] = hear;
  element[LISTENERS] = { ...element[LISTENERS], [name]: hear };
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") listen(element, name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return a drawn die; it says nothing to a screen reader, the button around it does. */
export const die = (value, colour) =>
  svg("svg", { class: `die ${colour}`, "aria-hidden": "true" }, svg("use", { href: `#face-${value}` }));

let shapes = 0; // of the sprite (webui/pages/drawings/seats.py)

/** Return the number of a seat's shape and colour; of more seats they come again. */
export function shape(seat) {
  shapes ||= document.querySelectorAll('symbol[id^="mark-"]').length;
  return seat % shapes;
}

/** Return the mark of a seat, to stand in an element of the class `seat-N`; where its shape comes again, its number. */
export function mark(seat) {
  if (shape(seat) === seat) return svg("svg", { class: "seat-mark", "aria-hidden": "true" }, svg("use", { href: `#mark-${seat}` }));
  const number = svg("text", { x: 10, y: 14 }, String(seat + 1));
  return svg("svg", { class: "seat-mark numbered", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("circle", { cx: 10, cy: 10, r: 10 }), number);
}

export const byId = (id) => document.getElementById(id);
