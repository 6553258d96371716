/** The sentences of the rules as a page shows them. */

export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The rules speak of players by number; the page by name. */
export const named = (text, names) =>
  text.replace(/\b[Pp]layer (\d+)\b/g, (found, number) => names[number - 1] ?? found);
