/**
 * @file BM25 over the chunks of a view, with the words of neighbours: the library's own formula and
 * its defaults, so that a page without a service finds what the library finds by words.
 */

const K1 = 1.2, B = 0.75, SMOOTHING = 0.5, REACH = 200, FULL_TOKENS = 150, NONE_TOKENS = 300;
const LEAST_COUNT = 1 / 1048576;
/** How long the page may be busy at once, in milliseconds. */
const SLICE = 12;

const pause = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/** The terms of a question, each once, with those of first letters. */
function questionTerms(question) {
  const terms = new Set();
  eachTerm(question, (term, is_alphabetic) => {
    terms.add(term);
    const prefix = prefixOf(term, is_alphabetic);
    if (prefix) terms.add(prefix);
  });
  return terms;
}

/** Parts of a text that a question's terms match: by the whole word, or by its first letters. */
function matchesIn(text, terms) {
  const found = [];
  eachTerm(text, (term, is_alphabetic, start, end) => {
    if (terms.has(term)) found.push({ start, end, exact: true });
    else if (terms.has(prefixOf(term, is_alphabetic))) found.push({ start, end, exact: false });
  });
  return found;
}

class WordIndex {
  constructor(sizes) {
    this.sizes = sizes;
    this.postings = new Map();
    this.lengths = new Float64Array(sizes.length);
  }

  /** Index the chunks of a cut, without keeping the page busy. @param {Cut} cut */
  static async of(cut) {
    const index = new WordIndex(cut.rows.map((row) => row.n_tokens));
    let began = performance.now();
    for (let i = 0; i < cut.length; i += 1) {
      index.add(i, cut.searchedOf(i));
      if (performance.now() - began > SLICE) {
        await pause();
        began = performance.now();
      }
    }
    index.finish();
    return index;
  }

  add(chunk, text) {
    const count = (term) => {
      this.lengths[chunk] += 1;
      let posting = this.postings.get(term);
      if (!posting) this.postings.set(term, posting = { chunks: [], counts: [] });
      const last = posting.chunks.length - 1;
      if (posting.chunks[last] === chunk) posting.counts[last] += 1;
      else { posting.chunks.push(chunk); posting.counts.push(1); }
    };
    eachTerm(text, (term, is_alphabetic) => {
      count(term);
      const prefix = prefixOf(term, is_alphabetic);
      if (prefix) count(prefix);
    });
  }

  finish() {
    const n = this.sizes.length;
    this.decays = this.sizes.map((size, i) => (
      i ? Math.exp(-(this.sizes[i - 1] + size) / 2 / REACH) : 0));
    this.shares = this.sizes.map((size) => (
      SMOOTHING * Math.min(1, Math.max(0, (NONE_TOKENS - size) / (NONE_TOKENS - FULL_TOKENS)))));
    const given = this.given(this.lengths, 0);
    const whole = this.lengths.map((length, i) => length + this.shares[i] * given[i]);
    const mean = whole.reduce((sum, length) => sum + length, 0) / Math.max(1, n) || 1;
    this.norms = whole.map((length) => K1 * (1 - B + (B * length) / mean));
  }

  /** What the neighbours of each chunk give it of some values. */
  given(values, least) {
    const n = values.length;
    const around = new Float64Array(n);
    for (let i = 1, sum = 0; i < n; i += 1) {
      const before = this.decays[i] * (sum + values[i - 1]);
      sum = before < least ? 0 : before;
      around[i] += sum;
    }
    for (let i = n - 1, sum = 0; i > 0; i -= 1) {
      const behind = this.decays[i] * (sum + values[i]);
      sum = behind < least ? 0 : behind;
      around[i - 1] += sum;
    }
    return around;
  }

  /** The score of each chunk, as a share of the best that any text could have: 0 to 1. */
  shares_of(question) {
    const n = this.sizes.length;
    const scores = new Float64Array(n);
    let bound = 0;
    for (const term of questionTerms(question)) {
      const posting = this.postings.get(term);
      if (!posting) continue;
      const held = posting.chunks.length;
      const weight = Math.log(1 + (n - held + 0.5) / (held + 0.5)) * (K1 + 1);
      bound += weight;
      const own = new Float64Array(n);
      posting.chunks.forEach((chunk, i) => { own[chunk] = posting.counts[i]; });
      const around = this.given(own, LEAST_COUNT);
      for (let i = 0; i < n; i += 1) {
        const count = own[i] + this.shares[i] * around[i];
        if (count > 0) scores[i] += (weight * count) / (count + this.norms[i]);
      }
    }
    return scores.map((score) => (bound > 0 ? score / bound : 0));
  }
}
