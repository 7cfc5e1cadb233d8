/**
 * @file Pages of a document beside its chunks: pictures with zoom, and a box for each part of a chunk.
 */

const LEAF_MS = 250;
// A box stands off its words by so much, that its line does not run through them.
const MARGIN = 1.5;
const [LEAST_ZOOM, MOST_ZOOM, ZOOM_STEP] = [0.5, 6, 1.25];

class Pages {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.number = null;
    this.zoom = 1;
    this.label = make("span", { class: "cw-turned" });
    this.before = this.button("Page before", "←", () => this.turn(-1));
    this.next = this.button("Next page", "→", () => this.turn(1));
    this.percent = make("output", { class: "cw-percent" });
    this.frame = make("div", { class: "cw-frame", tabindex: 0, role: "region", "aria-label": "Picture of the page",
      keydown: (event) => this.pressed(event) });
    this.frame.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.element = make("section", { class: "cw-pages", "aria-label": "Pages" },
      make("div", { class: "cw-pages-bar" },
        make("div", { class: "cw-turn", role: "group", "aria-label": "Page" }, this.before, this.label, this.next),
        make("div", { class: "cw-turn", role: "group", "aria-label": "Zoom" },
          this.button("Smaller", "−", () => this.zoomTo(this.zoom / ZOOM_STEP)), this.percent,
          this.button("Larger", "+", () => this.zoomTo(this.zoom * ZOOM_STEP)),
          this.button("Fit the width", "Fit", () => this.zoomTo(1)))),
      this.frame);
  }

  button(name, sign, click) {
    return make("button", { type: "button", class: "cw-button", "aria-label": name, title: name, click }, sign);
  }

  get is_there() { return Boolean(this.pages?.size); }

  reset() {
    this.pages = new Map((this.viewer.data.pages ?? []).map((page) => [page.number, page]));
    this.element.hidden = !this.pages.size;
    this.boxes = new Map();
    this.viewer.cut.rows.forEach((row, chunk) => (row.boxes ?? []).forEach((box) => {
      if (!this.boxes.has(box.page)) this.boxes.set(box.page, []);
      this.boxes.get(box.page).push({ chunk, box });
    }));
    this.numbers = [...this.pages.keys()].sort((a, b) => a - b);
    const { number } = this;
    this.number = null;
    if (this.is_there) this.show(this.pages.has(number) ? number : this.numbers[0]);
    else this.frame.replaceChildren();
  }

  /** Show the page of a chunk, and its box. */
  select(chunk) {
    if (!this.is_there) return;
    const row = this.viewer.cut.rows[chunk];
    const own = (row?.boxes ?? []).map((box) => box.page).concat(row?.pages ?? []);
    const page = own.find((number) => this.pages.has(number));
    this.show(own.includes(this.number) ? this.number : page ?? this.number);
    this.mark();
    this.reveal(chunk);
  }

  /** Go to the page before or behind, and to the first chunk that stands on it. */
  turn(by) {
    const number = this.numbers[this.numbers.indexOf(this.number) + by];
    if (number === undefined) return;
    this.show(number);
    const on = (this.boxes.get(number) ?? []).map(({ chunk }) => chunk);
    const first = on.length ? Math.min(...on)
      : this.viewer.cut.rows.findIndex((row) => row.pages?.includes(number));
    if (first >= 0) this.viewer.bringUp(first);
    this.viewer.say(this.label.textContent);
  }

  show(number) {
    const page = this.pages.get(number);
    if (!page || number === this.number) return;
    this.number = number;
    const { width, height } = page;
    this.sheet = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "cw-page", role: "group",
      "aria-label": `Page ${number} with the boxes of its ${this.viewer.noun}s` },
    draw("rect", { class: "cw-sheet", width, height }));
    this.sheet.addEventListener("pointerover", (event) => this.viewer.hover(event.target.dataset?.box));
    this.sheet.addEventListener("pointerleave", () => this.viewer.hover());
    for (const each of this.boxes.get(number) ?? []) this.sheet.append(this.box(each));
    const at = this.numbers.indexOf(number);
    this.before.disabled = at === 0;
    this.next.disabled = at === this.numbers.length - 1;
    this.label.textContent = `page ${number} of ${this.numbers.length}`;
    this.frame.replaceChildren(this.sheet);
    this.frame.scrollTop = 0;
    this.zoomTo(this.zoom);
    this.mark();
    this.putPicture(page);
  }

  /** Put in the picture of a page: its own, or that which the page around the viewer has of it. */
  async putPicture(page) {
    const { sheet } = this;
    const [before, now] = [this.turned_at ?? -Infinity, performance.now()];
    this.turned_at = now;
    // Pages that are passed over need no pictures.
    if (!page.image && now - before < LEAF_MS) await new Promise((done) => { setTimeout(done, LEAF_MS); });
    if (sheet !== this.sheet) return;
    const address = page.image ?? await this.viewer.options.pageImage?.(page.number) ?? null;
    if (!isImage(address) || sheet !== this.sheet) return;
    sheet.firstChild.after(draw("image", { href: address, width: page.width, height: page.height }));
    sheet.classList.add("cw-pictured");
  }

  box({ chunk, box }) {
    const choose = () => this.viewer.select(chunk);
    return draw("rect", { x: box.left - MARGIN, y: box.top - MARGIN, width: Math.max(1, box.right - box.left) + 2 * MARGIN,
      height: Math.max(1, box.bottom - box.top) + 2 * MARGIN, class: `cw-box cw-box-${chunk % 2}`,
      role: "button", tabindex: 0, "aria-label": `${titled(this.viewer.noun)} ${chunk}`, "data-box": chunk, click: choose,
      keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } } },
    draw("title", {}, `${this.viewer.noun} ${chunk}`));
  }

  /** Say which boxes are those of the chunk that is selected, and of that under the pointer. */
  mark() {
    for (const each of this.frame.querySelectorAll("[data-box]")) {
      const chunk = Number(each.dataset.box);
      each.classList.toggle("cw-box-now", chunk === this.viewer.selected);
      each.classList.toggle("cw-hovered", chunk === this.viewer.hovered);
      each.setAttribute("aria-pressed", String(chunk === this.viewer.selected));
    }
  }

  /** Scroll the box of a chunk into the frame, if none of it is seen. */
  reveal(chunk) {
    const box = this.frame.querySelector(`[data-box="${chunk}"]`)?.getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    if (!box || !frame.height) return;
    if (box.top < frame.top || box.bottom > frame.bottom) {
      this.frame.scrollTop += box.top - frame.top - Math.max(8, (frame.height - box.height) / 3);
    }
    if (box.left < frame.left || box.right > frame.right) this.frame.scrollLeft += box.left - frame.left - 8;
  }

  /** Show the page so many times as wide as the frame; a point of the frame stays where it is. */
  zoomTo(zoom, at = { x: this.frame.clientWidth / 2, y: this.frame.clientHeight / 2 }) {
    const now = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, Math.abs(zoom - 1) < 0.02 ? 1 : zoom));
    const by = now / this.zoom;
    const { scrollLeft, scrollTop } = this.frame;
    this.zoom = now;
    this.percent.textContent = `${Math.round(now * 100)}%`;
    if (!this.sheet) return;
    this.sheet.style.width = `${now * 100}%`;
    if (by === 1) return;
    this.frame.scrollLeft = (scrollLeft + at.x) * by - at.x;
    this.frame.scrollTop = (scrollTop + at.y) * by - at.y;
  }

  wheeled(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = this.frame.getBoundingClientRect();
    this.zoomTo(this.zoom * Math.exp(-event.deltaY * 0.003), { x: event.clientX - frame.left, y: event.clientY - frame.top });
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoomed = { "+": this.zoom * ZOOM_STEP, "=": this.zoom * ZOOM_STEP, "-": this.zoom / ZOOM_STEP, 0: 1 }[event.key];
    if (zoomed === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.zoomTo(zoomed);
  }
}

/** Whether it is a picture in the page itself, or one of the service's own. */
function isImage(address) {
  return typeof address === "string" && /^(data:image\/(png|jpeg|webp);base64,|\/(?!\/))/.test(address);
}
