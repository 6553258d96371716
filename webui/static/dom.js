/** Elements in one call, and the dice drawn from the page's own sprite (templates/_sprite.svg). */

const SVG = "http://www.w3.org/2000/svg";

/** Return an HTML element; functions among the attributes listen, text children stay text. */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** Return an SVG element, likewise. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

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

export const SHAPES = 6; // seat marks; of more seats they come again

/** Return the mark of a seat, to stand in an element of the class `seat-N`. */
export const mark = (seat) =>
  svg("svg", { class: "seat-mark", "aria-hidden": "true" }, svg("use", { href: `#mark-${seat % SHAPES}` }));

export const byId = (id) => document.getElementById(id);
