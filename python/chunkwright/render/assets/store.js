/**
 * @file The page of a store: its documents, their versions and citations, doubtful pages, edits.
 */

// Why pages of a document have no pictures, by what became of its file.
const ORIGINALS = {
  changed: "The file has changed since it was imported: its pages are shown without pictures.",
  missing: "The file is not in the folder of originals: its pages are shown without pictures.",
  unknown: "It is not known from which file this version was read: its pages are shown without pictures.",
};

class StorePage {
  constructor() {
    this.calls = new ServiceCalls((is_wrong) => askKey(is_wrong));
    this.place = byId("pg-view");
    this.head = byId("st-head");
    this.status = byId("pg-status");
    this.problem = byId("pg-problem");
    this.retry = byId("pg-retry");
    this.version = byId("st-version");
    this.since = byId("st-since");
    const failed = (problem) => this.showProblem(problem);
    this.documents = new DocumentList(this.calls, (document) => this.go({ document }), failed);
    this.doubts = new DoubtList(this.calls, ({ document, page }) => this.go({ document, page }), failed);
    this.block = new BlockPanel(this.calls, {
      saved: () => this.load({ ...this.asked, version: null, chunk: this.selected }),
      overtaken: (text) => this.showOvertaken(text),
      opened: () => this.viewer?.select(this.selected),
    });
    this.retry.addEventListener("click", () => (this.drawer ? this.restore() : this.start()));
    this.version.addEventListener("change", () => this.go({ ...this.asked, version: this.version.value, since: null, text: null }));
    this.since.addEventListener("change", () => this.go({ ...this.asked, since: this.since.value || null, text: null }));
    this.original = byId("st-original");
    byId("st-cite").addEventListener("submit", (event) => { event.preventDefault(); this.goToCitation().catch(failed); });
    addEventListener("popstate", () => this.restore());
  }

  async start() {
    this.retry.hidden = true;
    try {
      await this.documents.load();
    } catch (error) {
      this.showProblem(error);
      this.status.textContent = "";
      this.retry.hidden = false;
      return;
    }
    this.showProblem(null);
    byId("pg-work").hidden = false;
    this.drawer ??= new Drawer();
    this.restore();
  }

