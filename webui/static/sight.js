/** This browser's own eyes on the page of a match: the viewfinder, and a glimpse of a photo on its way. */

import { byId, html, svg } from "./dom.js";
import { fetchAhead, openEyes } from "./eyes.js";
import { outlines, wantedOf } from "./eyes_outlines.js";
import { _ } from "./words.js";

const requestIdle = window.requestIdleCallback ?? setTimeout; // Safari has none
const SOON = 2000; // ms after which a busy page sends them too
const PATIENCE = 3000; // ms after which the files are fetched that somebody may soon want

/** @param dataset of the page: where its `eyes` are, and the style of the `finder`
 *  @param look takes photos; @param tell says a sentence on the page */
export function mount({ eyes: addresses, finder: style }, look, tell) {
  const files = JSON.parse(addresses);
  let opened = null;
  let refused = false; // the camera, by this phone or its owner
  let finder = null;
  let dressed = false;

  /** Open the eyes, and bring the style of what they see. */
  function eyes() {
    if (!dressed) document.head.append(html("link", { rel: "stylesheet", href: style }));
    dressed = true;
    return (opened ??= openEyes(files));
  }

  setTimeout(() => look.table.photographable && fetchAhead(files).catch(() => {}), PATIENCE); // or later, when wanted

  /** Open the viewfinder instead of the phone's own camera, where this page may use one. */
  async function aim(event) {
    const input = event.currentTarget;
    if (refused || !look.table.photographable || !isSecureContext || !navigator.mediaDevices?.getUserMedia) return;
    event.preventDefault();

    /** Let the phone's own camera take it, from now on. */
    function choose(fault) {
      if (!fault) return byId("gallery").click();
      refused = true;
      if (fault.name === "NotAllowedError") tell(_("This page may not use the camera. Choose a picture, or tap again for the phone's own camera."));
      return input.click(); // which a browser may not allow long after the tap
    }

    try {
      const { Finder } = await import("./finder.js");
      finder ??= new Finder(eyes, look.table, { take: (canvas, saw) => look.take(canvas, saw), choose });
      finder.open();
    } catch (fault) {
      choose(fault); // the server is away
    }
  }

  for (const id of ["camera", "retake"]) byId(id).addEventListener("click", aim);
  for (const id of ["camera", "retake", "gallery"]) byId(id).addEventListener("click", () => eyes()); // ready when a photo is chosen
  look.incoming.sees(glimpses(eyes, look));
  const wholes = () => import("./wholes.js").catch(() => null); // the server is away: the next time
  const follow = () => requestIdle(async () => (await wholes())?.sendWholes(), { timeout: SOON });
  look.incoming.ended = follow;
  follow();
}

/** Return what outlines on a photo what this browser sees there, or what its viewfinder `saw` a moment before, while the
 *  server reads it; it answers what is seen on the photo itself: {faces, perhaps, width, height}, or null. */
function glimpses(eyes, look) {
  const drawn = svg("svg", { class: "overlay glimpsed", "aria-hidden": "true", "pointer-events": "none" });
  byId("stage").append(drawn);

  async function readHere(picture) {
    const [able, bitmap] = await Promise.all([eyes(), createImageBitmap(picture)]);
    const { width, height } = bitmap;
    return able && { ...(await able.read(bitmap, wantedOf(look.table.equipment))), width, height };
  }

  function draw({ faces, width, height }) {
    drawn.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawn.replaceChildren(...outlines(faces, width));
  }

  return async (picture, saw) => {
    drawn.replaceChildren();
    const { draft } = look;
    if (saw) draw(saw);
    const sight = await readHere(picture).catch(() => null); // the server reads it all the same
    if (!sight || look.draft !== draft || draft.photo) return null;
    if (!saw) draw(sight);
    return sight;
  };
}
