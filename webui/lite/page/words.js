/** Sentences of the shell, in the language of the page that was last shown here, else the one this browser likes best. */

const KEPT = "pipsight language";
const sentences = await (await fetch(new URL("words.json", import.meta.url))).json();
const wished = [localStorage.getItem(KEPT), ...navigator.languages].flatMap((tag) => (tag ? [tag, tag.split("-")[0]] : []));

export const language = wished.find((tag) => tag in sentences) ?? "en";

/** Return a sentence; `{name}` in it stands for one of `parts`. */
export const _ = (text, parts = {}) => (sentences[language][text] ?? text).replace(/{(\w+)}/g, (_found, name) => parts[name]);

/** Note the language of a page that is shown. */
export const spoken = (tag) => localStorage.setItem(KEPT, tag);
