/**
 * @file The viewer: chunks of a document, why they are cut so, and what answers a question.
 *
 * `ChunkwrightViewer.mount(element, data, options)` shows the data of a view, see
 * `chunkwright.render.viewing.view_of`, and returns an object with
 * - `update(data)`: show other data, at the same place of the text;
 * - `select(index)`: select a chunk, and scroll to it;
 * - `ask(question)`: score the chunks for a question; a promise;
 * - `find(text)`: mark where a text stands, and go to the first place;
 * - `turnTo(page)`: show a page by its number;
 * - `destroy()`: leave the element as it was.
 *
 * Options: `whole_page`: keys work everywhere, and `#chunk=12` in the address selects a chunk;
 * `score(question)`: an asynchronous function that gives each chunk's
 * `{words, vectors, total}`, or null for the words alone; `pageImage(number)`: one that gives the
 * address of the picture of a page that has none, or null; `selected(index)` is told of a selection;
 * `noun`: what the rows are called, if not "chunk".
 */

// A field shows no more of what is looked for.
const MOST_SOUGHT = 1000;

class Viewer {
  constructor(element, data, options = {}) {
    this.element = element;
    this.options = options;
    this.noun = options.noun ?? "chunk";
    this.selected = -1;
    this.hovered = -1;
    this.layers = { tables: true, structure: false, similarity: false, shadows: false };
    this.is_compared = true;
    this.build();
    this.take(data);
    if (options.whole_page) this.follow();
  }

  build() {
    this.questions = new Questions(this);
    this.search = new Search(this);
    this.pages = new Pages(this);
    this.curve = new Curve(this);
    this.status = make("p", { class: "cw-status", role: "status" });
    this.about = make("p", { class: "cw-about" });
    this.toggles = make("div", { class: "cw-toggles", role: "group", "aria-label": "Layers" });
    this.scroller = make("div", { class: "cw-list", role: "feed", tabindex: 0, "aria-label": `${titled(this.noun)}s`,
      click: (event) => this.clicked(event),
      pointerover: (event) => this.hover(event.target.closest("[data-chunk]")?.dataset.chunk),
      pointerleave: () => this.hover() });
    this.about_document = make("div", { class: "cw-overview" });
    const details = panel(titled(this.noun), "details");
    this.details = details.body;
    this.side = make("div", { class: "cw-side-panels", role: "group", "aria-label": `About the ${this.noun}s` },
      this.about_document, make("div", { class: "cw-particulars" }, details.element, this.questions.element));
    this.parts = make("div", { class: "cw-parts", role: "group", "aria-label": "What is shown" });
    this.keys = keysDialog(this.noun);
    this.legend = make("ul", { class: "cw-legend cw-roles", "aria-label": "Colours" });
    this.root = make("div", { class: "cw-viewer" },
      make("div", { class: "cw-bar" }, this.about,
        make("div", { class: "cw-tools" }, this.search.form, this.questions.form, this.toggles,
          make("button", { type: "button", class: "cw-button", "aria-label": "Keys", title: "Keys (?)",
            click: () => this.keys.showModal() }, "?"), this.parts)),
      make("div", { class: "cw-columns" },
        make("div", { class: "cw-middle" }, this.curve.element, this.legend, this.scroller),
        this.pages.element, this.side),
      this.status, this.keys);
    this.element.append(this.root);
    this.showPart("chunks");
    this.list = new VirtualList(this.scroller, (row) => this.view.render(row), () => this.moved());
    this.onKey = (event) => this.pressed(event);
    this.keyTarget = this.options.whole_page ? document : this.root;
    this.keyTarget.addEventListener("keydown", this.onKey);
  }

