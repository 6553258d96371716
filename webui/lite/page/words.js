/** Sentences of the shell, in the language of the page that was last shown here, else the one this browser likes best. */

/** @typedef {Record<string, string>} Words */

const KEPT = "pipsight language";
/** @type {Record<string, Words>} */
const sentences = await (await fetch(new URL("words.json", import.meta.url))).json();
const wished = [localStorage.getItem(KEPT), ...navigator.languages].flatMap((tag) => (tag ? [tag, tag.split("-")[0]] : []));

export let language = wished.find((tag) => tag in sentences) ?? "en";

/** Return a sentence; `{name}` in it stands for one of `parts`.
 *  @param {string} text @param {Record<string, any>} [parts] */
export const _ = (text, parts = {}) => (sentences[language][text] ?? text).replace(/{(\w+)}/g, (/** @type {string} */ _found, /** @type {string} */ name) => parts[name]);

/** Speak the language of a page that is shown, and note it. @param {string} tag */
export function spoken(tag) {
  if (!(tag in sentences)) return; // no page of the app
  localStorage.setItem(KEPT, tag);
  document.documentElement.lang = language = tag;
}
