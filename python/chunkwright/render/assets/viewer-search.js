/**
 * @file Search in the page: a browser's own finds only what is near the viewport.
 */

const MOST_MATCHES = 10000;

class Search {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.matches = [];
    this.starts = [];
    this.current = -1;
    this.input = make("input", { type: "search", class: "cw-input", placeholder: "Find",
      "aria-label": "Find in the text", autocomplete: "off", spellcheck: "false",
      input: () => this.find(this.input.value),
      keydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.step(event.shiftKey ? -1 : 1);
      } });
    this.count = make("output", { class: "cw-count" });
    this.form = make("form", { class: "cw-form", role: "search", "aria-label": "Find in the text",
      submit: (event) => event.preventDefault() },
    this.input,
    make("button", { type: "button", class: "cw-button", "aria-label": "Previous match", click: () => this.step(-1) }, "↑"),
    make("button", { type: "button", class: "cw-button", "aria-label": "Next match", click: () => this.step(1) }, "↓"),
    this.count);
  }

  /** Search another text for the same; of nothing, nothing is drawn anew. */
  reset() {
    if (this.input.value || this.matches.length) this.find(this.input.value, false);
  }

  find(sought, moves = true) {
    this.matches = [];
    this.current = -1;
    if (sought) {
      const pattern = new RegExp(sought.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu");
      for (const found of this.viewer.cut.text.matchAll(pattern)) {
        this.matches.push({ start: found.index, end: found.index + found[0].length, name: "cw-hit" });
        if (this.matches.length === MOST_MATCHES) break;
      }
    }
    this.starts = this.matches.map((match) => match.start);
    if (this.matches.length && moves) {
      const top = this.viewer.view.placeOf(this.viewer.list.anchor().row);
      this.current = Math.min(firstAtLeast(this.starts, top), this.matches.length - 1) - 1;
      this.step(1);
    } else {
      this.show();
      this.viewer.redraw();
    }
  }

  step(by) {
    const n = this.matches.length;
    if (!n) return;
    if (this.current >= 0) this.matches[this.current].name = "cw-hit";
    this.current = (this.current + by + n) % n;
    this.matches[this.current].name = "cw-hit cw-hit-now";
    this.show();
    this.viewer.redraw();
    this.viewer.goToPlace(this.matches[this.current].start, false);
  }

  show() {
    const n = this.matches.length;
    const more = n === MOST_MATCHES ? " or more" : "";
    this.count.textContent = !this.input.value ? "" : n ? `${this.current + 1} of ${n.toLocaleString("en")}${more}` : "none";
  }

  marksIn(start, end) {
    if (!this.matches.length) return [];
    const found = [];
    // Matches do not overlap: at most one that begins before reaches into the part.
    for (let i = Math.max(0, firstAtLeast(this.starts, start) - 1); i < this.matches.length; i += 1) {
      const match = this.matches[i];
      if (match.start >= end) break;
      if (match.end > start) found.push(match);
    }
    return found;
  }
}