  /** Show data, from the first row on. */
  take(given) {
    const data = unpackedView(given);
    this.data = data;
    const points = new CodePoints(data.text);
    this.cut = new Cut(data, data.text, points, this.noun);
    this.other = data.other ? new Cut(data.other, data.text, points) : null;
    this.comparison = this.other ? new Comparison([this.cut, this.other]) : null;
    if (this.selected >= this.cut.length) this.selected = -1;
    refill(this.about_document, outlinePanel(this), sizesPanel(this), changesPanel(this));
    this.curve.draw();
    refill(this.legend, ...legendOf(this.cut));
    this.showAbout();
    this.showToggles();
    this.pages.reset();
    this.root.classList.toggle("cw-has-pages", this.pages.is_there);
    this.root.classList.toggle("cw-empty", !this.cut.length);
    this.root.classList.toggle("cw-fixed-width", Boolean(data.fixed_width));
    this.showPart(this.part);
    this.choose();
    this.questions.reset();
    this.search.reset();
    showDetails(this, this.details);
  }

  /** Show the rows of one cut, or of two side by side. */
  choose() {
    const is_pair = this.comparison && this.is_compared;
    this.view = is_pair ? new ComparedRows(this, this.comparison) : new ChunkRows(this);
    this.scroller.classList.toggle("cw-pairs", Boolean(is_pair));
    this.list.reset(this.view.estimates(this.scroller.clientWidth || 700));
  }

  update(data) {
    const { row, beyond } = this.list.anchor();
    const top = this.scroller.scrollTop;
    const chosen = this.cut.bodies[this.selected]?.start;
    const is_followed = chosen !== undefined && this.isShown(this.view.rowOf(this.selected));
    // What is in the viewport stays there: the selected chunk, else the text at its top.
    const share = beyond / Math.max(1, this.list.heights.heights[row]);
    const length = this.view.placeOf(row + 1) - this.view.placeOf(row);
    const place = is_followed ? chosen : this.view.placeOf(row) + Math.max(0, length) * share;
    const below = is_followed ? this.list.heights.before(this.view.rowOf(this.selected)) - top : 0;
    this.selected = -1;
    this.take(data);
    if (chosen !== undefined) this.select(this.cut.chunkAt(chosen), { scrolls: false });
    if (top > 0 && this.cut.length) this.list.goTo(this.view.rowAt(place), below);
  }

  select(index, { scrolls = true } = {}) {
    if (!Number.isInteger(index) || index < 0 || index >= this.cut.length) return;
    const is_new = index !== this.selected;
    this.selected = index;
    if (is_new) {
      this.redraw();
      showDetails(this, this.details);
      const { words } = this.cut.endingOf(index);
      this.say([`${titled(this.noun)} ${index}`, counted(this.cut.rows[index].n_tokens, "token"), words].filter(Boolean).join(", "));
      if (this.options.whole_page) history.replaceState(null, "", `#chunk=${index}`);
      this.options.selected?.(index);
    }
    this.pages.select(index);
    if (scrolls && !this.isShown(this.view.rowOf(index))) {
      this.list.goTo(this.view.rowOf(index), this.scroller.clientHeight / 5);
    }
  }

  /** Scroll to a chunk without selecting it. */
  bringUp(index) { this.list.goTo(this.view.rowOf(index), 8); }

  /** Mark the chunk under the pointer, and its boxes. */
  hover(chunk) {
    const hovered = chunk === undefined ? -1 : Number(chunk);
    if (hovered === this.hovered) return;
    this.hovered = hovered;
    if (!this.pages.is_there) return;
    this.pages.mark();
    for (const row of this.scroller.querySelectorAll("[data-chunk]")) {
      row.classList.toggle("cw-hovered", Number(row.dataset.chunk) === hovered);
    }
  }

  find(text) {
    this.search.input.value = shortened(text, MOST_SOUGHT);
    this.search.find(text);
  }

  ask(question) { return this.questions.ask(question); }

  destroy() {
    this.list.destroy();
    this.keyTarget.removeEventListener("keydown", this.onKey);
    if (this.onHash) window.removeEventListener("hashchange", this.onHash);
    this.root.remove();
  }

  // ------------------------------------------------------------------ what rows ask for

