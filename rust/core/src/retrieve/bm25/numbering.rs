//! Numbering of terms and of their subwords while an index is built.

use super::dictionary::Dictionary;
use super::term_table::TermTable;
use crate::error::Result;
use crate::segment::terms::Term;
use crate::segment::terms::subwords::Subwords;

/// A text has at most so many terms, and all texts of a segment together have fewer different ones, but for the
/// subwords of the last word.
pub const MAX_TERMS: u32 = 1 << 31;

/// Gives terms their numbers, and remembers those of a word's subwords, so that they are looked up once for
/// each word and not each time that it occurs.
///
/// Beside the dictionary 8 bytes a term, and 4 for each subword of each word and 4 more.
#[derive(Debug)]
pub struct Numbering {
    dictionary: Dictionary,
    subwords: Option<Subwords>,
    /// Where the list of each term's subwords begins; 0 where it is not made yet.
    lists_begin: Vec<usize>,
    /// How many subwords a word has, and their numbers; the first place is nobody's.
    lists: Vec<u32>,
    /// Room for one subword.
    marked: String,
}

impl Numbering {
    pub fn new(subwords: Option<Subwords>) -> Self {
        let (dictionary, marked) = (Dictionary::default(), String::new());
        Self { dictionary, subwords, lists_begin: Vec::new(), lists: vec![0], marked }
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

    /// Gives the number of `term`, then those of its subwords; nothing once it is full.
    #[inline]
    pub fn for_each_number(&mut self, term: Term<'_>, mut give: impl FnMut(u32)) {
        if self.is_full() {
            return;
        }
        let number = self.dictionary.number(term.text);
        give(number);
        match self.subwords {
            Some(subwords) if subwords.may_be_in(term) => {
                self.subwords_of(term, number, subwords).iter().copied().for_each(give);
            }
            _ => {}
        }
    }

    /// The numbers of the subwords of the `term` with this number.
    fn subwords_of(&mut self, term: Term<'_>, number: u32, subwords: Subwords) -> &[u32] {
        let number = number as usize;
        if number >= self.lists_begin.len() {
            self.lists_begin.resize(number + 1, 0);
        }
        if self.lists_begin[number] == 0 {
            self.lists_begin[number] = self.lists.len();
            self.add_list(term, subwords);
        }
        let begin = self.lists_begin[number];
        let n = self.lists[begin] as usize;
        &self.lists[begin + 1..=begin + n]
    }

    fn add_list(&mut self, term: Term<'_>, subwords: Subwords) {
        let Self { dictionary, lists, marked, .. } = self;
        let begin = lists.len();
        lists.push(0);
        subwords.of(term, marked, |subword| lists.push(dictionary.number(subword)));
        // A word has few: see `MAX_TERM_CHARS`.
        lists[begin] = u32::try_from(lists.len() - begin - 1).unwrap_or(u32::MAX);
    }

    /// The terms in their order.
    ///
    /// # Errors
    /// [`Error::Config`](crate::error::Error::Config) if there are too many.
    pub fn into_table(self) -> Result<TermTable> {
        self.dictionary.into_table()
    }
}
