/** What a match looks, sounds and feels like on this device, as its owner chose. Loaded after the first paint;
 *  match.js and sending.js say what happens by events of these names. */

import { byId } from "../page/dom.js";
import { motion } from "../page/motion.js";
import { play } from "./sounds.js";
import { say } from "./speech.js";
import { stayAwake } from "../page/wake.js";
import { _ } from "../page/words.js";

const USUAL = { sounds: "no", speak: "no", buzz: "yes", awake: "yes" };
const BUZZ = { counted: 20, refused: [40, 60, 40] }; // ms
const TRIED = { sounds: () => play("counted"), speak: () => say(_("Each step will be said aloud.")) };

const wants = (name) => (localStorage.getItem(name) ?? USUAL[name]) === "yes";

const moved = motion(byId("tally"));
const held = stayAwake(() => wants("awake"));

byId("senses").hidden = false; // what is chosen there is heard from now on
for (const box of byId("senses").querySelectorAll("input")) {
  box.checked = wants(box.name);
  box.addEventListener("change", () => {
    localStorage.setItem(box.name, box.checked ? "yes" : "no");
    if (box.checked) TRIED[box.name]?.();
    held();
  });
}
addEventListener("read", () => sound("read"));
addEventListener("asked", ({ detail }) => speak(detail));
addEventListener("counted", ({ detail }) => {
  sound(moved() ? "won" : "counted");
  buzz("counted");
  speak(detail);
});
addEventListener("refused", ({ detail }) => {
  sound("refused");
  buzz("refused");
  speak(_("Illegal: {sentence}", { sentence: detail }));
});

function sound(kind) {
  if (wants("sounds")) play(kind);
}

function speak(words) {
  if (wants("speak")) say(words);
}

/** Browsers buzz for nobody who has not touched the page yet. */
function buzz(kind) {
  if (wants("buzz") && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(BUZZ[kind]);
}
