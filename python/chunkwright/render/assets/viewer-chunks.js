/**
 * @file Rows of chunks: their text by roles, what is marked in it, and why they end where they do.
 */

const ROLES = {
  body: "own text",
  heading: "heading above it, repeated",
  header: "header of its table, repeated",
  overlap: "text of a neighbour, repeated",
};
const LEVELS = "▁▂▃▄▅▆▇█";

/** A bar as high as a score, among those up to the highest one. */
function level(score, top) {
  const share = top > 0 ? score / top : 0;
  return LEVELS[Math.min(Math.floor(share * LEVELS.length), LEVELS.length - 1)];
}

/**
 * Put a part of the text into an element, with what is marked in it.
 * @param {HTMLElement} into
 * @param {string} text  The whole text.
 * @param {number} start
 * @param {number} end
 * @param {{start: number, end: number, name: string, title: (string|undefined)}[]} marks  What is
 *   marked of it, with a class; they may overlap.
 * @param {{at: number, said: string, title: string}[]} points  What is said between two characters.
 */
function putText(into, text, start, end, marks, points) {
  if (!marks.length && !points.length) { into.append(visible(text.slice(start, end))); return; }
  const cuts = new Set([start, end]);
  for (const mark of marks) {
    cuts.add(Math.max(start, mark.start));
    cuts.add(Math.min(end, mark.end));
  }
  for (const point of points) cuts.add(point.at);
  const places = [...cuts].filter((at) => at >= start && at <= end).sort((a, b) => a - b);
  places.forEach((at, i) => {
    for (const point of points) {
      if (point.at === at) into.append(make("span", { class: "cw-score", "data-said": point.said, title: point.title }));
    }
    const stop = places[i + 1];
    if (stop === undefined) return;
    const over = marks.filter((mark) => mark.start < stop && mark.end > at);
    const said = visible(text.slice(at, stop));
    if (!over.length) { into.append(said); return; }
    const names = [...new Set(over.map((mark) => mark.name))].join(" ");
    const title = over.map((mark) => mark.title).filter(Boolean).join("; ") || null;
    const tag = names.includes("cw-hit") || names.includes("cw-word") ? "mark" : "span";
    into.append(make(tag, { class: names, title }, said));
  });
}

