/** A match that was deleted while its page is open: over whatever is done there, and to stay. */

import { byId, html, mark, shape } from "../page/dom.js";
import { forget } from "../net/offline.js";

/** Say that there is no such match any more, with its last score; cameras and what is kept of it are let go.
 *  @param {{match: string, names: string[], score: number[]}} table
 *  @param {{on: unknown, stop: (why: string | null) => void} | null} watching */
export function sayGone({ match, names, score }, watching) {
  forget(match);
  const dialog = byId("gone");
  const each = names.map((name, seat) => html("span", { class: `who seat-${shape(seat)}` }, mark(seat), `${name} ${score[seat]}`));
  byId("gone-score").replaceChildren(...each);
  for (const other of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"))) other.close();
  if (watching?.on) watching.stop(null);
  dialog.addEventListener("cancel", (event) => event.preventDefault()); // nothing below it can be done any more
  dialog.showModal();
}
