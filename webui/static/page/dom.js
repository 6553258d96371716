/** Elements in one call, and the dice drawn from the page's own sprite (templates/_sprite.svg). */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {(event: any) => void} Heard
 *  @typedef {Record<string, string | number | boolean | null | undefined | Heard>} Attributes
 *  @typedef {Node | string | number | null | undefined | (Node | string | null | undefined)[]} Child */

/** Return an HTML element; functions among the attributes listen, text children stay text.
 *  @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Attributes} attributes @param {Child[]} children
 *  @returns {HTMLElementTagNameMap[T]} */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** Return an SVG element, likewise.
 *  @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Attributes} attributes @param {Child[]} children
 *  @returns {SVGElementTagNameMap[T]} */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Return a number as every page shows it, with a true minus; `readNumber` reads it back.
 *  @param {number} number */
export const figure = (number) => String(number).replace("-", "−");
/** @param {Element} element */
export const readNumber = (element) => Number(String(element.textContent).replace("−", "-"));

export const LISTENERS = Symbol.for("listeners"); // of an element, by event; morph.js hands them on, of scripts that come later too

/** Let an element hear an event, until another takes its place.
 *  @param {any} element @param {string} name @param {Heard} hear */
export function listen(element, name, hear) {
  element[`on${name}`] = hear;
  element[LISTENERS] = { ...element[LISTENERS], [name]: hear };
}

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") listen(element, name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(.../** @type {(Node | string)[]} */ (children.flat().filter((child) => child !== null && child !== undefined)));
  return element;
}

/** Return a drawn die; it says nothing to a screen reader, the button around it does.
 *  @param {number | string} value @param {string} colour */
export const die = (value, colour) =>
  svg("svg", { class: `die ${colour}`, "aria-hidden": "true" }, svg("use", { href: `#face-${value}` }));

let shapes = 0; // of the sprite (webui/pages/drawings/seats.py)

/** Return the number of a seat's shape and colour; of more seats they come again.
 *  @param {number} seat */
export function shape(seat) {
  shapes ||= document.querySelectorAll('symbol[id^="mark-"]').length;
  return seat % shapes;
}

/** Return the mark of a seat, to stand in an element of the class `seat-N`; where its shape comes again, its number.
 *  @param {number} seat */
export function mark(seat) {
  if (shape(seat) === seat) return svg("svg", { class: "seat-mark", "aria-hidden": "true" }, svg("use", { href: `#mark-${seat}` }));
  const number = svg("text", { x: 10, y: 14 }, String(seat + 1));
  return svg("svg", { class: "seat-mark numbered", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("circle", { cx: 10, cy: 10, r: 10 }), number);
}

/** Return an element that the page has; of others `?.` asks.
 *  @template {string} I @param {I} id @param {Document} page @returns {I extends keyof PageElements ? PageElements[I] : HTMLElement} */
export const byId = (id, page = document) => /** @type {any} */ (page.getElementById(id));

/** Return the elements within another.
 *  @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [...root.querySelectorAll(selector)].map((element) => /** @type {HTMLElement} */ (element));

/** Return the fields within another element.
 *  @param {ParentNode} root @param {string} selector @returns {HTMLInputElement[]} */
export const fields = (root, selector) => [...root.querySelectorAll(selector)].map((field) => /** @type {HTMLInputElement} */ (field));

/** Return the element that an event is about.
 *  @param {Event} event */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);
