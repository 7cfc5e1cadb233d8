/**
 * @file Two cuts of one text side by side: rows of the text between the boundaries of both.
 */

/** Where a chunk ends and the next begins, by the number of the former; behind the whitespace. */
function boundariesOf(cut) {
  const text = cut.text;
  const behindSpace = (at) => {
    let end = at;
    while (end < text.length && /[^\S\ufeff]|[\x1c-\x1f\x85]/.test(text[end])) end += 1;
    return end;
  };
  const found = new Map();
  const begin = behindSpace(0);
  let previous = begin;
  cut.pieces.forEach((pieces, number) => {
    const own = pieces.find((piece) => piece.role === "body") ?? pieces[0];
    const start = own ? own.start : 0;
    if (start > previous) previous = behindSpace(start);
    if (begin < previous && previous < text.length && !found.has(previous)) {
      found.set(previous, number - 1);
    }
  });
  return found;
}

/** What two cuts have in common. */
class Comparison {
  constructor(cuts) {
    this.cuts = cuts;
    this.ends = cuts.map(boundariesOf);
    const [a, b] = this.ends;
    this.places = [...new Set([...a.keys(), ...b.keys()])].sort((x, y) => x - y);
    this.differing = this.places.filter((at) => a.has(at) !== b.has(at));
    this.shared = this.places.length - this.differing.length;
  }

  /** A sentence about both, as "24 and 31 chunks, 3 boundaries differ". */
  get sums() {
    const [a, b] = this.cuts.map((cut) => cut.length.toLocaleString("en"));
    const n = this.differing.length;
    const differ = n === 0 ? "no boundary differs" : `${n.toLocaleString("en")} ${n === 1 ? "boundary differs" : "boundaries differ"}`;
    return `${a} and ${b} chunks, ${differ}`;
  }

  get summary() {
    const only = [0, 1].map((side) => this.differing.filter((at) => this.ends[side].has(at)).length);
    const all = this.places.length;
    const share = all ? ` (${Math.round((100 * this.shared) / all)}% of all)` : "";
    return `boundaries: ${this.shared} shared${share}, ${only[0]} only in A, ${only[1]} only in B`;
  }
}

/** Makes the rows of two cuts. */
class ComparedRows {
  /** @param {Viewer} viewer @param {Comparison} comparison */
  constructor(viewer, comparison) {
    this.viewer = viewer;
    this.comparison = comparison;
    const text = viewer.cut.text;
    const places = [0, ...comparison.places, text.length];
    this.rows = [];
    for (let i = 0; i + 1 < places.length; i += 1) {
      for (let at = places[i]; at < places[i + 1];) {
        const end = places[i + 1];
        const stop = end - at <= ROW_CHARS ? end : lineEnd(text, at, at + ROW_CHARS, end);
        this.rows.push({ start: at, end: stop, cut: at === places[i] && i > 0 ? at : null });
        at = stop;
      }
    }
    this.starts = this.rows.map((row) => row.start);
    // Which chunk of each side a row is in: that which ends at the next boundary of the side.
    this.chunks = comparison.ends.map((ends, side) => {
      const own = [...ends.keys()].sort((x, y) => x - y);
      const last = comparison.cuts[side].length - 1;
      return this.rows.map((row) => {
        const next = own[firstAtLeast(own, row.start + 1)];
        return next === undefined ? last : ends.get(next);
      });
    });
  }

  estimates(width) {
    const chars = Math.max(14, (width < 560 ? width : width / 2) / 7.8);
    const text = this.viewer.cut.text;
    return this.rows.map((row) => linesOf(text, [row], chars) * 21 + (row.cut === null ? 6 : 34));
  }

  rowOf(chunk) { return Math.max(0, this.chunks[0].indexOf(chunk)); }

  rowAt(unit) { return Math.max(0, firstAtLeast(this.starts, unit + 1) - 1); }

  placeOf(row) { return this.rows[row]?.start ?? 0; }

  chunkOf(row) { return this.chunks[0][row] ?? -1; }

  render(row) {
    const { start, end, cut } = this.rows[row];
    const is_odd = cut !== null && this.comparison.ends[0].has(cut) !== this.comparison.ends[1].has(cut);
    const chunk = this.chunks[0][row];
    return make("article", {
      class: `cw-pair${is_odd ? " cw-differs" : ""}`,
      "aria-posinset": row + 1, "aria-setsize": this.rows.length,
      "aria-label": `Part ${row + 1} of the text`, "data-chunk": chunk,
      "aria-current": chunk === this.viewer.selected ? "true" : null,
    }, ...[0, 1].map((side) => this.side(side, row, start, end, cut)));
  }

  side(side, row, start, end, cut) {
    const chunk = this.chunks[side][row];
    const cell = make("div", { class: `cw-side cw-side-${side} cw-tone-${Math.max(0, chunk) % 2}` });
    const ends = this.comparison.ends[side];
    if (cut !== null) {
      const rule = make("div", { class: "cw-cut" });
      if (ends.has(cut)) rule.append(...this.rule(side, ends.get(cut), cut));
      cell.append(rule);
    }
    const whole = this.viewer.cut.text;
    // A boundary is behind the whitespace before it, which would be rows of nothing.
    let shown = end;
    while (shown > start && /[\r\n]/.test(whole[shown - 1])) shown -= 1;
    const put = (into, part) => (
      putText(into, whole, part.start, part.end, this.viewer.marksIn(part.start, part.end, chunk, "body"), []));
    cell.append(make("div", { class: "cw-text", dir: "auto" },
      ...this.viewer.drawn([{ role: "body", start, end: shown }], put, (part) => {
        const plain = make("span");
        put(plain, part);
        return plain;
      })));
    return cell;
  }

  rule(side, number, at) {
    const cut = this.comparison.cuts[side];
    const row = cut.rows[number];
    const name = "AB"[side];
    const is_only = !this.comparison.ends[1 - side].has(at);
    const { words } = cut.endingOf(number);
    const facts = [counted(row?.n_tokens ?? 0, "token"), words].filter(Boolean).join(" · ");
    return [
      make("b", {}, name), " ",
      make("span", {}, `${number} · ${facts}`),
      is_only ? make("strong", { class: "cw-only" }, `only in ${name}`) : null,
    ].filter((part) => part !== null);
  }
}
