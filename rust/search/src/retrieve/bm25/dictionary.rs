//! Dictionary of terms and their numbers, while a segment is built.

use std::collections::HashMap;

use super::term_table::TermTable;
use chunkwright_text::measure::bpe::key::Key;

/// Numbers terms in the order in which they come.
///
/// The standard library hashes them with a key that nobody knows, so no text can be made whose terms collide;
/// no number depends on it. Some 30 to 60 bytes a term.
#[derive(Debug, Default)]
pub struct Dictionary {
    /// Terms that are found with one look into memory, as nearly all are.
    short: HashMap<Key, u32>,
    long: HashMap<Box<str>, u32>,
}

impl Dictionary {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// The number of `term`, which gets the next one if it has none. Builders end before there are too many.
    #[inline]
    pub fn number(&mut self, term: &str) -> u32 {
        let next = u32::try_from(self.len()).unwrap_or(u32::MAX);
        match short(term) {
            Some(key) => *self.short.entry(key).or_insert(next),
            None => self.number_of_long(term, next),
        }
    }

    fn number_of_long(&mut self, term: &str, next: u32) -> u32 {
        if let Some(&number) = self.long.get(term) {
            return number;
        }
        self.long.insert(term.into(), next);
        next
    }

    /// The terms in their order, with their numbers.
    ///
    /// # Errors
    /// Those of [`TermTable::of`].
    pub fn into_table(self) -> chunkwright_text::error::Result<TermTable> {
        let Self { short, long } = self;
        let short: Vec<_> =
            short.into_iter().map(|(key, number)| (key.padded(), key.len(), number)).collect();
        let short = short.iter().map(|(bytes, len, number)| (&bytes[..*len], *number));
        TermTable::of(short.chain(long.iter().map(|(term, &number)| (term.as_bytes(), number))))
    }
}

/// The term in a register, if it fits there.
#[inline]
fn short(term: &str) -> Option<Key> {
    (term.len() <= Key::MAX_LEN).then(|| Key::load(term.as_bytes(), term.len()))
}
