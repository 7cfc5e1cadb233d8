//! Terms that a word counts as beside itself: its subwords, and both without accents.

use chunkwright_text::segment::terms::accents::{MARK, without_accents};
use chunkwright_text::segment::terms::subwords::Subwords;
use chunkwright_text::segment::terms::{Term, TermKind};

/// What a word counts in a text that has it with other accents, or without.
pub const ACCENTED: f32 = 0.5;

/// A term beside a word.
#[derive(Clone, Copy, Debug)]
pub enum Beside<'b> {
    /// A subword.
    Subword(&'b str),
    /// The word or a subword without accents, if it has some; marked, so that it is told from one that has none.
    Bare(&'b str),
}

/// Finds the terms beside words; it has room for one.
#[derive(Debug, Default)]
pub struct BesideWords {
    bare: String,
    marked: String,
}

impl BesideWords {
    /// Whether there may be any: there is none beside most terms.
    #[inline]
    pub fn may_be(term: Term<'_>, subwords: Option<Subwords>) -> bool {
        let has_subwords = subwords.is_some_and(|subwords| subwords.may_be_in(term));
        has_subwords || (matches!(term.kind, TermKind::Word) && !term.text.is_ascii())
    }

    /// Gives each term beside `term` to `give`.
    pub fn of(
        &mut self,
        term: Term<'_>,
        subwords: Option<Subwords>,
        mut give: impl FnMut(Beside<'_>),
    ) {
        if !Self::may_be(term, subwords) {
            return;
        }
        let Self { bare, marked } = self;
        give_bare(term.text, bare, &mut give);
        if let Some(subwords) = subwords {
            subwords.of(term, marked, |subword| {
                give(Beside::Subword(subword));
                give_bare(subword, bare, &mut give);
            });
        }
    }

    /// Gives each spelling other than `text` under which a text may have this word or subword of a query, if any
    /// text has words with accents (`with_bare`); each counts [`ACCENTED`] there.
    pub fn other_spellings(&mut self, text: &str, with_bare: bool, mut give: impl FnMut(&str)) {
        if !with_bare && text.is_ascii() {
            return;
        }
        if without_accents(text, &mut self.bare) {
            give(&self.bare);
        }
        if with_bare {
            self.bare.push(MARK);
            give(&self.bare);
        }
    }
}

fn give_bare(text: &str, bare: &mut String, give: &mut impl FnMut(Beside<'_>)) {
    if without_accents(text, bare) {
        bare.push(MARK);
        give(Beside::Bare(bare));
    }
}
