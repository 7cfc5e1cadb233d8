/**
 * @file Tables of a chunk: the cells that the reader found, drawn as a table. What stands between
 * them in the text (bars, tabs) stays in the page, out of sight, so that the text is still whole.
 */

/** Tables of a cut with their cells, in the order of the text. */
class Tables {
  /** @param {Cut} cut */
  constructor(cut) {
    const unit = (point) => cut.points.toUnit(point);
    this.tables = cut.elements.filter((each) => each.cells?.length).map((each) => ({
      from: each.from,
      to: each.to,
      cells: each.cells.map(([row, column, start, end, rows, columns, is_header, said]) => (
        { row, column, start: unit(start), end: unit(end), rows, columns, is_header: Boolean(is_header), said }))
        .sort((a, b) => a.start - b.start),
    })).sort((a, b) => a.from - b.from);
    this.ends = this.tables.map((table) => table.to);
  }

  /** Whether there is any. */
  get are_there() { return this.tables.length > 0; }

  /**
   * Split parts of a chunk into those of tables and all other text.
   * @param {{role: string, start: number, end: number}[]} parts
   * @returns {{table: Object|null, parts: Object[]}[]}
   */
  split(parts) {
    const found = [];
    const put = (table, part) => {
      if (part.start >= part.end) return;
      const last = found.at(-1);
      // A header that is repeated, and the rows behind it, are one table.
      if (table && last?.table === table) last.parts.push(part);
      else found.push({ table, parts: [part] });
    };
    for (const part of parts) {
      let at = part.start;
      for (let i = firstAtLeast(this.ends, at + 1); i < this.tables.length && this.tables[i].from < part.end; i += 1) {
        const table = this.tables[i];
        const [start, end] = [Math.max(at, table.from), Math.min(part.end, table.to)];
        if (!table.cells.some((cell) => cell.start >= start && cell.end <= end)) continue;
        put(null, { ...part, start: at, end: start });
        put(table, { ...part, start, end });
        at = end;
      }
      put(null, { ...part, start: at });
    }
    return found;
  }
}

/**
 * Draw the parts of a table that stand in a chunk.
 * @param {Object} table
 * @param {Object[]} parts
 * @param {string} text  The whole text.
 * @param {(into: HTMLElement, part: Object) => void} put  Puts a part of the text into an element.
 */
function drawnTable(table, parts, text, put) {
  const body = make("tbody");
  const covered = new Covered();
  let cell = null;
  for (const part of parts) {
    let [at, number, row] = [part.start, null, null];
    for (const each of table.cells) {
      // Cells that share their words, as a grid's may, are drawn once.
      if (each.start < at || each.end > part.end) continue;
      if (each.row !== number) {
        row = make("tr", { class: `cw-role-${part.role}` });
        body.append(row);
        number = each.row;
        covered.begin();
      }
      for (let i = covered.emptyBefore(each); i > 0; i -= 1) row.append(make("td"));
      cell = cellOf(each, text.slice(each.start, each.end));
      row.append(cell);
      unseen(cell, text.slice(at, each.start));
      if (each.said) {
        cell.append(visible(each.said));
        unseen(cell, text.slice(each.start, each.end));
      } else put(cell, { ...part, start: each.start, end: each.end });
      at = each.end;
    }
    if (cell) unseen(cell, text.slice(at, part.end));
  }
  const frame = make("div", { class: "cw-table", scroll: () => showExtent(frame) }, make("table", {}, body));
  WIDTHS.observe(frame);
  return frame;
}

const WIDTHS = new ResizeObserver((entries) => { for (const { target } of entries) showExtent(target); });

/** Let keys scroll a table that is wider than its chunk, and show on which side it goes on. */
function showExtent(frame) {
  const room = frame.scrollWidth - frame.clientWidth;
  const is_wider = room > 1;
  for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "Table, wider than its place"]]) {
    if (is_wider) frame.setAttribute(name, value);
    else frame.removeAttribute(name);
  }
  // From right to left it is scrolled by negative numbers.
  const passed = Math.abs(frame.scrollLeft);
  frame.classList.toggle("cw-goes-on", is_wider && passed < room - 1);
}

const NUMBER = /^[+\-−±]?[$€£]?\s?\d[\d\s.,'’]*([eE][+\-−]?\d+)?\s?[%‰]?$/;

function cellOf({ is_header, columns, rows }, words) {
  // A header that says nothing would be read out as one.
  const is_head = is_header && words.trim() !== "";
  return make(is_head ? "th" : "td", { scope: is_head ? "col" : null, dir: "auto",
    class: NUMBER.test(words) ? "cw-figure" : null,
    colspan: columns > 1 ? columns : null, rowspan: rows > 1 ? rows : null });
}

/** Which columns of a row are taken, by cells before and by those that reach down from above. */
class Covered {
  constructor() { this.taken = new Set(); this.begin(); }

  begin() { this.column = 0; }

  /** How many empty cells stand before a cell, which is placed behind them. */
  emptyBefore({ row, column, rows, columns }) {
    let n = 0;
    for (; this.column < column; this.column += 1) if (!this.taken.has(`${row} ${this.column}`)) n += 1;
    this.column = Math.max(this.column, column + columns);
    for (let below = 1; below < rows; below += 1) {
      for (let i = 0; i < columns; i += 1) this.taken.add(`${row + below} ${column + i}`);
    }
    return n;
  }
}

function unseen(into, text) {
  if (text) into.append(make("span", { hidden: true }, text));
}
