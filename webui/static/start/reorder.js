/** Rows that are dragged by their grips into another order; a tap on a grip stays a tap. */

const FAR = 8; // px that a finger moves before it drags

/** @param form holds the rows, `[data-row]`, each with a `.grip`
 *  @param ask is given the new order as "1,0,2" */
export function reorder(form, ask) {
  let held = null;
  let dragged = false; // the click that ends a drag is none

  const rows = () => [...form.querySelectorAll("[data-row]")];
  const middle = (row) => row.getBoundingClientRect().top + row.offsetHeight / 2;

  /** Return before which of the other rows the held one would come, none: behind them all. */
  const next = (y) => rows().filter((row) => row !== held.row).find((row) => y < middle(row));

  function drag({ clientY }) {
    if (!held) return;
    dragged ||= Math.abs(clientY - held.y) > FAR;
    if (!dragged) return;
    held.row.classList.add("held");
    held.row.style.translate = `0 ${clientY - held.y}px`;
    const target = next(clientY);
    for (const row of rows()) row.classList.toggle("target", row === target);
  }

  function drop({ clientY, type }) {
    if (!held) return;
    const others = rows().filter((row) => row !== held.row);
    const target = next(clientY);
    const at = target ? others.indexOf(target) : others.length;
    const order = [...others.slice(0, at), held.row, ...others.slice(at)].map(({ dataset }) => dataset.row);
    held.row.classList.remove("held");
    held.row.style.translate = "";
    target?.classList.remove("target");
    held = null;
    if (dragged && type === "pointerup" && order.some((row, place) => Number(row) !== place)) ask(order.join());
  }

  form.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    dragged = false;
    if (!grip || event.button) return;
    held = { row: grip.closest("[data-row]"), y: event.clientY };
    grip.setPointerCapture(event.pointerId);
  });
  form.addEventListener("pointermove", drag);
  for (const type of ["pointerup", "pointercancel"]) form.addEventListener(type, drop);
  form.addEventListener("click", (event) => dragged && event.preventDefault(), true);
}
