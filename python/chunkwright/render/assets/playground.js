/**
 * @file The playground: a text or a file, settings, and the chunks that they give, as one types.
 *
 * What is asked is `/v1/preview`, once for each setting. The first change is asked for at once;
 * while an answer is awaited, changes wait until there is a pause, and end what was asked before.
 */

const PAUSE_MS = 120;
// After so long it is said that an answer takes long.
const WAIT_MS = 1000;

/** The latest of what is asked for: each change ends what is under way. */
class Latest {
  /**
   * @param {(signal: AbortSignal) => Promise<void>} work
   * @param {() => void} told  Is told when `is_busy` may have changed.
   */
  constructor(work, told) {
    this.work = work;
    this.told = told;
    this.under_way = null;
    this.timer = null;
  }

  /** Whether something is awaited. */
  get is_busy() { return this.under_way !== null || this.timer !== null; }

  ask() {
    const has_to_wait = this.is_busy;
    this.under_way?.abort();
    this.under_way = null;
    clearTimeout(this.timer);
    this.timer = null;
    if (has_to_wait) this.timer = setTimeout(() => { this.timer = null; this.run(); }, PAUSE_MS);
    else this.run();
    this.told();
  }

  async run() {
    const own = new AbortController();
    this.under_way = own;
    try {
      await this.work(own.signal);
    } catch (error) {
      if (!own.signal.aborted) throw error;
    } finally {
      if (this.under_way === own) {
        this.under_way = null;
        this.told();
      }
    }
  }
}

class Playground {
  constructor() {
    this.calls = new ServiceCalls((is_wrong) => askKey(is_wrong));
    this.status = byId("pg-status");
    this.problem = byId("pg-problem");
    this.place = byId("pg-view");
    this.retry = byId("pg-retry");
    this.latest = new Latest((signal) => this.preview(signal), () => this.showBusy());
    this.retry.addEventListener("click", () => (this.registry ? this.latest.ask() : this.start()));
    const take = byId("pg-take");
    take.addEventListener("toggle", () => { if (take.open) take.scrollIntoView({ block: "nearest" }); });
  }

  async start() {
    this.retry.hidden = true;
    try {
      this.capabilities = await this.calls.get("v1/capabilities");
    } catch (error) {
      this.showProblem(error);
      this.status.textContent = "";
      this.retry.hidden = false;
      return;
    }
    this.showProblem(null);
    byId("pg-to-store").hidden = !this.capabilities.store;
    this.registry = new Registry(this.capabilities);
    this.build();
    byId("pg-work").hidden = false;
    this.restore();
    addEventListener("popstate", () => this.restore());
  }

  build() {
    this.drawer = new Drawer();
    this.source = new SourceField(this.registry, {
      opening: () => this.showBusy(),
      source: (source) => this.bring(source),
      kind: (kind) => this.change({ kind }, true),
      failed: (problem) => this.showProblem(problem),
    });
    this.panel = new CallPanel();
    this.forms = {};
    for (const side of ["a", "b"]) {
      this.forms[side] = new SettingForm(side, this.registry, (setting, is_done) => this.change({ [side]: setting }, is_done));
      byId(`pg-setting-${side}`).append(this.forms[side].element);
    }
    this.second = byId("pg-second");
    this.second.addEventListener("change", () => this.change({ b: this.second.checked ? this.registry.beside(this.state.a) : null }, true));
    this.vectors = byId("pg-vectors");
    this.vectors.append(...this.registry.models.embedder.map((name) => make("option", { value: name }, name)));
    this.vectors.addEventListener("change", () => this.change({ vectors: this.vectors.value || null }, true));
  }

  /** Cut what was typed, opened or dropped; as is recommended, if nobody has chosen a setting. */
  bring(source) {
    if (source.name !== OWN_NAME && this.state.is_first) {
      this.show(this.state.with({ a: RECOMMENDED }));
      history.replaceState(null, "", this.state.fragment);
    }
    this.latest.ask();
  }

  /** Show what the address says. */
  restore() {
    const { state, unknown } = State.of(location.hash, this.registry);
    this.show(state);
    this.note = unknown.length ? `The address says what this service does not know: ${unknown.join(", ")}.` : "";
    this.latest.ask();
  }

  /** Change the state. A value on the way to another is no step to go back to. */
  change(changes, is_done) {
    const before = location.hash;
    const state = this.state.with(changes);
    if (state.fragment !== before && !this.is_on_way) history.pushState(null, "", state.fragment);
    else history.replaceState(null, "", state.fragment);
    this.is_on_way = !is_done;
    const is_same = state.fragment === this.state.fragment;
    this.note = "";
    this.show(state);
    if (!is_same) this.latest.ask();
  }

  show(state) {
    this.state = state;
    this.source.showKind(state.kind);
    this.second.checked = state.b !== null;
    this.vectors.value = state.vectors ?? "";
    byId("pg-part-b").hidden = state.b === null;
    this.forms.a.show(state.a);
    if (state.b) this.forms.b.show(state.b);
    this.showCalls();
  }

  showCalls() {
    const { a, b, kind } = this.state;
    const call = (setting) => ({
      setting, kind, name: this.source.source.name, has_key: this.calls.key !== null, is_encrypted: this.source.source.password !== null,
      address: new URL("v1/chunk", document.baseURI).href,
    });
    this.panel.show({ a: call(a), b: b && call(b) });
  }

