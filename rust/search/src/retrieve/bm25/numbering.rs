//! Numbering of terms and of their subwords while an index is built.

use super::beside::{Beside, BesideWords};
use super::dictionary::Dictionary;
use super::term_table::TermTable;
use chunkwright_text::error::Result;
use chunkwright_text::segment::terms::subwords::Subwords;
use chunkwright_text::segment::terms::{Term, TermKind};

/// A text has at most so many terms, and all texts of a segment together have fewer different ones, but for the
/// subwords of the last word.
pub const MAX_TERMS: u32 = 1 << 31;

/// Gives terms their numbers, and remembers those of the terms beside a word, so that they are looked up once for
/// each word and not each time that it occurs.
///
/// Beside the dictionary 8 bytes a term, and 4 for each term beside each word and 8 more.
#[derive(Debug)]
pub struct Numbering {
    dictionary: Dictionary,
    subwords: Option<Subwords>,
    /// Where the list of the terms beside each term begins; 0 where it is not made yet.
    lists_begin: Vec<usize>,
    /// How many subwords a word has, how many terms without accents are beside it, and the numbers of all of
    /// these; the first place is nobody's.
    lists: Vec<u32>,
    beside: BesideWords,
}

impl Numbering {
    pub fn new(subwords: Option<Subwords>) -> Self {
        let (dictionary, beside) = (Dictionary::default(), BesideWords::default());
        Self { dictionary, subwords, lists_begin: Vec::new(), lists: vec![0], beside }
    }

    /// What counts beside words.
    pub const fn subwords(&self) -> Option<Subwords> {
        self.subwords
    }

    /// How many terms have a number, subwords included.
    pub fn n_terms(&self) -> usize {
        self.dictionary.len()
    }

    /// Whether no further term gets a number.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.n_terms() >= MAX_TERMS as usize
    }

    /// Gives the number of `term`, then those of the terms beside it, each with whether it makes its text longer;
    /// nothing once it is full.
    ///
    /// A word without its accents and a character of pairs are ways to find what is there already.
    #[inline]
    pub fn for_each_number(&mut self, term: Term<'_>, mut give: impl FnMut(u32, bool)) {
        if self.is_full() {
            return;
        }
        let number = self.dictionary.number(term.text);
        give(number, term.kind != TermKind::Character);
        if BesideWords::may_be(term, self.subwords) {
            let (subwords, bare) = self.beside(term, number);
            for &number in subwords {
                give(number, true);
            }
            for &number in bare {
                give(number, false);
            }
        }
    }

    /// The numbers of the subwords of the `term` with this number, and of those terms beside it that have no
    /// accents any more.
    fn beside(&mut self, term: Term<'_>, number: u32) -> (&[u32], &[u32]) {
        let number = number as usize;
        if number >= self.lists_begin.len() {
            self.lists_begin.resize(number + 1, 0);
        }
        if self.lists_begin[number] == 0 {
            self.lists_begin[number] = self.lists.len();
            self.add_list(term);
        }
        let begin = self.lists_begin[number];
        let [n_subwords, n_bare] = [begin, begin + 1].map(|at| self.lists[at] as usize);
        let numbers = &self.lists[begin + 2..begin + 2 + n_subwords + n_bare];
        numbers.split_at(n_subwords)
    }

    fn add_list(&mut self, term: Term<'_>) {
        let Self { dictionary, subwords, lists, beside, .. } = self;
        let (begin, mut all_bare) = (lists.len(), Vec::new());
        lists.extend([0, 0]);
        beside.of(term, *subwords, |beside| match beside {
            Beside::Subword(subword) => lists.push(dictionary.number(subword)),
            Beside::Bare(bare) => all_bare.push(dictionary.number(bare)),
        });
        // A word has few: see `MAX_TERM_CHARS`.
        lists[begin] = u32::try_from(lists.len() - begin - 2).unwrap_or(u32::MAX);
        lists[begin + 1] = u32::try_from(all_bare.len()).unwrap_or(u32::MAX);
        lists.append(&mut all_bare);
    }

    /// The terms in their order.
    ///
    /// # Errors
    /// [`Error::Config`](chunkwright_text::error::Error::Config) if there are too many.
    pub fn into_table(self) -> Result<TermTable> {
        self.dictionary.into_table()
    }
}