  /** Show what the address says. */
  restore() {
    const said = Object.fromEntries(new URLSearchParams(location.hash.replace(/^#/, "")));
    if (said.document) this.load(said);
    else if (said.citation) {
      byId("st-citation").value = said.citation;
      this.look().catch((problem) => this.showProblem(problem));
    } else {
      this.showNothing("Choose a document, or look up a citation.");
      this.drawer.set(true);
    }
  }

  /** Show a place of a document, which the address says from then on. */
  go(place) {
    const said = new URLSearchParams();
    for (const name of ["document", "version", "since", "page", "block"]) if (place[name]) said.set(name, place[name]);
    history.pushState(null, "", `#${said}`);
    if (!ROOM.matches) this.drawer.set(false);
    return this.load(place);
  }

  /** @param {{document: string, version, since, page, block, text, chunk}} place */
  async load(place) {
    const turn = this.turn = (this.turn ?? 0) + 1;
    this.sought = place.document;
    this.place.setAttribute("aria-busy", "true");
    const asked = new URLSearchParams({ document: place.document });
    for (const name of ["version", "since"]) if (place[name]) asked.set(name, place[name]);
    try {
      const answer = await this.calls.get(`v1/store/document?${asked}`);
      if (turn === this.turn) this.show(answer, place);
    } catch (error) {
      if (turn === this.turn) this.showFailure(error);
    } finally {
      if (turn === this.turn) this.place.setAttribute("aria-busy", "false");
    }
  }

  show(answer, place) {
    Object.assign(this, { answer, asked: place, selected: null });
    this.showProblem(null);
    this.documents.renew(answer);
    this.documents.mark(answer.document);
    this.viewer?.destroy();
    this.place.replaceChildren();
    this.block.hide();
    this.showVersions();
    this.points = new CodePoints(answer.view.text);
    const pictures = new Pictures((page) => this.picture(answer, page));
    this.original.hidden = true;
    this.viewer = ChunkwrightViewer.mount(this.place, answer.view, {
      noun: "block", selected: (index) => this.chosen(index), pageImage: (page) => (answer.has_originals ? pictures.of(page) : null) });
    const { citations } = answer;
    const n_broken = citations.filter(({ status }) => !STATUSES[status][1]).length;
    const cited = citations.length ? `, ${counted(citations.length, "citation")}${n_broken ? `, ${n_broken} broken` : ""}` : "";
    this.status.textContent = visible(`${counted(answer.blocks.length, "block")}${cited}`);
    this.bringUp(place);
  }

  /**
   * Show the block that somebody else has edited meanwhile as it is now, and the text that was to be
   * saved as a draft of it.
   * @param {string} text
   */
  async showOvertaken(text) {
    const { selected } = this;
    const source = this.sourceOf(selected);
    await this.load({ document: this.answer.document, chunk: selected });
    // An import may have moved it.
    const n = this.viewer ? this.answer.blocks.length : 0;
    const now = [selected, ...Array(n).keys()].find((index) => index < n && this.sourceOf(index) === source);
    if (now === undefined) throw new Problem("The block is no longer there: copy your text before you go on.");
    this.block.overtake(this.answer.blocks[now].block, text);
    this.viewer.select(now);
    this.chosen(now);
  }

  /** The text of a block as it was cut. */
  sourceOf(index) {
    const { answer } = this;
    const own = answer.view.chunks[index].pieces.filter(({ role }) => role === "body");
    const unit = (point) => this.points.toUnit(point);
    return own.map(({ start, end }) => answer.view.text.slice(unit(start), unit(end))).join("");
  }

  /** Select what was asked for: a block, a page, or words. */
  bringUp({ block, page, text, chunk }) {
    const index = chunk ?? (block ? this.answer.blocks.findIndex((each) => each.block === block)
      : page ? this.answer.view.chunks.findIndex((row) => row.pages?.includes(Number(page))) : -1);
    if (text) this.viewer.find(text);
    if (index !== null && index >= 0) this.viewer.select(index);
    else if (page) this.viewer.turnTo(Number(page));
  }

  showVersions() {
    const { versions, version } = this.answer;
    const named = ({ version: number, created_at, is_current }) => `${number}${is_current ? ", current" : ""} (${created_at.slice(0, 10)})`;
    const option = (each, chosen) => make("option", { value: each.version, selected: each.version === chosen }, named(each));
    refill(this.version, ...versions.map((each) => option(each, version)));
    const before = versions.filter((each) => each.version < version);
    refill(this.since, make("option", { value: "" }, "nothing"), ...before.map((each) => option(each, Number(this.asked.since))));
    this.since.disabled = !before.length || !versions.find((each) => each.version === version)?.is_current;
    this.head.hidden = false;
  }

  chosen(index) {
    this.selected = index;
    const { answer } = this;
    const is_current = answer.versions.find((each) => each.version === answer.version)?.is_current ?? false;
    const block = answer.blocks[index];
    if (!block) return;
    this.block.show(index, block, this.sourceOf(index), is_current, answer.may_edit);
    const said = new URLSearchParams(location.hash.replace(/^#/, ""));
    if (!said.has("document")) return;
    // Its page is a step on the way to it.
    said.delete("page");
    said.set("block", block.block);
    history.replaceState(null, "", `#${said}`);
  }

  /** The picture of a page, if the service has the file that was read. @returns {Promise<string|null>} */
  async picture(answer, page) {
    const asked = new URLSearchParams({ document: answer.document, version: answer.version, page });
    try {
      const { image, original } = await this.calls.get(`v1/store/page?${asked}`);
      if (answer === this.answer) this.showOriginal(ORIGINALS[original]);
      return image;
    } catch (error) {
      if (answer === this.answer) this.showOriginal(`The page cannot be drawn: ${error.message}`);
      return null;
    }
  }

  /** Say why pages have no pictures. */
  showOriginal(said) {
    this.original.hidden = !said;
    this.original.textContent = visible(said ?? "");
  }

  /** Look up the citation that was typed; the address says it from then on. */
  goToCitation() {
    history.pushState(null, "", `#${new URLSearchParams({ citation: byId("st-citation").value.trim() })}`);
    return this.look();
  }

  /** Look a citation up, and show where its words stand. */
  async look() {
    const id = byId("st-citation").value.trim();
    if (!id) return;
    const into = byId("st-resolved");
    try {
      const answer = await this.calls.get(`v1/cite/${encodeURIComponent(id)}`);
      const go = ({ document, version, since, block, text }) => this.go({ document, version, since, block, text });
      refill(into, resolvedCitation(answer, go));
      const place = answer.place ?? (answer.status === "erased" ? null : answer.cited);
      if (!place) { this.showNothing("Nothing is left of what was cited."); return; }
      if (!ROOM.matches) this.drawer.set(false);
      await this.load({ ...place, since: place.version > answer.citation.version ? answer.citation.version : null });
    } catch (error) {
      refill(into, make("p", { class: "pg-problem", dir: "auto" }, error.message));
      if (!this.viewer) this.showNothing(error.message);
    }
  }

  showNothing(message) {
    this.viewer?.destroy();
    this.viewer = null;
    this.block.hide();
    this.head.hidden = true;
    this.status.textContent = "";
    refill(this.place, make("div", { class: "pg-nothing" }, make("h2", { dir: "auto" }, message)));
  }

  /** Say why a document is not shown. @param {Problem} problem */
  showFailure(problem) {
    this.showNothing(problem.field === "document" ? `The store has no document called ${this.sought}.` : problem.message);
    this.showProblem(null);
    this.retry.hidden = !problem.may_pass;
  }

  showProblem(problem) {
    this.problem.hidden = problem === null;
    this.problem.textContent = problem === null ? "" : visible(problem.message);
    this.retry.hidden = !problem?.may_pass;
  }
}

new StorePage().start();
