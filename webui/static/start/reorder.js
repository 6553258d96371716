/** Rows that are dragged by their grips into another order; a tap on a grip stays a tap. */

import { all, targetOf } from "../page/dom.js";

const FAR = 8; // px that a finger moves before it drags

/** @param {HTMLElement} form holds the rows, `[data-row]`, each with a `.grip`
 *  @param {(order: string) => void} ask is given the new order as "1,0,2" */
export function reorder(form, ask) {
  /** @type {{row: HTMLElement, y: number} | null} */
  let held = null;
  let dragged = false; // the click that ends a drag is none

  const rows = () => all(form, "[data-row]");
  /** @param {HTMLElement} row */
  const middle = (row) => row.getBoundingClientRect().top + row.offsetHeight / 2;

  /** Return before which of the other rows the held one would come, none: behind them all.
   *  @param {number} y */
  const next = (y) => rows().filter((row) => row !== held?.row).find((row) => y < middle(row));

  /** @param {PointerEvent} event */
  function drag({ clientY }) {
    if (!held) return;
    dragged ||= Math.abs(clientY - held.y) > FAR;
    if (!dragged) return;
    held.row.classList.add("held");
    held.row.style.translate = `0 ${clientY - held.y}px`;
    const target = next(clientY);
    for (const row of rows()) row.classList.toggle("target", row === target);
  }

  /** @param {PointerEvent} event */
  function drop({ clientY, type }) {
    if (!held) return;
    const { row: moved } = held;
    const others = rows().filter((row) => row !== moved);
    const target = next(clientY);
    const at = target ? others.indexOf(target) : others.length;
    const order = [...others.slice(0, at), moved, ...others.slice(at)].map(({ dataset }) => dataset.row);
    moved.classList.remove("held");
    moved.style.translate = "";
    target?.classList.remove("target");
    held = null;
    if (dragged && type === "pointerup" && order.some((row, place) => Number(row) !== place)) ask(order.join());
  }

  form.addEventListener("pointerdown", (event) => {
    const grip = targetOf(event).closest(".grip");
    dragged = false;
    if (!grip || event.button) return;
    held = { row: /** @type {HTMLElement} */ (grip.closest("[data-row]")), y: event.clientY };
    grip.setPointerCapture(event.pointerId);
  });
  form.addEventListener("pointermove", drag);
  for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) form.addEventListener(type, drop);
  form.addEventListener("click", (event) => dragged && event.preventDefault(), true);
}
