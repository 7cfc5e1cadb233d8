/**
 * @file Lists of the page of a store: its documents, a citation that is looked up, doubtful pages.
 */

// What a citation's words do, in words, and whether they can be relied on.
const STATUSES = {
  same: ["stands where it stood", true],
  moved: ["stands elsewhere in the document", true],
  altered: ["stands with other words", false],
  superseded: ["was replaced by another text", false],
  gone: ["is gone", false],
  erased: ["was erased", false],
};
const CHANGES = {
  heading: "a heading above it changed", lead: "the line that leads in changed", sentence: "its sentence changed",
  negation: "a negation in its sentence changed", number: "a number in its sentence changed", edited: "its block was edited by hand",
};
const DOUBTED = 0.9;

/** How sure a reader was, in percent; nothing if it does not say, or is. */
function sureness(confidence) {
  return confidence === null || confidence >= 0.995 ? null : `${Math.round(confidence * 100)}% sure`;
}

/** A button of a list: a name, and what is said of it. */
function listRow(name, about, is_doubtful, click) {
  return make("li", {}, make("button", { type: "button", class: "st-row", click },
    make("span", { dir: "auto" }, name), make("small", { class: is_doubtful ? "st-doubt" : null }, about)));
}

/** The documents of the store, some at a time. */
class DocumentList {
  /** @param {ServiceCalls} calls @param {(document: string) => void} chosen @param {(problem: Error) => void} failed */
  constructor(calls, chosen, failed) {
    Object.assign(this, { calls, chosen, failed });
    this.list = byId("st-documents");
    this.more = byId("st-more");
    this.filter = byId("st-filter");
    this.turn = 0;
    this.filter.addEventListener("input", () => this.load().catch(failed));
    this.more.addEventListener("click", () => this.load(this.next).catch(failed));
  }

  async load(offset = 0) {
    const turn = this.turn += 1;
    const asked = new URLSearchParams({ contains: this.filter.value, offset });
    const answer = await this.calls.get(`v1/store/documents?${asked}`);
    if (turn !== this.turn) return answer;
    if (offset === 0) this.list.replaceChildren();
    this.list.append(...answer.documents.map((each) => this.row(each)));
    if (!answer.n_total) this.list.append(make("li", { class: "pg-help" }, this.filter.value ? "None is called so." : "The store is empty."));
    this.next = answer.next_offset;
    this.more.hidden = this.next === null;
    this.mark();
    return answer;
  }

  row({ document, version, n_blocks, confidence }) {
    const about = [`version ${version}`, counted(n_blocks, "block"), sureness(confidence)].filter(Boolean).join(" · ");
    const row = listRow(document, about, confidence !== null && confidence < DOUBTED, () => this.chosen(document));
    row.firstChild.dataset.document = document;
    return row;
  }

  /** Say of a document that is shown what it has now. @param {Object} answer  Of `/v1/store/document`. */
  renew({ document, version, versions, blocks }) {
    const shown = versions.find((each) => each.version === version);
    const old = [...this.list.querySelectorAll("button")].find((each) => each.dataset.document === document);
    if (!old || !shown?.is_current) return;
    old.parentElement.replaceWith(this.row({ document, version, n_blocks: blocks.length, confidence: shown.confidence }));
  }

  /** Mark the document that is shown. */
  mark(document = this.current) {
    this.current = document;
    for (const each of this.list.querySelectorAll("button")) {
      each.setAttribute("aria-current", String(each.dataset.document === document));
    }
  }
}

/** What became of a citation. @param {Object} answer  Of `/v1/cite/{id}`. @param {(place: Object) => void} go */
function resolvedCitation({ status, citation, place, cited, difference, changes }, go) {
  const [said, is_kept] = STATUSES[status];
  const shown = (where, title) => (where
    ? make("button", { type: "button", class: "pg-button", click: () => go(where) }, title) : null);
  return make("div", { class: "st-resolved" },
    make("blockquote", { class: "st-quote", dir: "auto" }, citation.quote || "(nothing of it is known)"),
    make("p", { class: `st-status ${is_kept ? "st-status-kept" : "st-status-broken"}` }, `It ${said}.`),
    difference ? make("p", { dir: "auto" }, `“${difference.quoted}” is now “${difference.stands}”.`) : null,
    place && !is_kept ? make("blockquote", { class: "st-quote", dir: "auto" }, place.text) : null,
    changes.length ? make("ul", { class: "st-list" }, ...changes.map((each) => make("li", {}, CHANGES[each] ?? each))) : null,
    make("p", { class: "pg-help" }, `Quoted from ${citation.document}, version ${citation.version}${
      citation.by ? `, by ${citation.by}` : ""}.`),
    make("div", { class: "pg-buttons" },
      shown(place && { ...place, since: citation.version < place.version ? citation.version : null }, "Show it now"),
      shown(status === "erased" ? null : cited, `Show version ${citation.version}`)));
}

/** Pages that are to be looked at, of all documents, some documents at a time. */
class DoubtList {
  constructor(calls, chosen, failed) {
    Object.assign(this, { calls, chosen });
    this.list = byId("st-doubts");
    this.button = byId("st-review");
    this.next = 0;
    this.button.addEventListener("click", () => this.load().catch(failed));
  }

  async load() {
    const { pages, next_offset } = await this.calls.get(`v1/store/review?${new URLSearchParams({ offset: this.next })}`);
    this.list.append(...pages.map((each) => listRow(`${each.document}, page ${each.page}`,
      each.needs_ocr ? "not read: a picture" : sureness(each.confidence) ?? "", true, () => this.chosen(each))));
    this.next = next_offset ?? 0;
    this.button.textContent = next_offset === null ? "Look again" : "Look further";
    if (next_offset === null && !this.list.childElementCount) this.list.append(make("li", { class: "pg-help" }, "There are none."));
    else if (next_offset === null) this.button.hidden = true;
  }
}