  marksIn(start, end, chunk, role) {
    const marks = [...this.search.marksIn(start, end), ...this.questions.marksIn(start, end, role)];
    for (let i = firstAtLeast(this.cut.codeEnds, start + 1); i < this.cut.codes.length; i += 1) {
      if (this.cut.codes[i].start >= end) break;
      marks.push(this.cut.codes[i]);
    }
    if (this.layers.structure && role === "body") {
      const first = Math.max(0, firstAtLeast(this.cut.elementStarts, start + 1) - 1);
      for (let i = first; i < this.cut.elements.length && this.cut.elements[i].from < end; i += 1) {
        const { from, to, kind } = this.cut.elements[i];
        if (to > start) marks.push({ start: from, end: to, name: `cw-kind cw-kind-${kind.replace(/\W/g, "-")}`, title: kind });
      }
    }
    return marks;
  }

  /** Parts of the text as elements: tables as tables, if that layer is on, and all else as `plain` makes it. */
  drawn(parts, put, plain) {
    const { tables, text } = this.cut;
    if (!tables.are_there || !this.layers.tables) return parts.map(plain);
    return tables.split(parts).map(({ table, parts: own }) => (table ? drawnTable(table, own, text, put) : plain(own[0])));
  }

  changeOf(chunk) { return this.data.changes?.chunks[chunk] ?? null; }

  scoreOf(chunk) { return this.questions.answer?.scores[chunk] ?? null; }

  // ------------------------------------------------------------------ moving about

  isShown(row) {
    const top = this.list.heights.before(row);
    const { scrollTop, clientHeight } = this.scroller;
    return top >= scrollTop && top < scrollTop + clientHeight * 0.7;
  }

  goToPlace(unit, selects) {
    const row = this.view.rowAt(unit);
    if (selects) this.select(this.cut.chunkAt(unit), { scrolls: false });
    if (!this.isShown(row)) this.list.goTo(row, this.scroller.clientHeight / 5);
    // A row may be higher than the viewport.
    const marked = this.scroller.querySelector(".cw-hit-now");
    if (marked) {
      const [box, frame] = [marked.getBoundingClientRect(), this.scroller.getBoundingClientRect()];
      if (box.top < frame.top || box.bottom > frame.bottom) {
        this.scroller.scrollTop += box.top - frame.top - frame.height / 3;
      }
    }
  }

  step(by) {
    if (!this.cut.length) return;
    const from = this.selected >= 0 ? this.selected : this.view.chunkOf(this.list.anchor().row) - Math.max(0, by);
    this.select(Math.min(this.cut.length - 1, Math.max(0, from + by)));
  }

  /** Go to the next boundary that only one side has. */
  stepDifference(by) {
    const places = this.comparison?.differing ?? [];
    if (!places.length) return;
    const here = this.difference ?? this.view.placeOf(this.list.anchor().row) - 1;
    const at = by > 0 ? firstAtLeast(places, here + 1) : firstAtLeast(places, here) - 1;
    this.difference = places[(at + places.length) % places.length];
    this.list.goTo(this.view.rowAt(this.difference), this.scroller.clientHeight / 3);
    this.say(`Boundary ${places.indexOf(this.difference) + 1} of ${places.length} that differ`);
  }

  moved() {
    if (!this.view || !this.cut.length) return;
    const { scrollTop, clientHeight } = this.scroller;
    const [first, last] = [this.list.heights.at(scrollTop), this.list.heights.at(scrollTop + clientHeight)];
    this.curve.show(this.view.placeOf(first), this.view.placeOf(last + 1) || this.cut.text.length);
  }

  redraw() { if (this.view) this.list.redraw(); }

  say(text) { this.status.textContent = visible(text); }

  clicked(event) {
    const link = event.target.closest("[data-select]");
    if (link) event.preventDefault();
    const row = event.target.closest("[data-chunk]");
    // What was marked with the mouse stays marked.
    if (row && (link || getSelection().isCollapsed)) this.select(Number(row.dataset.chunk), { scrolls: false });
  }

