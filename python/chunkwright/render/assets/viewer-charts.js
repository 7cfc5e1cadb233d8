/**
 * @file Charts: the scores along the text, and how many chunks there are of each size.
 */

const CURVE_WIDTH = 1000;
const CURVE_HEIGHT = 84;

/** The curve of the scores of all boundaries along the text; of none, the sizes of the chunks. */
class Curve {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.element = make("div", { class: "cw-curve" });
    this.element.addEventListener("click", (event) => this.jump(event));
  }

  draw() {
    const { cut } = this.viewer;
    const scored = cut.boundaries.filter((each) => each.score !== null);
    this.has_scores = scored.length > 0;
    const points = this.has_scores
      ? scored.map(({ at, score, verdict }) => ({ at, value: score, cut: verdict !== "whole" }))
      : cut.rows.map((row, i) => ({ at: cut.bodies[i].start, value: row.n_tokens, cut: false }));
    const end = cut.bodies.reduce((last, body) => Math.max(last, body.end), 0);
    const line = this.has_scores ? cut.threshold
      : cut.limit?.unit === "tokens" ? cut.limit.most : null;
    const top = points.reduce((most, each) => Math.max(most, each.value), line ?? 0) || 1;
    this.x = (at) => (CURVE_WIDTH * at) / Math.max(1, cut.text.length);
    const y = (value) => CURVE_HEIGHT - 4 - ((CURVE_HEIGHT - 12) * value) / top;
    const what = this.has_scores ? "Scores of boundaries along the text" : `Tokens of ${cut.noun}s along the text`;
    const svg = draw("svg", {
      viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `${what}${line === null || line === undefined ? "" : `, ${this.lineName(line)}`}`,
    });
    this.seen = draw("rect", { class: "cw-seen", y: 0, height: CURVE_HEIGHT });
    svg.append(this.seen, draw("path", { class: "cw-line",
      d: this.has_scores ? path(columns(points, this.x), y) : steps(columns(points, this.x), y, this.x(end)) }));
    if (line !== null && line !== undefined) {
      svg.append(draw("line", { class: "cw-threshold", x1: 0, x2: CURVE_WIDTH, y1: y(line), y2: y(line) }));
    }
    for (const each of columns(points.filter((point) => point.cut), this.x)) {
      svg.append(draw("line", { class: "cw-tick", x1: each.x, x2: each.x, y1: y(each.value), y2: CURVE_HEIGHT }));
    }
    const caption = make("p", { class: "cw-caption" },
      `${what}${line === null || line === undefined ? "" : `; dashed: ${this.lineName(line)}`}. Click to go there.`);
    refill(this.element, svg, caption);
    this.svg = svg;
  }

  lineName(line) {
    return this.has_scores ? `threshold ${line.toFixed(2)}` : `limit ${counted(line, "token")}`;
  }

  /** Show which part of the text is in the viewport. */
  show(start, end) {
    if (!this.seen) return;
    this.seen.setAttribute("x", this.x(start));
    this.seen.setAttribute("width", Math.max(2, this.x(end) - this.x(start)));
  }

  jump(event) {
    if (!this.svg || !this.svg.contains(event.target)) return;
    const box = this.svg.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    this.viewer.goToPlace(Math.floor(share * this.viewer.cut.text.length), true);
  }
}

/** At most one point for each column of the picture: the highest one. */
function columns(points, x) {
  const found = new Map();
  for (const { at, value } of points) {
    const column = Math.round(x(at));
    const known = found.get(column);
    if (!known || known.value < value) found.set(column, { x: column, value });
  }
  return [...found.values()].sort((a, b) => a.x - b.x);
}

function path(points, y) {
  return points.map(({ x, value }, i) => `${i ? "L" : "M"}${x} ${y(value).toFixed(1)}`).join("");
}

/** A line that keeps each value until the next begins. */
function steps(points, y, end) {
  const drawn = points.map(({ x, value }, i) => (i ? `H${x}V${y(value).toFixed(1)}` : `M${x} ${y(value).toFixed(1)}`));
  return points.length ? `${drawn.join("")}H${Math.round(end)}` : "";
}

const BINS = 12;

/** How many chunks there are of each size, of one cut or of two, and where the limit is. */
function sizeChart(cuts) {
  const sizes = cuts.map((cut) => cut.rows.map((row) => row.n_tokens));
  const limit = cuts[0].limit?.unit === "tokens" ? cuts[0].limit.most : null;
  const most = Math.max(1, limit ?? 0, ...sizes.map((some) => some.reduce((a, b) => Math.max(a, b), 0)));
  const width = rounded(Math.ceil((most + 1) / BINS));
  const n = Math.floor(most / width) + 1;
  const counts = sizes.map((some) => {
    const bins = new Array(n).fill(0);
    for (const size of some) bins[Math.floor(size / width)] += 1;
    return bins;
  });
  const highest = Math.max(1, ...counts.flat());
  const [right, bottom] = [240, 96];
  const step = right / n;
  const svg = draw("svg", { viewBox: `0 -4 ${right} ${bottom + 18}`, role: "img", class: "cw-sizes",
    "aria-label": `${titled(cuts[0].noun)}s by tokens, ${width} a bar${limit === null ? "" : `; the limit is ${limit}`}` });
  counts.forEach((bins, side) => bins.forEach((count, i) => {
    const [own, height] = [step / cuts.length, (bottom * count) / highest];
    svg.append(draw("rect", { class: `cw-column cw-bar-${side}`, x: i * step + side * own + 0.5,
      y: bottom - height, width: Math.max(0.5, own - 1), height },
    draw("title", {}, `${i * width}-${(i + 1) * width - 1} tokens: ${counted(count, cuts[0].noun)}`)));
  }));
  if (limit !== null) {
    const x = (step * limit) / width;
    svg.append(draw("line", { class: "cw-threshold", x1: x, x2: x, y1: -4, y2: bottom }));
  }
  svg.append(draw("text", { x: 0, y: bottom + 12, class: "cw-axis" }, "0"),
    draw("text", { x: right, y: bottom + 12, class: "cw-axis", "text-anchor": "end" },
      `${(n * width).toLocaleString("en")} tokens`));
  return svg;
}

/** The next number that people count in: 1, 2, 5, 10, 20, 50. */
function rounded(width) {
  let step = 1;
  while (step * 10 < width) step *= 10;
  return [1, 2, 5, 10].map((digit) => digit * step).find((each) => each >= width);
}
