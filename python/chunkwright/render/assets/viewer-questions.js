/**
 * @file Questions: which chunks answer one, by words and by vectors, and what of them matched.
 */

const MOST_HITS = 12;

class Questions {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.input = make("input", { type: "search", class: "cw-input cw-asking", placeholder: "Question",
      "aria-label": "Question", autocomplete: "off", spellcheck: "false" });
    this.count = make("output", { class: "cw-count" });
    this.form = make("form", { class: "cw-form", role: "search", "aria-label": "Question",
      submit: (event) => { event.preventDefault(); this.ask(this.input.value); } },
    this.input, make("button", { type: "submit", class: "cw-button" }, "Ask"), this.count);
    const { element, body } = panel("Question", "questions");
    this.element = element;
    this.body = body;
    this.answer = null;
    this.turn = 0;
    this.input.addEventListener("input", () => { if (!this.input.value) this.clear(); });
  }

  /** Forget what was known of another cut; ask again what was asked. */
  reset() {
    this.index = null;
    const asked = this.answer?.question;
    this.answer = null;
    this.given = this.viewer.data.questions ?? [];
    if (asked) this.ask(asked);
    else this.show();
  }

  clear() {
    this.turn += 1;
    this.answer = null;
    this.input.value = "";
    this.show();
    this.viewer.redraw();
  }

  /** Score the chunks for a question. @returns {Promise<void>} */
  async ask(question) {
    const asked = question.trim();
    if (!asked) { this.clear(); return; }
    const turn = this.turn += 1;
    this.input.value = question;
    const scores = await this.scoresOf(asked);
    if (turn !== this.turn) return;
    const has_vectors = scores.some((score) => score.vectors !== null && score.vectors !== undefined);
    this.answer = { question: asked, scores, has_vectors, terms: questionTerms(asked),
      hits: this.hitsOf(scores) };
    this.viewer.redraw();
    this.show();
    const [best] = this.answer.hits;
    this.viewer.say(best === undefined ? `No ${this.viewer.noun} has a word of the question`
      : `Best: ${this.viewer.noun} ${best}, score ${scores[best].total.toFixed(2)}`);
    if (best !== undefined) this.viewer.select(best);
  }

  async scoresOf(question) {
    const known = this.given.find((each) => each.question === question);
    if (known) return known.scores;
    if (this.viewer.options.score) {
      const scores = await this.viewer.options.score(question);
      if (scores) return scores;
    }
    const cut = this.viewer.cut;
    const index = this.index ?? await WordIndex.of(cut);
    if (cut === this.viewer.cut) this.index = index;
    return Array.from(index.shares_of(question), (words) => ({ words, vectors: null, total: words }));
  }

  /** The best chunks; of those with an equal text the first. */
  hitsOf(scores) {
    const seen = new Set();
    const ranked = scores.map((score, i) => i).filter((i) => scores[i].total > 0)
      .sort((a, b) => scores[b].total - scores[a].total || a - b);
    const hits = [];
    for (const i of ranked) {
      const text = this.viewer.cut.textOf(i);
      if (seen.has(text)) continue;
      seen.add(text);
      hits.push(i);
      if (hits.length === MOST_HITS) break;
    }
    return hits;
  }

  /** What a search would give a model beside the chunk: its section, or its neighbours. */
  expandedOf(chunk) {
    const { cut } = this.viewer;
    const given = this.answer?.scores[chunk]?.expanded;
    if (given) return given.map(([start, end]) => ({ start: cut.points.toUnit(start), end: cut.points.toUnit(end) }));
    const before = cut.bodies[chunk - 1];
    const behind = cut.bodies[chunk + 1];
    const is_near = (other) => other >= 0 && sameHeadings(cut.rows[chunk], cut.rows[other]);
    return [is_near(chunk - 1) && before, is_near(chunk + 1) && behind].filter(Boolean);
  }

  /** What is marked of a part of the text of a chunk; what is repeated is not added by a search. */
  marksIn(start, end, role) {
    if (!this.answer) return [];
    const text = this.viewer.cut.text;
    const marks = matchesIn(text.slice(start, end), this.answer.terms).map((match) => ({
      start: start + match.start, end: start + match.end,
      name: match.exact ? "cw-word" : "cw-word cw-prefix",
      title: match.exact ? "a word of the question" : "the first five letters of a word of the question",
    }));
    const { selected } = this.viewer;
    if (role === "body" && selected >= 0 && this.answer.hits.includes(selected)) {
      for (const part of this.expandedOf(selected)) {
        if (part.start < end && part.end > start) {
          marks.push({ ...part, name: "cw-expanded", title: `what a search adds to ${this.viewer.noun} ${selected}` });
        }
      }
    }
    return marks;
  }

  show() {
    const n = this.answer?.hits.length;
    // The list of answers may be out of sight.
    this.count.textContent = n === undefined ? "" : n === 0 ? "no answer" : `best: ${this.answer.hits[0]}`;
    const given = this.given?.length
      ? make("ul", { class: "cw-given" }, ...this.given.map((each) => make("li", {},
        make("button", { type: "button", class: "cw-link", click: () => this.ask(each.question) },
          each.question))))
      : null;
    refill(this.body, given, ...this.shown());
  }

  shown() {
    if (!this.answer) {
      return [make("p", { class: "cw-note" }, `Ask above: each ${this.viewer.noun} is scored, and what matches is marked.`)];
    }
    const { question, hits, scores, has_vectors } = this.answer;
    const parts = [make("p", { class: "cw-asked-for", dir: "auto" }, question)];
    if (!hits.length) parts.push(make("p", { class: "cw-note" }, `No ${this.viewer.noun} has a word of the question.`));
    parts.push(make("ol", { class: "cw-hits" }, ...hits.map((i) => this.hit(i, scores[i]))));
    parts.push(make("ul", { class: "cw-legend" },
      make("li", {}, make("mark", { class: "cw-word" }, "matched"), " words, ",
        make("mark", { class: "cw-word cw-prefix" }, "by first letters")),
      make("li", {}, make("span", { class: "cw-expanded" }, "expanded"), " what a search adds to the hit")));
    if (!has_vectors) {
      parts.push(make("p", { class: "cw-note" }, "By words alone: vectors need a model, in Python or a service."));
    }
    return parts;
  }

  hit(chunk, { words, vectors, total }) {
    const bars = [bar("words", words)];
    if (vectors !== null && vectors !== undefined) bars.push(bar("vectors", vectors));
    return make("li", {}, make("button", { type: "button", class: "cw-hit-row",
      click: () => this.viewer.select(chunk), "aria-label": `${titled(this.viewer.noun)} ${chunk}, score ${total.toFixed(2)}` },
    make("span", { class: "cw-hit-name" }, `${chunk}`),
    make("span", { class: "cw-hit-bars" }, ...bars),
    make("span", { class: "cw-hit-total" }, total.toFixed(2))));
  }
}

/** A bar of a share from 0 to 1. */
function bar(name, share) {
  const filled = make("span", { class: `cw-fill cw-fill-${name}` });
  filled.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return make("span", { class: "cw-share", title: `${name}: ${share.toFixed(3)}` },
    make("span", { class: "cw-share-name" }, name), make("span", { class: "cw-track" }, filled),
    make("span", { class: "cw-share-value" }, share.toFixed(2)));
}

function sameHeadings(a, b) {
  return JSON.stringify(a?.headings ?? []) === JSON.stringify(b?.headings ?? []);
}