  pressed(event) {
    const is_typing = event.target.closest?.("input, textarea, select, dialog[open], [contenteditable]");
    if (event.key === "Escape" && is_typing?.matches("input")) {
      is_typing.value = "";
      is_typing.dispatchEvent(new Event("input"));
      this.scroller.focus();
      return;
    }
    if (is_typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyOf(this, event);
    if (!action) return;
    event.preventDefault();
    action.run(this);
  }

  /** Select the chunk that the address names, now and when it changes. */
  follow() {
    this.onHash = () => {
      const named = /^#chunk=(\d+)$/.exec(location.hash);
      if (named) this.select(Number(named[1]));
    };
    window.addEventListener("hashchange", this.onHash);
    this.onHash();
  }

  // ------------------------------------------------------------------ the bar

  showAbout() {
    const { document: of } = this.data;
    const name = of?.name ? `${of.name}: ` : "";
    const sums = this.comparison ? this.comparison.sums : sumsOf(this.cut);
    const parts = [make("span", { class: "cw-name" }, `${name}${sums}`)];
    const cuts = this.other ? [this.cut, this.other] : [this.cut];
    cuts.forEach((cut, side) => parts.push(make("span", { class: `cw-how cw-of-${side}` },
      `${this.other ? `${"AB"[side]}: ` : ""}${cut.about}`)));
    refill(this.about, ...parts);
  }

  showToggles() {
    const has = {
      tables: this.cut.tables.are_there,
      structure: this.cut.elements.length > 0,
      similarity: this.cut.inner.length > 0,
      shadows: this.cut.rows.some((row) => row.prefix_shadow || row.suffix_shadow),
    };
    const toggles = Object.keys(this.layers).filter((name) => has[name]).map((name) => this.toggle(
      name, this.layers[name], () => { this.layers[name] = !this.layers[name]; this.redraw(); }));
    if (this.comparison) {
      toggles.push(this.toggle("side by side", this.is_compared, () => {
        const place = this.view.placeOf(this.list.anchor().row);
        this.is_compared = !this.is_compared;
        this.choose();
        this.list.goTo(this.view.rowAt(place));
      }));
    }
    refill(this.toggles, ...toggles);
    this.toggles.hidden = !toggles.length;
  }

  toggle(name, is_on, change) {
    return make("button", { type: "button", class: "cw-button cw-toggle", "aria-pressed": String(is_on),
      "data-layer": name, click: () => { change(); this.showToggles(); this.toggles.querySelector(`[data-layer="${name}"]`)?.focus(); } }, name);
  }

  switchLayer(number) { this.toggles.children[number]?.click(); }

  /** Show a part where there is no room for all: the chunks, the pages, or what is said of them. */
  showPart(part) {
    this.part = part === "pages" && !this.pages.is_there ? "chunks" : part;
    this.root.dataset.part = this.part;
    const named = { chunks: `${titled(this.noun)}s`, pages: "Pages", side: "About" };
    refill(this.parts, ...Object.entries(named).filter(([name]) => name !== "pages" || this.pages.is_there)
      .map(([name, title]) => make("button", { type: "button", class: "cw-part", "data-part": name,
        "aria-pressed": String(name === this.part),
        click: () => { this.showPart(name); this.parts.querySelector(`[data-part=${name}]`).focus(); } }, title)));
  }
}

/** What the colours say that are there. @param {Cut} cut */
function legendOf(cut) {
  const roles = new Set(cut.pieces.flatMap((pieces) => pieces.map((piece) => piece.role)));
  const said = [["cw-tone-0", `a ${cut.noun}`]];
  if (cut.length > 1) said.push(["cw-tone-1", "the next"]);
  for (const [role, name] of [["overlap", "overlap"], ["heading", "heading"], ["header", "table header"],
    ["speaker", "speaker"]]) {
    if (roles.has(role)) said.push([`cw-role-${role}`, name]);
  }
  return said.map(([name, text]) => make("li", {}, make("span", { class: name }, text)));
}

globalThis.ChunkwrightViewer = {
  /** Show the data of a view in an element; see above. */
  mount(element, data, options = {}) {
    const viewer = new Viewer(element, data, options);
    return {
      update: (changed) => viewer.update(changed),
      select: (index) => viewer.select(index),
      ask: (question) => viewer.ask(question),
      find: (text) => viewer.find(text),
      turnTo: (page) => viewer.pages.show(page),
      destroy: () => viewer.destroy(),
    };
  },
};
