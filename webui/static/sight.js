/** This browser's own eyes on the page of a match: the viewfinder, and a glimpse of a photo on its way. */

import { byId, html, svg } from "./dom.js";
import { fetchAhead, openEyes } from "./eyes.js";
import { Finder, outlines } from "./finder.js";
import { _ } from "./words.js";

const PATIENCE = 3000; // ms after which the files are fetched that somebody may soon want

/** @param dataset of the page: where its `eyes` are, and the style of the `finder`
 *  @param look takes photos; @param tell says a sentence on the page */
export function mount({ eyes: addresses, finder: style }, look, tell) {
  const files = JSON.parse(addresses);
  let opened = null;
  let refused = false; // the camera, by this phone or its owner
  let finder = null;
  const eyes = () => (opened ??= openEyes(files));
  document.head.append(html("link", { rel: "stylesheet", href: style }));
  setTimeout(() => look.table.photographable && fetchAhead(files).catch(() => {}), PATIENCE); // or later, when wanted

  function choose(fault) {
    refused = fault !== null;
    if (refused) tell(_("This page may not use the camera. Choose a picture, or tap again for the phone's own camera."));
    else byId("gallery").click();
  }

  /** Open the viewfinder instead of the phone's own camera, where this page may use one. */
  function aim(event) {
    if (refused || !look.table.photographable || !isSecureContext || !navigator.mediaDevices?.getUserMedia) return;
    event.preventDefault();
    finder ??= new Finder(eyes, look.table, { take: (photo) => look.take(photo), choose });
    finder.open();
  }

  for (const id of ["camera", "retake"]) byId(id).addEventListener("click", aim);
  look.glimpse = glimpses(eyes, look);
}

/** Return what outlines on a photo what this browser sees there, while the server reads it. */
function glimpses(eyes, look) {
  const drawn = svg("svg", { class: "overlay glimpsed", "aria-hidden": "true" });
  byId("stage").append(drawn);
  return async (photo) => {
    drawn.replaceChildren();
    const { draft } = look;
    try {
      const [able, bitmap] = await Promise.all([eyes(), createImageBitmap(photo)]);
      if (!able) return;
      const { width, height } = bitmap;
      const { faces } = await able.read(bitmap, wantedOf(look.table));
      if (look.draft !== draft || draft.photo) return;
      drawn.setAttribute("viewBox", `0 0 ${width} ${height}`);
      drawn.replaceChildren(...outlines(faces, width));
    } catch {
      // The server reads it.
    }
  };
}

/** Return what the eyes are to look for. */
export const wantedOf = ({ equipment: { tiles, colours } }) => ({ halves: tiles > 0, colours: Object.keys(colours) });
