/** Changes what a part of the page shows in place: what stays there keeps its focus and is open still. What a person has
 *  typed or chosen is never touched; it goes when its form is reset, once it is sent.
 */

import { LISTENERS, byId } from "./dom.js";
import { Idiomorph } from "../vendor/idiomorph.js";

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";

/** Return the nodes that HTML describes. */
export function parsed(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.childNodes;
}

/** Make `element` what `fresh` is, another element or the HTML of one. */
export const morph = (element, fresh) => change(element, fresh, "outerHTML");

/** Make `children` what `box` contains. */
export const redraw = (box, ...children) => change(box, children, "innerHTML");

function change(element, content, morphStyle) {
  const places = placesOf(document.activeElement, element);
  const added = [];
  Idiomorph.morph(element, content, {
    morphStyle,
    callbacks: {
      // A person has opened it, or a script keeps what it contains.
      beforeAttributeUpdated: (name, of, kind) => !(name === "open" && of.matches("details") && kind === "remove"),
      beforeNodeMorphed: (old, fresh) => !kept(fresh) && !entered(old) && listen(old, fresh),
      beforeNodeRemoved: (node) => !holdsEntered(node),
      beforeNodeAdded: (fresh) => Boolean(added.push(fresh)),
      afterNodeAdded: (node) => listenWithin(node, added.pop()),
    },
  });
  if (document.activeElement === document.body) refocus(places);
}

const FIELDS = "input:not([type=hidden]), textarea, select";

/** Whether a person has put something into a field. */
function entered(field) {
  if (field.nodeType !== Node.ELEMENT_NODE || !field.matches(FIELDS)) return false;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findLastIndex(({ defaultSelected }) => defaultSelected));
  return ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Take what a form holds as sent: from here on news may change it. */
export function settle(form) {
  for (const field of form.querySelectorAll("input:not([type=hidden])")) field.defaultValue = field.value;
}

/** Whether a person has put something into a field of it. */
export const holdsEntered = (node) => entered(node) || (node.nodeType === Node.ELEMENT_NODE && [...node.querySelectorAll(FIELDS)].some(entered));

const kept = (fresh) => fresh.nodeType === Node.ELEMENT_NODE && fresh.hasAttribute("data-kept");

const controlsIn = (element) => [...element.querySelectorAll(CONTROLS)].filter((control) => control.checkVisibility());

/** Return the parts of an element around what has the focus, the smallest first, with its place among their controls. */
function placesOf(focused, element) {
  const parts = [];
  if (!element.contains(focused)) return parts;
  for (let part = focused.closest("[id]"); part && part !== element && element.contains(part); part = part.parentElement.closest("[id]")) parts.push(part);
  return [...parts, element, element.parentElement].map((part) => ({ part, place: controlsIn(part).indexOf(focused) }));
}

/** Focus what stands where the control that had the focus stood: in its own part, or else what says what is next. */
function refocus(places) {
  for (const { part, place } of places) {
    const now = part.isConnected ? part : byId(part.id);
    const controls = now ? controlsIn(now) : [];
    const next = now?.querySelector("#prompt") ?? controls[Math.min(place, controls.length - 1)] ?? now?.closest("[tabindex]");
    if (next && place >= 0) return next.focus({ preventScroll: true });
  }
}

/** Let a node listen as the one does whose place it takes: attributes are copied, listeners are not. */
function listen(node, fresh) {
  for (const name of Object.keys(node[LISTENERS] ?? {})) node[`on${name}`] = null;
  node[LISTENERS] = fresh[LISTENERS];
  Object.assign(node, Object.fromEntries(Object.entries(fresh[LISTENERS] ?? {}).map(([name, heard]) => [`on${name}`, heard])));
  return true;
}

function listenWithin(node, fresh) {
  listen(node, fresh);
  fresh.childNodes.forEach((child, at) => node.childNodes[at] && listenWithin(node.childNodes[at], child));
}
