/**
 * @file Pages of a document with the boxes of its chunks: a chunk shows its box, a box its chunk.
 */

class Pages {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    const { element, body } = panel("Page", "pages");
    this.element = element;
    this.body = body;
    this.number = null;
  }

  reset() {
    this.pages = new Map((this.viewer.data.pages ?? []).map((page) => [page.number, page]));
    this.element.hidden = !this.pages.size;
    this.boxes = new Map();
    this.viewer.cut.rows.forEach((row, chunk) => (row.boxes ?? []).forEach((box) => {
      if (!this.boxes.has(box.page)) this.boxes.set(box.page, []);
      this.boxes.get(box.page).push({ chunk, box });
    }));
    this.numbers = [...this.pages.keys()].sort((a, b) => a - b);
    if (this.pages.size) this.show(this.pages.has(this.number) ? this.number : this.numbers[0]);
  }

  /** Show the page of a chunk. */
  select(chunk) {
    if (!this.pages?.size) return;
    const row = this.viewer.cut.rows[chunk];
    const own = (row?.boxes ?? []).map((box) => box.page).concat(row?.pages ?? []);
    const page = own.find((number) => this.pages.has(number));
    this.show(own.includes(this.number) ? this.number : page ?? this.number);
  }

  show(number) {
    const page = this.pages.get(number);
    if (!page) return;
    this.number = number;
    const { width, height } = page;
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "cw-page", role: "group",
      "aria-label": `Page ${number} with the boxes of its chunks` },
    draw("rect", { class: "cw-sheet", width, height }));
    if (isImage(page.image)) svg.append(draw("image", { href: page.image, width, height }));
    for (const each of this.boxes.get(number) ?? []) svg.append(this.box(each));
    const { numbers } = this;
    const at = numbers.indexOf(number);
    const turn = (to, name, sign) => make("button", { type: "button", class: "cw-button", "aria-label": name,
      disabled: numbers[to] === undefined, click: () => this.show(numbers[to]) }, sign);
    refill(this.body, make("div", { class: "cw-turn" }, turn(at - 1, "Page before", "←"),
      make("span", {}, `page ${number} of ${numbers.length}`), turn(at + 1, "Next page", "→")), svg);
  }

  box({ chunk, box }) {
    const is_selected = chunk === this.viewer.selected;
    const choose = () => this.viewer.select(chunk);
    return draw("rect", { x: box.left, y: box.top, width: Math.max(1, box.right - box.left),
      height: Math.max(1, box.bottom - box.top), class: `cw-box cw-box-${chunk % 2}${is_selected ? " cw-box-now" : ""}`,
      role: "button", tabindex: 0, "aria-label": `Chunk ${chunk}`, "aria-pressed": String(is_selected),
      "data-box": chunk, click: choose,
      keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } } },
    draw("title", {}, `chunk ${chunk}`));
  }
}

/** Whether it is a picture in the page itself, or one of the service's own. */
function isImage(address) {
  return typeof address === "string" && /^(data:image\/(png|jpeg|webp);base64,|\/(?!\/))/.test(address);
}
