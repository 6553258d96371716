/** Speaks aloud in the page's language, where the browser can. */

/** Say `words`; what was being said before is broken off, as it is no longer news.
 *  @param {string} words */
export function say(words) {
  if (!words || !("speechSynthesis" in window)) return;
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(spoken);
}
