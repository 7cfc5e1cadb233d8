/* Ranks the results of the site's search: guides before the reference, unless a name is asked for,
   and of guides those first whose title and headings have the words of the query, rare ones most. */

// Pages that speak of everything: a page with the word in its title comes before them.
const BROAD = /^(README|index|overview|architecture|benchmarks.*|coverage|differences.*|releasing)$/;
// `Store.search`, `max_tokens`, `chunkByTitle`: one word, written as names of code are.
const NAME = /^\w+([._]\w+)+$|^\w*[a-z][A-Z]\w*$/;

// The inverse document frequency: a word in the headings of few pages tells more than a common one.
function weightOf(term) {
  const { docnames, titleterms } = Search._index;
  const count = [titleterms[term] ?? []].flat().length;
  return Math.log(1 + docnames.length / (1 + count));
}

function scoreOfPage(page, terms) {
  const index = Search._index;
  const number = index.docnames.indexOf(page);
  const hasIn = (numbers) => [numbers ?? []].flat().includes(number);
  const share = (some) => sum(some.map(weightOf)) / sum(terms.map(weightOf));
  const inHeadings = terms.filter((term) => hasIn(index.titleterms[term]));
  const stemmer = new Stemmer();
  const title = splitQuery(index.titles[number].toLowerCase()).map((word) => stemmer.stemWord(word));
  const inTitle = terms.filter((term) => title.includes(term));
  const all = inHeadings.length === terms.length ? 20 : 0;
  const specific = (5 * inTitle.length) / title.length;  // of two titles, the shorter one
  return 30 * share(inTitle) + 20 * share(inHeadings) + all + specific;
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
    const [, terms] = Search._parseQuery(query);
    if (page.startsWith("reference/") || kind === SearchResultKind.object) {
      return score + (NAME.test(query) ? 200 : 0) + (title.endsWith(`.${query}`) ? 20 : 0);
    }
    const broad = BROAD.test(page) ? -10 : 0;
    return 100 + score / 2 + broad + scoreOfPage(page, [...terms]);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
