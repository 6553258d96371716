/** What a match looks, sounds and feels like on this device, as its owner chose. Loaded after the first paint;
 *  match.js and sending.js say what happens by events of these names. */

import { byId, fields } from "../page/dom.js";
import { motion } from "../page/motion.js";
import { play } from "./sounds.js";
import { say } from "./speech.js";
import { stayAwake } from "../page/wake.js";
import { _ } from "../page/words.js";

/** @type {Record<string, string>} */
const USUAL = { sounds: "no", speak: "no", buzz: "yes", awake: "yes" };
/** @type {Record<string, number | number[]>} */
const BUZZ = { counted: 20, refused: [40, 60, 40] }; // ms
/** @type {Record<string, () => void>} */
const TRIED = { sounds: () => play("counted"), speak: () => say(_("Each step will be said aloud.")) };

/** @param {string} name */
const wants = (name) => (localStorage.getItem(name) ?? USUAL[name]) === "yes";

const moved = motion(byId("tally"));
const held = stayAwake(() => wants("awake"));

byId("senses").hidden = false; // what is chosen there is heard from now on
for (const box of fields(byId("senses"), "input")) {
  box.checked = wants(box.name);
  box.addEventListener("change", () => {
    localStorage.setItem(box.name, box.checked ? "yes" : "no");
    if (box.checked) TRIED[box.name]?.();
    held();
  });
}
addEventListener("read", () => sound("read"));
addEventListener("asked", (event) => speak(detailOf(event)));
addEventListener("counted", (event) => {
  sound(moved() ? "won" : "counted");
  buzz("counted");
  speak(detailOf(event));
});
addEventListener("refused", (event) => {
  sound("refused");
  buzz("refused");
  speak(_("Illegal: {sentence}", { sentence: detailOf(event) }));
});

/** @param {Event} event */
const detailOf = (event) => /** @type {CustomEvent<string>} */ (event).detail;

/** @param {string} kind */
function sound(kind) {
  if (wants("sounds")) play(kind);
}

/** @param {string} words */
function speak(words) {
  if (wants("speak")) say(words);
}

/** Browsers buzz for nobody who has not touched the page yet.
 *  @param {string} kind */
function buzz(kind) {
  if (wants("buzz") && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(BUZZ[kind]);
}
