/** What of a page is covered by something else, wherever it is scrolled: words, numerals and controls.
 *  The dock, the bar and the entry panel stay in sight while the page moves below them. */
() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("svg, .unseen, dialog, .dock, .top");
  const faults = [];
  for (const one of [...document.querySelectorAll("h1, h2, h3, p, a, button, summary, select, .numeral, .name, .says, figure")].filter(shown)) {
    one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    for (const { left, right, top, bottom, width, height } of [...one.getClientRects()].slice(0, 1)) {
      const points = [[left + width / 2, top + height / 2], [left + 2, top + height / 4], [right - 2, bottom - height / 4]];
      const inside = points.filter(([x, y]) => width > 4 && height > 4 && x > 0 && y > 0 && x < innerWidth && y < innerHeight);
      const over = inside.map(([x, y]) => document.elementFromPoint(x, y)).find((hit) => hit && !one.contains(hit) && !hit.contains(one) && !hit.closest(".dock, .top, #entry"));
      if (over) faults.push(`${one.outerHTML.slice(0, 90)} lies under ${over.outerHTML.slice(0, 90)}`);
    }
  }
  return faults;
};