/** Makes the rows of the chunks of one cut. */
class ChunkRows {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.cut = viewer.cut;
    this.rows = chunkRows(this.cut);
    this.firstRow = new Array(this.cut.length);
    this.rows.forEach((row, i) => { if (row.first) this.firstRow[row.chunk] = i; });
    this.top = this.cut.boundaries.reduce((top, each) => Math.max(top, each.score ?? 0), 0);
  }

  estimates(width) {
    const chars = Math.max(20, width / 7.6);
    return this.rows.map((row) => (
      linesOf(this.cut.text, row.parts, chars) * 21 + 14
      + (row.first ? 26 : 0) + (row.last ? 30 : 0)));
  }

  rowOf(chunk) { return this.firstRow[chunk] ?? 0; }

  /** The row of a place of the text. */
  rowAt(unit) {
    const chunk = this.cut.chunkAt(unit);
    if (chunk < 0) return 0;
    let row = this.firstRow[chunk];
    for (; row < this.rows.length && this.rows[row].chunk === chunk; row += 1) {
      if (this.rows[row].parts.some((p) => p.role === "body" && p.start <= unit && unit < p.end)) return row;
    }
    return this.firstRow[chunk];
  }

  /** Where in the text a row begins. */
  placeOf(row) {
    const parts = this.rows[row]?.parts ?? [];
    return (parts.find((part) => part.role === "body") ?? parts[0])?.start ?? 0;
  }

  chunkOf(row) { return this.rows[row]?.chunk ?? -1; }

  render(row) {
    const { chunk, parts, first, last } = this.rows[row];
    const viewer = this.viewer;
    const is_selected = chunk === viewer.selected;
    const element = make("article", {
      class: `cw-chunk cw-tone-${chunk % 2}${first ? " cw-first" : ""}${last ? " cw-last" : ""}${
        chunk === viewer.hovered ? " cw-hovered" : ""}`,
      "aria-posinset": chunk + 1, "aria-setsize": this.cut.length,
      "aria-current": is_selected ? "true" : null,
      "aria-label": `${titled(this.cut.noun)} ${chunk}${first ? "" : ", continued"}`,
      "data-chunk": chunk,
    });
    if (first) element.append(this.head(chunk));
    const shadows = viewer.layers.shadows ? this.cut.rows[chunk] : {};
    const body = make("div", { class: "cw-text", dir: "auto" });
    if (first && shadows.prefix_shadow) body.append(shadow("before", shadows.prefix_shadow));
    body.append(...viewer.drawn(parts, (into, part) => this.put(into, chunk, part), (part) => this.part(chunk, part)));
    if (last && shadows.suffix_shadow) body.append(shadow("behind", shadows.suffix_shadow));
    element.append(body);
    if (last) element.append(this.ending(chunk));
    return element;
  }

  head(chunk) {
    const row = this.cut.rows[chunk];
    const facts = [counted(row.n_tokens, "token")];
    if (row.pages?.length) facts.push(`page ${row.pages.join(", ")}`);
    facts.push(row.line_end > row.line_start ? `lines ${row.line_start}-${row.line_end}` : `line ${row.line_start}`);
    if (row.kind && row.kind !== "paragraph") facts.push(row.kind);
    const about = make("div", { class: "cw-head" },
      make("a", { class: "cw-number", href: `#chunk=${chunk}`, "data-select": chunk,
        "aria-label": `${titled(this.cut.noun)} ${chunk}` }, String(chunk)),
      make("span", { class: "cw-facts" }, facts.join(" · ")));
    if (row.oversize) about.append(make("strong", { class: "cw-over" }, "over the limit"));
    const change = this.viewer.changeOf(chunk);
    if (change) about.append(make("span", { class: `cw-change cw-change-${change}` }, change));
    const score = this.viewer.scoreOf(chunk);
    if (score) about.append(make("span", { class: "cw-asked" }, `score ${score.total.toFixed(2)}`));
    if (this.viewer.layers.structure && row.headings?.length) {
      about.append(make("span", { class: "cw-path" }, row.headings.join(" › ")));
    }
    return about;
  }

  part(chunk, part) {
    const { role, start } = part;
    const element = make("span", {
      class: `cw-role-${role}`, title: role === "body" ? null : ROLES[role] ?? role,
      "data-start": start,
    });
    this.put(element, chunk, part);
    return element;
  }

  put(into, chunk, { role, start, end }) {
    putText(into, this.cut.text, start, end, this.viewer.marksIn(start, end, chunk, role),
      this.pointsIn(start, end, role));
  }

  pointsIn(start, end, role) {
    if (!this.viewer.layers.similarity || role !== "body") return [];
    const cut = this.cut;
    const first = firstAtLeast(cut.innerAt, start + 1);
    const last = firstAtLeast(cut.innerAt, end);
    return cut.inner.slice(first, last).map(({ at, score }) => (
      { at, said: `${level(score, this.top)}${score.toFixed(2)}`, title: `not cut here: ${this.compared(score)}` }));
  }

  /** A score beside the threshold. */
  compared(score) {
    const { threshold } = this.cut;
    return `distance ${score.toFixed(2)}${threshold === null ? "" : `, threshold ${threshold.toFixed(2)}`}`;
  }

  ending(chunk) {
    const { reason, words } = this.cut.endingOf(chunk);
    if (!words) return make("div", { class: "cw-ending" });
    const title = `${titled(this.cut.noun)} ${chunk} ends here: ${words}`;
    return make("div", { class: `cw-ending cw-why-${reason ?? "place"}`, title },
      make("span", { class: "cw-words" }, words));
  }
}

function shadow(where, text) {
  return make("span", { class: "cw-shadow", title: `shadow ${where}: searched for a second look, no part of the chunk` }, text);
}