  // ------------------------------------------------------------------ what is asked

  body(setting) {
    const { source } = this.source;
    const most = this.capabilities.limits.max_body;
    // Base64 has four characters for three bytes.
    if (source.bytes.length * 4 > most * 3) {
      throw new Problem(`It has ${megabytes(source.bytes.length)}, and the service takes at most ${megabytes((most * 3) / 4)}.`, { field: TOO_LARGE });
    }
    const { kind } = this.state;
    // The viewer makes the texts of chunks from that of the document.
    return { ...source.fields, ...(kind ? { kind } : {}), chunking: setting, texts: false };
  }

  async preview(signal) {
    const began = performance.now();
    const { a, b } = this.state;
    const asked = [a, b].filter(Boolean).map(async (setting) => this.calls.post("v1/preview", this.body(setting), signal));
    const answers = await Promise.allSettled(asked);
    if (signal.aborted) return;
    const mistake = answers.find(({ reason }) => reason && !(reason instanceof Problem));
    if (mistake) throw mistake.reason;
    const [first, second] = answers;
    this.showProblems(first.reason ?? null, second?.reason ?? null);
    this.showCalls();
    if (first.status === "rejected") {
      const { source } = this.source;
      if (source.document !== this.shown) this.showNothing(first.reason);
      return;
    }
    const data = second?.value ? { ...first.value, other: second.value } : first.value;
    this.showView(data);
    this.showStatus(data, performance.now() - began);
  }

  showBusy() {
    const is_busy = this.latest.is_busy || this.source.is_opening;
    this.place.setAttribute("aria-busy", String(is_busy));
    if (!is_busy) { clearTimeout(this.waiting); this.waiting = null; } else this.waiting ??= setTimeout(() => this.showWaiting(), WAIT_MS);
  }

  /** Say that an answer takes long; what is shown of another document is put away. */
  showWaiting() {
    const { source } = this.source;
    this.status.textContent = "Cutting…";
    if (source.document === this.shown) return;
    this.clear();
    this.place.append(beingRead(source));
  }

  showView(data) {
    const { source } = this.source;
    if (this.viewer && source.document === this.shown) this.viewer.update(data);
    else {
      this.clear();
      this.viewer = ChunkwrightViewer.mount(this.place, data, {
        score: (question) => this.score(question), pageImage: (number) => this.picture(number) });
      this.shown = source.document;
    }
    this.source.showFacts(data.document.n_chars);
    byId("pg-take").hidden = false;
  }

  clear() {
    this.viewer?.destroy();
    this.viewer = null;
    this.shown = null;
    this.place.replaceChildren();
  }

  /** Show that a document cannot be shown: what was there was another one. */
  showNothing(problem) {
    this.clear();
    this.place.classList.remove("pg-stale");
    const { source } = this.source;
    this.place.append(notShown(source, problem, (password) => {
      if (password !== undefined) source.password = password;
      this.latest.ask();
    }));
    this.source.showFacts(null);
    this.status.textContent = "Not read";
    this.showProblem(null);
    byId("pg-take").hidden = true;
  }

  /** The picture of a page. @returns {Promise<string|null>} */
  async picture(number) {
    const { source } = this.source;
    if (source.text !== null) return null;
    source.pictures ??= new Pictures((page) => this.calls.post("v1/page", { ...source.fields, page })
      // A page without its picture has its boxes.
      .then(({ image }) => image, () => null));
    return source.pictures.of(number);
  }

  showStatus(data, milliseconds) {
    const sides = [data, data.other].filter(Boolean).map(({ chunks }) => counted(chunks.length, "chunk"));
    this.status.textContent = visible(`${sides.join(" and ")} in ${Math.round(milliseconds)} ms. ${this.note}`.trim());
  }

  /** Score the chunks of the first setting for a question, by a model as well if one is chosen. */
  async score(question) {
    if (this.state.vectors === null) return null;
    const asked = { ...this.body(this.state.a), questions: [question], embedder: this.state.vectors };
    try {
      return (await this.calls.post("v1/preview", asked)).questions[0].scores;
    } catch (error) {
      this.showProblem(error);
      return null;
    }
  }

  // ------------------------------------------------------------------ what is wrong

  /** Say what is wrong with each setting, at the field that it names. */
  showProblems(a, b) {
    this.place.classList.toggle("pg-stale", a !== null);
    if (a) this.drawer.tell();
    const is_source = this.source.showProblem(a ?? b);
    const is_told = [this.forms.a.showProblem(a), this.forms.b.showProblem(b)];
    const rest = [a, b].find((problem, side) => problem && !is_told[side] && !is_source);
    this.showProblem(rest ?? null);
    if (a) this.status.textContent = visible(`Not cut: ${shortened(a.message, MOST_SAID)}`);
  }

  showProblem(problem) {
    this.problem.hidden = problem === null;
    this.problem.textContent = problem === null ? "" : visible(problem.message);
    this.retry.hidden = !problem?.may_pass;
  }
}

function megabytes(n_bytes) { return `${(n_bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`; }

new Playground().start();
