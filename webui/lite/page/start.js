/** The start page as static HTML, shown and filled in until Python is awake (webui.lite.site writes it). */

const QUIET = 300; // ms; a finger that leaves a field may be on its way to a button
const TEXT = "input:is([type=text], [type=number])";

/** @param {HTMLFormElement} form */
const typed = (form) => new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString();

/** Hold what is pressed in a page until it is handed over; `pressed` says so.
 *  @param {Document} page @param {() => void} pressed */
export function hold(page, pressed) {
  const form = /** @type {HTMLFormElement} */ (page.getElementById("start"));
  const empty = typed(form);
  /** @type {(() => void) | null} */
  let held = null;
  let awake = false, leaving = false;

  page.addEventListener("submit", (event) => {
    leaving = awake;
    keep(event, () => /** @type {HTMLFormElement} */ (event.target).requestSubmit(event.submitter));
  }, true);
  page.addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest("a[href]:not([href^='#'])");
    if (link) keep(event, () => /** @type {HTMLElement} */ (link).click());
  }, true);

  /** @param {Event} event @param {() => void} again */
  function keep(event, again) {
    if (awake) return;
    event.preventDefault();
    held = again;
    pressed();
  }

  const quiet = () => new Promise((/** @type {(_: null) => void} */ done) => {
    const look = () => setTimeout(() => (page.activeElement?.matches(TEXT) ? null : done(null)), QUIET);
    page.addEventListener("focusout", look);
    look();
  });

  /** Do what was pressed, else `show` the same page with what was typed, once nobody types. */
  return async (/** @type {(query: string) => void} */ show) => {
    awake = true;
    if (held) return held();
    if (page.activeElement?.matches(TEXT)) await quiet();
    if (!leaving) show(typed(form) === empty ? "" : `?${typed(form)}`);
  };
}
