/**
 * @file Panels at the side: the outline, a chunk's particulars, what a re-import changed.
 */

/** The headings of the document; a click jumps. @param {Viewer} viewer */
function outlinePanel(viewer) {
  const { outline } = viewer.cut;
  const { element, body } = panel(`Outline (${outline.length.toLocaleString("en")})`, "outline-panel");
  element.hidden = !outline.length;
  const shown = outline.slice(0, MOST_HEADINGS);
  refill(body, make("ol", { class: "cw-outline" }, ...shown.map((each) => make("li",
    { class: `cw-level-${Math.min(6, each.depth + 1)}` },
    make("button", { type: "button", class: "cw-link", dir: "auto", click: () => viewer.goToPlace(each.at, true) },
      each.title)))),
  outline.length > shown.length
    ? make("p", { class: "cw-note" }, `${(outline.length - shown.length).toLocaleString("en")} more headings`) : null);
  return element;
}

const MOST_HEADINGS = 2000;

/** Sizes of the chunks. @param {Viewer} viewer */
function sizesPanel(viewer) {
  const { element, body } = panel("Sizes", "sizes-panel");
  const cuts = viewer.other ? [viewer.cut, viewer.other] : [viewer.cut];
  if (!viewer.cut.length) { refill(body, make("p", { class: "cw-note" }, `No ${viewer.noun}s.`)); return element; }
  refill(body, sizeChart(cuts), ...cuts.map((cut, side) => {
    const sizes = cut.rows.map((row) => row.n_tokens).sort((a, b) => a - b);
    const at = (share) => sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)] ?? 0;
    const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
    const name = viewer.other ? `${"AB"[side]}: ` : "";
    return make("p", { class: viewer.other ? `cw-note cw-of-${side}` : "cw-note" },
      `${name}${counted(sizes.length, viewer.noun)}; tokens: least ${at(0)}, median ${at(0.5)}, mean ${mean.toFixed(1)}, most ${at(1)}`);
  }), viewer.comparison ? make("p", { class: "cw-note" }, viewer.comparison.summary) : null);
  return element;
}

const KNOWN = new Set(["chunk_id", "document", "document_id", "doc_index", "index", "text", "start", "end",
  "byte_start", "byte_end", "line_start", "line_end", "source_start", "source_end", "source_line_start",
  "source_line_end", "n_tokens", "oversize", "pieces", "ending", "score", "reason", "boxes", "pages", "kind",
  "html", "headings", "headings_above", "part", "first_element", "last_element", "prefix_shadow",
  "suffix_shadow", "n_places", "context_n_tokens", "context_outcome", "context_why", "context_prompt",
  "threshold", "table_id", "n_header_rows"]);

/** What is known of the selected chunk. @param {Viewer} viewer @param {HTMLElement} body */
function showDetails(viewer, body) {
  const { cut, selected } = viewer;
  const row = cut.rows[selected];
  if (!row) { refill(body, make("p", { class: "cw-note" }, `Select a ${viewer.noun}: click it, or press n.`)); return; }
  const facts = [];
  const fact = (name, value) => {
    if (value === null || value === undefined || value === "") return;
    facts.push(make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, String(value))));
  };
  const { words } = cut.endingOf(selected);
  fact("ends", words);
  const limit = cut.limit?.unit === "tokens" ? ` of ${cut.limit.most.toLocaleString("en")}` : "";
  fact("tokens", `${row.n_tokens.toLocaleString("en")}${limit}${row.oversize ? ", over the limit" : ""}`);
  fact("code points", `${row.start}-${row.end}`);
  fact("lines", `${row.line_start}-${row.line_end}`);
  if (row.source_line_start) fact("lines of the source", `${row.source_line_start}-${row.source_line_end}`);
  fact("pages", row.pages?.join(", "));
  fact("headings", row.headings?.join(" › "));
  fact("kind", row.kind);
  fact("made of", pieceSummary(cut.data.chunks[selected].pieces));
  fact("re-import", viewer.changeOf(selected));
  const score = viewer.scoreOf(selected);
  if (score) {
    const vectors = score.vectors === null || score.vectors === undefined ? "" : `, vectors ${score.vectors.toFixed(3)}`;
    fact("question", `${score.total.toFixed(3)}: words ${score.words.toFixed(3)}${vectors}`);
  }
  for (const [name, value] of Object.entries(row)) {
    if (!KNOWN.has(name) && typeof value !== "object") fact(name, value);
  }
  fact("id", row.chunk_id);
  refill(body, make("h3", { class: "cw-title" }, `${titled(viewer.noun)} ${selected} (of 0 to ${(cut.length - 1).toLocaleString("en")})`),
    make("dl", { class: "cw-facts-list" }, ...facts), bestPlaces(viewer, selected));
}

