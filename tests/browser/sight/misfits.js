/** What of a page as it is does not fit a phone and a thumb; `least` is the side of what is tapped, px.
 *
 *  A strip that is pushed along may be longer than the screen, and what ends in "…" may go on.
 */
(least) => {
  const wide = document.documentElement.clientWidth;
  const faults = [];

  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const named = (one) => `${one.tagName}#${one.id}.${one.className?.baseVal ?? one.className}`;
  const begun = (one) => one.outerHTML.slice(0, 120);
  const every = (selector) => [...document.querySelectorAll(selector)].filter(shown);

  const sliding = new Map([[null, false]]);
  function slides(one) {
    if (!sliding.has(one)) sliding.set(one, /auto|scroll/.test(getComputedStyle(one).overflowX) || slides(one.parentElement));
    return sliding.get(one);
  }

  const free = (one) => !one.closest("svg, .unseen") && !slides(one);

  // What makes the page wider than the screen.
  const page = document.documentElement.scrollWidth;
  if (page > wide) {
    const out = every("body *").filter((one) => free(one) && one.getBoundingClientRect().right > wide + 0.5);
    faults.push(`the page is ${page} px wide: ${out.slice(-3).map(named)}`);
  }

  // Text that leaves the screen, or the box around it.
  const BOX = "button, .button, td, .stand, .score, .note, .card, .box, dialog";
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: around } = walk.currentNode;
    if (!data.trim() || !shown(around) || !free(around) || getComputedStyle(around).textOverflow === "ellipsis") continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const box = (around.closest(BOX) ?? document.documentElement).getBoundingClientRect();
    const [left, right] = [Math.max(0, box.left) - 1, Math.min(wide, box.right) + 1];
    const spilled = [...range.getClientRects()].some((at) => at.width && (at.left < left || at.right > right));
    if (spilled) faults.push(`"${data.trim().slice(0, 40)}" leaves ${named(around.closest(BOX) ?? around)}`);
  }

  // A die wider than what is tapped, and a question with room for a letter or two a line.
  for (const one of every("button svg.die").filter((each) => each.getBoundingClientRect().width > each.closest("button").clientWidth + 0.5)) faults.push(`a die leaves ${begun(one.closest("button"))}`);
  for (const one of every(".head:not(.unseen) > .prompt"))
    if (one.clientWidth < 3 * parseFloat(getComputedStyle(one).fontSize)) faults.push(`squeezed: ${begun(one)}`);

  // What is too small for a thumb, and what a screen reader has no name for.
  const tapped = every("button, .button, select, summary, input:not([type=hidden])");
  for (const one of tapped.map((each) => (each.matches("input") && each.closest("label")) || each)) {
    const { width, height } = one.getBoundingClientRect();
    if (Math.min(width, height) < least - 0.5) faults.push(`small: ${begun(one)}`);
  }
  for (const one of every("button, a, select, input:not([type=hidden])"))
    if (!(one.ariaLabel || one.textContent.trim() || one.labels?.length)) faults.push(`nameless: ${begun(one)}`);
  return faults;
};
