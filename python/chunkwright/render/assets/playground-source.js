/**
 * @file Source of the playground: a text that is typed, or a file that is opened or dropped.
 */

const OWN_NAME = "text.md";
// A longer text makes the field slow: it is shown as a file is.
const MOST_EDITED = 1_000_000;
// To copy a longer one for each request would stop the page for a moment.
const MOST_COPIED = 500_000;

/** A document's bytes and its name. */
class Source {
  /**
   * @param {Uint8Array} bytes
   * @param {string} name
   * @param {string|null} text  Null: it is no text.
   * @param {Object} document  Which document it is: what is typed is another state of the same.
   */
  constructor(bytes, name, text, document = {}) {
    Object.assign(this, { bytes, name, text, document });
    this.encoded = null;
    this.password = null;
    this.pictures = null;
  }

  static ofText(text, name = OWN_NAME) { return new Source(new TextEncoder().encode(text), name, text); }

  /** The same document with another text. */
  edited(text) { return new Source(new TextEncoder().encode(text), this.name, text, this.document); }

  /** Read a file; what is no UTF-8, or too long, is not edited. @param {File} file */
  static async ofFile(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return new Source(bytes, file.name || OWN_NAME, textIn(bytes));
  }

  /** What a request says of it. */
  get fields() {
    return { data: this.base64, name: this.name, ...(this.password === null ? {} : { password: this.password }) };
  }

  /** The bytes in Base64, made once: of a large file a blob, which requests need not copy. */
  get base64() {
    if (this.encoded === null) {
      const made = base64Of(this.bytes);
      this.encoded = made.length > MOST_COPIED ? new Blob([made]) : made;
    }
    return this.encoded;
  }
}

// A function takes only so many arguments.
const MOST_ARGUMENTS = 1 << 15;

function base64Of(bytes) {
  if (bytes.toBase64) return bytes.toBase64();
  const parts = [];
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS)));
  }
  return btoa(parts.join(""));
}

function textIn(bytes) {
  if (bytes.length > MOST_EDITED) return null;
  try {
    // A mark at the beginning is a part of the file.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** The field of the text, and the ways to bring a file. */
class SourceField {
  /** @param {Registry} registry @param {Object} told  Callbacks: `opening`, `source`, `kind`, `failed`. */
  constructor(registry, told) {
    this.told = told;
    this.area = byId("pg-text");
    this.sample = this.area.defaultValue;
    this.file = byId("pg-file");
    this.card = byId("pg-card");
    this.facts = byId("pg-facts");
    this.problem = byId("pg-source-problem");
    this.kinds = byId("pg-kind");
    this.kinds.append(...registry.kinds.map((kind) => make("option", { value: kind }, kind)));
    this.kinds.addEventListener("change", () => told.kind(this.kinds.value || null));
    this.area.addEventListener("input", () => this.take(this.source.edited(this.area.value)));
    this.file.addEventListener("change", () => this.open(this.file.files[0]));
    byId("pg-open").addEventListener("click", () => this.file.click());
    byId("pg-sample").addEventListener("click", () => this.show(Source.ofText(this.sample)));
    byId("pg-clear").addEventListener("click", () => this.clear());
    byId("pg-save").addEventListener("click", () => this.save());
    this.takeDrops();
    this.source = Source.ofText(this.sample);
    this.opening = null;
  }

  /** Whether a file is being read. */
  get is_opening() { return this.opening !== null; }

  takeDrops() {
    const has_files = (event) => event.dataTransfer?.types.includes("Files");
    const mark = (is_over) => document.body.classList.toggle("pg-dropping", is_over);
    addEventListener("dragover", (event) => { if (has_files(event)) { event.preventDefault(); mark(true); } });
    addEventListener("dragleave", (event) => { if (event.relatedTarget === null) mark(false); });
    addEventListener("drop", (event) => {
      mark(false);
      if (!has_files(event)) return;
      event.preventDefault();
      this.open(event.dataTransfer.files[0]);
    });
  }

  async open(file) {
    if (!file) return;
    this.file.value = "";
    this.opening = file;
    this.told.opening();
    const source = await Source.ofFile(file).catch(() => null);
    // What was typed or opened meanwhile is newer.
    if (this.opening !== file) return;
    if (source) this.show(source);
    else {
      this.opening = null;
      this.told.opening();
      this.told.failed(new Problem(`${file.name} cannot be read: is it a folder?`, { field: "data" }));
    }
  }

  /** Show a source, in the field where it is a text. @param {Source} source */
  show(source) {
    const is_text = source.text !== null;
    this.area.hidden = !is_text;
    this.card.hidden = is_text;
    this.facts.textContent = "";
    if (is_text) this.area.value = source.text;
    else this.card.textContent = visible(`${source.name}, ${counted(source.bytes.length, "byte")}`);
    this.take(source);
  }

  take(source) {
    this.opening = null;
    this.source = source;
    this.told.source(source);
  }

  /** Empty the field; what stood in it can be brought back, as what is deleted by hand can. */
  clear() {
    this.area.focus();
    this.area.select();
    // No other way keeps what the browser undoes.
    document.execCommand("delete");
    this.show(Source.ofText(""));
    this.area.focus();
  }

  showKind(kind) { this.kinds.value = kind ?? ""; }

  /** Say how large the document is. @param {number|null} n_chars  Null: it could not be read. */
  showFacts(n_chars) {
    const said = n_chars === null ? "not read" : counted(n_chars, "character");
    // The card says the name.
    this.facts.textContent = visible(this.source.text === null ? said : `${this.source.name} · ${said}`);
  }

  /** @param {Problem|null} problem @returns {boolean}  Whether it is about the source. */
  showProblem(problem) {
    const fields = ["data", "name", "kind", "text", "pages"];
    const is_own = fields.includes(problem?.field);
    this.problem.hidden = !is_own;
    this.problem.textContent = is_own ? visible(problem.message) : "";
    for (const each of [this.area, this.kinds]) {
      if (is_own && (each === this.kinds) === (problem.field === "kind")) each.setAttribute("aria-invalid", "true");
      else each.removeAttribute("aria-invalid");
    }
    return is_own;
  }

  /** Give the document as a file, by the name that the copied calls have. */
  save() {
    const address = URL.createObjectURL(new Blob([this.source.bytes]));
    make("a", { href: address, download: this.source.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}
