/**
 * @file Model of a view: chunks and boundaries of one cut, their offsets as those of JavaScript.
 */

/** Characters of one row of the list: a chunk that has more is shown in several. */
const ROW_CHARS = 2400;
// Separators of a language are long.
const MOST_OPTION_CHARS = 48;

/**
 * One cut of a text.
 * @typedef {Object} Data  What `chunkwright.render.viewing.view_of` makes: text, chunks with their
 *   pieces and endings, boundaries, threshold, limit, outline, elements, pages, questions, changes.
 */
class Cut {
  /** @param {Data} data @param {string} text @param {CodePoints} points */
  constructor(data, text, points, noun = "chunk") {
    this.data = data;
    this.noun = noun;
    this.text = text;
    this.points = points;
    this.rows = data.chunks ?? [];
    const unit = (point) => points.toUnit(point);
    this.pieces = this.rows.map((row) =>
      (row.pieces ?? [{ role: "body", start: row.start, end: row.end }]).map(
        ({ role, start, end }) => ({ role, start: unit(start), end: unit(end) }),
      ));
    this.bodies = this.pieces.map((pieces) => bodyOf(pieces));
    this.boundaries = (data.boundaries ?? []).map((each) => ({ ...each, at: unit(each.position) }));
    this.inner = this.boundaries.filter((each) => each.verdict === "whole" && each.score !== null);
    this.innerAt = this.inner.map((each) => each.at);
    this.threshold = data.threshold ?? null;
    const options = data.chunking?.options ?? {};
    this.limit = data.limit ?? (options.max_tokens ? { unit: "tokens", most: options.max_tokens } : null);
    this.elements = (data.elements ?? []).map((each) => (
      { ...each, from: unit(each.start), to: unit(each.end) }));
    this.elementStarts = this.elements.map((each) => each.from);
    this.outline = nested((data.outline ?? []).map((each) => ({ ...each, at: unit(each.start) })));
    this.tables = new Tables(this);
    this.codes = this.elements.filter((each) => each.kind === "code")
      .map(({ from, to }) => ({ start: from, end: to, name: "cw-code" }));
    this.codeEnds = this.codes.map((each) => each.end);
  }

  get length() { return this.rows.length; }

  /** The text of a chunk, what is repeated included. */
  textOf(index) {
    return this.pieces[index].map(({ start, end }) => this.text.slice(start, end)).join("");
  }

  /** What is searched for a question: the text, with its context before it. */
  searchedOf(index) {
    const context = this.rows[index].context;
    return context ? `[${context}] ${this.textOf(index)}` : this.textOf(index);
  }

  /** The chunk whose own text is at a place, or the nearest one; -1 if there are none. */
  chunkAt(unit) {
    let nearest = -1;
    let least = Infinity;
    // Chunks of tables of a document may stand out of order: all are looked at.
    for (let i = 0; i < this.bodies.length; i += 1) {
      const { start, end } = this.bodies[i];
      if (start <= unit && unit < end) return i;
      const distance = unit < start ? start - unit : unit - end + 1;
      if (distance < least) { least = distance; nearest = i; }
    }
    return nearest;
  }

  /** Why a chunk ends, in words. */
  endingOf(index) {
    const { ending, reason, score } = this.rows[index];
    if (ending) return ending;
    if (!reason) return { reason: null, words: "" };
    const distance = score === null || score === undefined ? "" : `: distance ${score.toFixed(2)}`;
    return { reason, words: `${reason}${distance}` };
  }

  /** The strategy and its options on one line. */
  get about() {
    const { strategy, options } = this.data.chunking ?? {};
    const said = Object.entries(options ?? {}).map(([name, value]) => (
      `${name}=${shortened(JSON.stringify(value), MOST_OPTION_CHARS)}`));
    return [strategy, ...said].filter(Boolean).join(", ");
  }
}

/** Headings with how many stand above each, whatever numbers their levels have: a title has none. */
function nested(headings) {
  const open = [];
  return headings.map((each) => {
    const level = each.level ?? 1;
    while (open.length && open.at(-1) >= level) open.pop();
    open.push(level);
    return { ...each, depth: open.length - 1 };
  });
}

/** A sentence about the sizes of chunks, as "24 chunks of 118 tokens on average, the largest 512". */
function sumsOf(cut) {
  const sizes = cut.rows.map((row) => row.n_tokens);
  if (!sizes.length) return counted(0, cut.noun);
  const mean = Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
  if (sizes.length === 1) return `${counted(1, cut.noun)} of ${counted(mean, "token")}`;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0).toLocaleString("en");
  return `${counted(sizes.length, cut.noun)} of ${counted(mean, "token")} on average, the largest ${largest}`;
}

/** Where the chunk's own text is. */
function bodyOf(pieces) {
  const own = pieces.filter((piece) => piece.role === "body");
  const all = own.length ? own : pieces;
  if (!all.length) return { start: 0, end: 0 };
  return {
    start: all.reduce((least, piece) => Math.min(least, piece.start), Infinity),
    end: all.reduce((most, piece) => Math.max(most, piece.end), 0),
  };
}

/**
 * Rows of the list: each a part of a chunk, small enough to be laid out at once.
 * @returns {{chunk: number, parts: {role: string, start: number, end: number}[], first: boolean,
 *   last: boolean}[]}
 */
function chunkRows(cut) {
  const rows = [];
  cut.pieces.forEach((pieces, chunk) => {
    let row = { chunk, parts: [], first: true, last: false, chars: 0 };
    for (const { role, start, end } of pieces) {
      for (let at = start; at < end || at === start;) {
        const room = ROW_CHARS - row.chars;
        const stop = end - at <= room ? end : lineEnd(cut.text, at, at + Math.max(room, 1), end);
        row.parts.push({ role, start: at, end: stop });
        row.chars += stop - at;
        if (stop < end) {
          rows.push(row);
          row = { chunk, parts: [], first: false, last: false, chars: 0 };
        }
        if (stop === at) break;
        at = stop;
      }
    }
    row.last = true;
    rows.push(row);
  });
  return rows;
}

/** The last end of a line before `stop`, or of a word, so that no row ends inside one. */
function lineEnd(text, start, stop, end) {
  for (const sign of ["\n", " "]) {
    const found = text.lastIndexOf(sign, stop - 1);
    if (found > start + ROW_CHARS / 2) return found + 1;
  }
  // Not between the two halves of a character.
  return Math.min(end, /[\udc00-\udfff]/.test(text[stop] ?? "") ? stop + 1 : stop);
}

/** About how many lines of so many characters a part of a text takes. */
function linesOf(text, parts, chars) {
  let lines = 0;
  for (const { start, end } of parts) {
    for (let at = start; at < end;) {
      const found = text.indexOf("\n", at);
      const stop = found < 0 || found >= end ? end : found;
      lines += Math.max(1, Math.ceil((stop - at) / chars));
      at = stop + 1;
    }
  }
  return Math.max(1, lines);
}