function pieceSummary(pieces) {
  if (!pieces || pieces.every((piece) => piece.role === "body")) return null;
  const sizes = new Map();
  for (const { role, start, end } of pieces) sizes.set(role, (sizes.get(role) ?? 0) + end - start);
  return [...sizes].map(([role, size]) => `${counted(size, "character")} of ${role}`).join(", ");
}

/** The boundaries inside a chunk that came nearest to a cut. */
function bestPlaces(viewer, chunk) {
  const { cut } = viewer;
  const { start, end } = cut.bodies[chunk];
  const inside = cut.inner.slice(firstAtLeast(cut.innerAt, start + 1), firstAtLeast(cut.innerAt, end));
  if (!inside.length) return null;
  const best = [...inside].sort((a, b) => b.score - a.score).slice(0, 5);
  return make("div", {}, make("h3", { class: "cw-title" }, `Not cut at ${counted(inside.length, "place")}`),
    make("ul", { class: "cw-places" }, ...best.map(({ at, score }) => make("li", {},
      make("button", { type: "button", class: "cw-link", dir: "auto", click: () => viewer.goToPlace(at, false) },
        `${score.toFixed(2)} before “${shortened(cut.text.slice(at, at + 60), 36)}”`)))));
}

/** What a re-import kept, changed and broke. @param {Viewer} viewer */
function changesPanel(viewer) {
  const { element, body } = panel("Re-import", "changes");
  const { changes } = viewer.data;
  element.hidden = !changes;
  if (!changes) return element;
  const counts = new Map();
  for (const change of changes.chunks) counts.set(change, (counts.get(change) ?? 0) + 1);
  const gone = changes.gone ?? [];
  const said = ["kept", "new", "moved"].map((name) => `${counts.get(name) ?? 0} ${name}`);
  const cited = changes.citations ?? {};
  const broken = cited.broken ?? [];
  const changed = cited.changed ?? [];
  const quoted = (each) => `“${shortened(each.quote, 160)}”${each.cited_by ? `, cited by ${each.cited_by}` : ""}`;
  const firsts = ["new", "moved"].flatMap((name) => changes.chunks
    .map((change, i) => [change, i]).filter(([change]) => change === name).slice(0, 50));
  refill(body,
    make("p", {}, `Version ${changes.from} to ${changes.to}: ${[...said, `${gone.length} gone`].join(", ")}.`),
    firsts.length ? make("ul", { class: "cw-places" }, ...firsts.map(([change, i]) => make("li", {},
      make("button", { type: "button", class: "cw-link", dir: "auto", click: () => viewer.select(i) },
        `${change}: ${i}, ${shortened(viewer.cut.textOf(i), 40)}`)))) : null,
    gone.length ? make("h3", { class: "cw-title" }, "Gone") : null,
    gone.length ? make("ul", { class: "cw-gone" }, ...gone.slice(0, 200).map((block) => (
      make("li", { dir: "auto" }, shortened(block.text, 160))))) : null,
    make("p", { class: "cw-note" },
      `Citations: ${cited.resolved ?? 0} resolve, ${cited.moved ?? 0} moved, ${broken.length} broken.`),
    broken.length ? make("ul", { class: "cw-broken" }, ...broken.map((each) => (
      make("li", { dir: "auto" }, `${quoted(each)}${each.stands ? `, now “${shortened(each.stands, 160)}”` : ""}`)))) : null,
    changed.length ? make("p", { class: "cw-note" }, "Changed around their words:") : null,
    changed.length ? make("ul", { class: "cw-broken" }, ...changed.map((each) => (
      make("li", { dir: "auto" }, `${quoted(each)}: ${each.changes.join(", ")}`)))) : null);
  return element;
}
