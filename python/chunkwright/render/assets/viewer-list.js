/**
 * @file Virtual list: of many rows only those near the viewport are in the page. Heights are
 * estimated first, and measured when a row is shown.
 */

/** Sums of heights before each row, which change one by one (a Fenwick tree). */
class Heights {
  constructor(heights) {
    this.heights = Float64Array.from(heights);
    this.tree = new Float64Array(heights.length + 1);
    for (let i = 1; i < this.tree.length; i += 1) {
      this.tree[i] += this.heights[i - 1];
      const above = i + (i & -i);
      if (above < this.tree.length) this.tree[above] += this.tree[i];
    }
  }

  set(row, height) {
    const more = height - this.heights[row];
    this.heights[row] = height;
    for (let i = row + 1; i < this.tree.length; i += i & -i) this.tree[i] += more;
  }

  /** The height of all rows before a row. */
  before(row) {
    let sum = 0;
    for (let i = row; i > 0; i -= i & -i) sum += this.tree[i];
    return sum;
  }

  /** The row at a height. */
  at(height) {
    let row = 0;
    let left = height;
    let step = 1;
    while (step * 2 < this.tree.length) step *= 2;
    for (; step > 0; step >>= 1) {
      const next = row + step;
      if (next < this.tree.length && this.tree[next] <= left) {
        row = next;
        left -= this.tree[next];
      }
    }
    return Math.min(row, Math.max(0, this.heights.length - 1));
  }

  get total() { return this.before(this.heights.length); }
}

// More rows are not printed.
const MOST_PRINTED = 5000;
// Rows beyond the viewport, as a share of its height, which are there before they are scrolled to.
const BEYOND = 0.6;

/** A list in an element that scrolls. */
class VirtualList {
  /**
   * @param {HTMLElement} element  Scrolls.
   * @param {(row: number) => HTMLElement} render  Makes a row.
   * @param {() => void} moved  Is called when other rows are shown.
   */
  constructor(element, render, moved) {
    this.element = element;
    this.render = render;
    this.moved = moved;
    this.window = make("div", { class: "cw-window", role: "presentation" });
    this.space = make("div", { class: "cw-space", role: "presentation" }, this.window);
    this.element.append(this.space);
    this.shown = new Map();
    this.heights = new Heights([]);
    this.first = 0;
    this.last = 0;
    this.onScroll = () => this.layout();
    this.element.addEventListener("scroll", this.onScroll, { passive: true });
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.element);
    this.width = 0;
    this.is_printed = false;
    this.onPrint = () => this.print(true);
    this.onPrinted = () => this.print(false);
    addEventListener("beforeprint", this.onPrint);
    addEventListener("afterprint", this.onPrinted);
  }

  /** Show all rows at once, as paper needs them, and those near the viewport alone behind that. */
  print(is_printed) {
    const anchor = this.anchor();
    this.is_printed = is_printed;
    this.clear();
    const { length } = this.heights.heights;
    if (!is_printed) { this.restore(anchor); return; }
    this.put(0, Math.min(length, MOST_PRINTED));
    if (length > MOST_PRINTED) this.window.append(make("p", { class: "cw-note" }, `${counted(length - MOST_PRINTED, "more row")} not printed`));
  }

  /** Show rows of these estimated heights. */
  reset(heights) {
    this.heights = new Heights(heights);
    this.clear();
    this.layout();
  }

  /** Draw the rows that are shown anew, where they are. */
  redraw() {
    const anchor = this.anchor();
    this.clear();
    this.restore(anchor);
  }

  clear() {
    this.shown.clear();
    this.window.replaceChildren();
  }

  resized() {
    if (this.is_printed) return;
    const width = this.element.clientWidth;
    if (width === this.width) { this.layout(); return; }
    this.width = width;
    this.redraw();
  }

  /** The first row in the viewport, and how far it is scrolled. */
  anchor() {
    const top = this.element.scrollTop;
    const row = this.heights.at(top);
    return { row, beyond: top - this.heights.before(row) };
  }

  restore({ row, beyond }) {
    this.spread();
    this.element.scrollTop = this.heights.before(row) + beyond;
    this.layout();
  }

  spread() { this.space.style.height = `${this.heights.total}px`; }

  /** Scroll to a row, so far below the top of the viewport. */
  goTo(row, below = 0) {
    // Rows are measured where they are shown: what was estimated is put right at once.
    for (let round = 0; round < 4; round += 1) {
      this.spread();
      const top = Math.max(0, this.heights.before(row) - below);
      this.element.scrollTop = top;
      this.layout();
      const now = Math.max(0, this.heights.before(row) - below);
      if (Math.abs(now - top) < 1) return;
    }
  }

  /** Put the rows into the page that are near the viewport. */
  layout() {
    if (this.is_printed) return;
    const n = this.heights.heights.length;
    if (!n) { this.spread(); this.moved(); return; }
    const height = this.element.clientHeight;
    const anchor = this.anchor();
    const from = this.heights.at(Math.max(0, this.element.scrollTop - height * BEYOND));
    const until = Math.min(n, this.heights.at(this.element.scrollTop + height * (1 + BEYOND)) + 1);
    this.put(from, until);
    if (this.measure()) {
      this.spread();
      // What was measured above the viewport must not move what is in it.
      const top = this.heights.before(anchor.row) + anchor.beyond;
      if (Math.abs(top - this.element.scrollTop) >= 1) this.element.scrollTop = top;
    } else {
      this.spread();
    }
    this.window.style.transform = `translateY(${this.heights.before(from)}px)`;
    this.first = from;
    this.last = until;
    this.moved();
  }

  put(from, until) {
    for (const [row, element] of this.shown) {
      if (row < from || row >= until) {
        element.remove();
        this.shown.delete(row);
      }
    }
    let next = this.window.firstChild;
    for (let row = from; row < until; row += 1) {
      const known = this.shown.get(row);
      if (known) { next = known.nextSibling; continue; }
      const element = this.render(row);
      this.shown.set(row, element);
      this.window.insertBefore(element, next);
    }
  }

  /** Measure the rows in the page; tells whether one is not as high as was thought. */
  measure() {
    let differs = false;
    const measured = [...this.shown].map(([row, element]) => [row, element.offsetHeight]);
    for (const [row, height] of measured) {
      if (Math.abs(height - this.heights.heights[row]) >= 1) {
        this.heights.set(row, height);
        differs = true;
      }
    }
    return differs;
  }

  destroy() {
    this.observer.disconnect();
    this.element.removeEventListener("scroll", this.onScroll);
    removeEventListener("beforeprint", this.onPrint);
    removeEventListener("afterprint", this.onPrinted);
    this.space.remove();
  }
}
