/**
 * @file Measure of a page's layout: what is wider than what it stands in, what lies beyond the
 * screen, and what lies over what it should stand beside. Parts that scroll hide what is below, but
 * never what is beside.
 */
([names, isDrawn]) => {
  const found = [];
  const name = (each) => each.className || each.id || each.tagName;
  const seen = [...document.querySelectorAll(names.join(","))].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  if (document.documentElement.scrollWidth > width) found.push("the page is wider than the screen");
  if (document.documentElement.scrollHeight > height) found.push("the page is higher than the screen");
  for (const each of seen) {
    const box = each.getBoundingClientRect();
    if (box.left < -0.5 || box.right > width + 0.5) found.push(`${name(each)} is beyond the screen`);
    if (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !each.matches(".cw-frame, svg")) {
      found.push(`${name(each)}: ${each.scrollWidth} in ${each.clientWidth}`);
    }
    for (const other of seen) {
      if (other === each || other.contains(each) || each.contains(other)) continue;
      if (each.closest(".pg-side") !== other.closest(".pg-side") && isDrawn) continue;
      const beside = other.getBoundingClientRect();
      const [across, down] = [["left", "right"], ["top", "bottom"]].map(([from, to]) => (
        Math.min(box[to], beside[to]) - Math.max(box[from], beside[from])));
      const clip = (one) => one.parentElement.closest(".cw-side-panels, .pg-side, .pg-main, .cw-list, .cw-columns");
      if (across > 1 && down > 1 && clip(each) === clip(other)) found.push(`${name(each)} over ${name(other)}`);
    }
  }
  return found;
}
