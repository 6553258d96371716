/** Changes what a part of the page shows in place: what stays there keeps its focus and is open still. What a person has
 *  typed or chosen is never touched; it goes when its form is reset, once it is sent.
 */

import { LISTENERS, all, byId, fields } from "./dom.js";
import { Idiomorph } from "../vendor/idiomorph.js";

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";

/** Return the nodes that HTML describes.
 *  @param {string} text */
export function parsed(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.childNodes;
}

/** Make `element` what `fresh` is, another element or the HTML of one.
 *  @param {Element} element @param {Element | string} fresh */
export const morph = (element, fresh) => change(element, fresh, "outerHTML");

/** Make `children` what `box` contains.
 *  @param {Element} box @param {Node[]} children */
export const redraw = (box, ...children) => change(box, children, "innerHTML");

/** @param {Element} element @param {Element | string | Node[]} content @param {"outerHTML" | "innerHTML"} morphStyle */
function change(element, content, morphStyle) {
  const places = placesOf(document.activeElement, element);
  /** @type {Node[]} */
  const added = [];
  Idiomorph.morph(element, content, {
    morphStyle,
    callbacks: {
      // A person has opened it, or a script keeps what it contains.
      beforeAttributeUpdated: (name, of, kind) => !(name === "open" && of.matches("details") && kind === "remove"),
      beforeNodeMorphed: (old, fresh) => !kept(fresh) && !entered(old) && listen(old, fresh),
      beforeNodeRemoved: (node) => !holdsEntered(node),
      beforeNodeAdded: (fresh) => Boolean(added.push(fresh)),
      afterNodeAdded: (node) => listenWithin(node, /** @type {Node} */ (added.pop())),
    },
  });
  if (document.activeElement === document.body) refocus(places);
}

/** @param {Node} node @returns {node is Element} */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

const FIELDS = "input:not([type=hidden]), textarea, select";

/** Whether a person has put something into a field.
 *  @param {Node} node */
export function entered(node) {
  if (!isElement(node) || !node.matches(FIELDS)) return false;
  const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (node);
  if ("options" in field) return field.selectedIndex !== Math.max(0, [...field.options].findLastIndex(({ defaultSelected }) => defaultSelected));
  return ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Take what a form holds as sent: from here on news may change it.
 *  @param {HTMLElement} form */
export function settle(form) {
  for (const field of fields(form, "input:not([type=hidden])")) field.defaultValue = field.value;
}

/** Whether a person has put something into a field of it.
 *  @param {Node} node */
export const holdsEntered = (node) => entered(node) || (isElement(node) && [...node.querySelectorAll(FIELDS)].some(entered));

/** @param {Node} fresh */
const kept = (fresh) => isElement(fresh) && fresh.hasAttribute("data-kept");

/** @param {Element} element */
const controlsIn = (element) => all(element, CONTROLS).filter((control) => control.checkVisibility());

/** @typedef {{part: Element, place: number}} Place */

/** Return the parts of an element around what has the focus, the smallest first, with its place among their controls.
 *  @param {Element | null} focused @param {Element} element @returns {Place[]} */
function placesOf(focused, element) {
  if (!focused || !element.contains(focused)) return [];
  const parts = [];
  /** @type {Element | null | undefined} */
  let part = focused.closest("[id]");
  for (; part && part !== element && element.contains(part); part = part.parentElement?.closest("[id]")) parts.push(part);
  return [...parts, element, element.parentElement ?? element].map((part) => ({ part, place: controlsIn(part).findIndex((one) => one === focused) }));
}

/** Focus what stands where the control that had the focus stood: in its own part, or else what says what is next.
 *  @param {Place[]} places */
function refocus(places) {
  for (const { part, place } of places) {
    const now = part.isConnected ? part : byId(part.id);
    const controls = now ? controlsIn(now) : [];
    /** @type {HTMLElement | null} */
    const next = now?.querySelector("#prompt") ?? controls[Math.min(place, controls.length - 1)] ?? now?.closest("[tabindex]") ?? null;
    if (next && place >= 0) return next.focus({ preventScroll: true });
  }
}

/** Let a node listen as the one does whose place it takes: attributes are copied, listeners are not.
 *  @param {any} node @param {any} fresh */
function listen(node, fresh) {
  for (const name of Object.keys(node[LISTENERS] ?? {})) node[`on${name}`] = null;
  node[LISTENERS] = fresh[LISTENERS];
  Object.assign(node, Object.fromEntries(Object.entries(fresh[LISTENERS] ?? {}).map(([name, heard]) => [`on${name}`, heard])));
  return true;
}

/** @param {Node} node @param {Node} fresh */
function listenWithin(node, fresh) {
  listen(node, fresh);
  fresh.childNodes.forEach((child, at) => node.childNodes[at] && listenWithin(node.childNodes[at], child));
}
