/**
 * @file BM25 over the chunks of a view, with the words of neighbours: the library's own formula and
 * its defaults, so that a page without a service finds what the library finds by words.
 */

const K1 = 1.2, B = 0.75, SMOOTHING = 0.5, REACH = 200, FULL_TOKENS = 150, NONE_TOKENS = 300;
const LEAST_COUNT = 1 / 1048576;
/** How long the page may be busy at once, in milliseconds. */
const SLICE = 12;

const pause = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/** What a word counts where it has other accents, and a character beside its pairs. */
const ACCENTED = 0.5, ALONE = 0.3;

/** Give a term, its first letters, and both without accents; and whether it makes a text longer. */
function withBeside(term, kind, give) {
  const prefix = prefixOf(term, kind);
  give(term, kind !== CHARACTER);
  if (prefix) give(prefix, true);
  if (kind !== WORD) return;
  for (const each of prefix ? [term, prefix] : [term]) {
    const bare = withoutAccents(each);
    if (bare !== each) give(`${bare}~`, false);
  }
}

/** The terms of a question: what each counts, and its spellings with what these count. */
function questionTerms(question) {
  const terms = new Map();
  const add = (term, share, is_word) => {
    const known = terms.get(term) ?? { share: 0, is_word: false };
    terms.set(term, { share: Math.max(known.share, share), is_word: known.is_word || is_word });
  };
  eachTerm(question, (term, kind) => {
    add(term, kind === CHARACTER ? ALONE : 1, kind === WORD);
    const prefix = prefixOf(term, kind);
    if (prefix) add(prefix, 1, true);
  });
  return Array.from(terms, ([term, { share, is_word }]) => {
    const spellings = [[term, 1]];
    if (is_word) {
      const bare = withoutAccents(term);
      if (bare !== term) spellings.push([bare, ACCENTED]);
      spellings.push([`${bare}~`, ACCENTED]);
    }
    return { share, spellings };
  });
}

/** Parts of a text that a question's terms match: by the whole word, or by its first letters. */
function matchesIn(text, terms) {
  const wanted = new Set(terms.flatMap(({ spellings }) => spellings.map(([spelling]) => spelling)));
  const found = [];
  eachTerm(text, (term, kind, start, end) => {
    const forms = [];
    withBeside(term, kind, (form) => { if (wanted.has(form)) forms.push(form); });
    if (forms.length) found.push({ start, end, exact: forms.some((form) => !form.includes("*")) });
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
    const count = (term, is_longer) => {
      if (is_longer) this.lengths[chunk] += 1;
      let posting = this.postings.get(term);
      if (!posting) this.postings.set(term, posting = { chunks: [], counts: [] });
      const last = posting.chunks.length - 1;
      if (posting.chunks[last] === chunk) posting.counts[last] += 1;
      else { posting.chunks.push(chunk); posting.counts.push(1); }
    };
    eachTerm(text, (term, kind) => withBeside(term, kind, count));
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
    for (const { share, spellings } of questionTerms(question)) {
      const own = new Float64Array(n);
      for (const [spelling, counts] of spellings) {
        const posting = this.postings.get(spelling);
        posting?.chunks.forEach((chunk, i) => { own[chunk] += counts * posting.counts[i]; });
      }
      const held = own.reduce((sum, count) => sum + (count > 0), 0);
      if (!held) continue;
      const weight = share * Math.log(1 + (n - held + 0.5) / (held + 0.5)) * (K1 + 1);
      bound += weight;
      const around = this.given(own, LEAST_COUNT);
      for (let i = 0; i < n; i += 1) {
        const count = own[i] + this.shares[i] * around[i];
        if (count > 0) scores[i] += (weight * count) / (count + this.norms[i]);
      }
    }
    return scores.map((score) => (bound > 0 ? score / bound : 0));
  }
}
