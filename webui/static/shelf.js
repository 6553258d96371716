/** The matches this phone has opened, kept in this browser alone and listed on the start page. */

const KEY = "matches";
const MOST = 6;

/** Return what is known of them, {match, title, names, score, over}, the last opened one first. */
export function noted() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return []; // a browser may keep nothing, or somebody else's data under this name
  }
}

/** Keep a match as its page knows it (webui/pages/match_context.py, table). */
export function note({ match, title, names, score, over }) {
  keep([{ match, title, names, score, over }, ...without(match)].slice(0, MOST));
}

export function forget(match) {
  keep(without(match));
}

const without = (match) => noted().filter((one) => one.match !== match);

function keep(matches) {
  try {
    localStorage.setItem(KEY, JSON.stringify(matches));
  } catch {
    // it is a convenience; the code leads to a match as well
  }
}
