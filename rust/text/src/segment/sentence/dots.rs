//! Rules for a single dot, from the word before it and the one behind.
//!
//! A dot is judged by the word before it and the one behind, in this order:
//!
//! | before the dot | behind it | ends the sentence | as in |
//! |---|---|---|---|
//! | anything | lower case | no, unless the text has no capitals, or a bracket or `%` stands before | `a dr. appointment` |
//! | nothing, or an address | any | yes | `See https://example.org/a.html. \| Then go.` |
//! | the mark of the item itself | any | no | `1. One thing` |
//! | a title | any | no | `Dr. Smith` |
//! | an abbreviation before numbers | a number | no | `fig. 3` |
//! | one of time or degree | a capital | yes, unless all before it is an opening phrase | `at 5 p.m. \| He left.` `In the morning at 6 a.m. Sue woke up.` |
//! | any other abbreviation, initials, ordinals | a word that opens sentences | yes | `Acme Inc. \| It was founded` |
//! | the same | any other word | no | `J. Smith` `Am 3. Mai` |
//! | a word | a capital | yes | `He came. \| She left.` |
//!
//! Which word is an abbreviation of which kind, and which opens sentences, the lists of a language say
//! ([`abbreviations`](super::abbreviations)).

use super::abbreviations::AbbreviationKind;
use super::initials;
use super::rules::Context;
use super::runs::TerminatorRun;
use super::words::{self, Next, Word};
use crate::unicode::space::skip_space;

/// So much of a sentence tells whether it is written without capitals.
const STYLE_BYTES: usize = 256;

impl Context<'_> {
    /// Whether the dot at `at`, which is all of `run`, ends the sentence before `following`.
    pub(super) fn ends_dot(&self, at: usize, run: TerminatorRun, following: Next<'_>) -> bool {
        let word = words::before(self.text, self.start, at);
        if following.is_lower() {
            return run.closed == run.end && self.ends_before_lower(at, word, run);
        }
        if word.text.is_empty() || self.is_in_address(word) {
            return true;
        }
        if self.is_item_mark(word) {
            return false;
        }
        if self.is_label(word) {
            return false;
        }
        let is_spaced = initials::is_spaced_part(self.before(word.start), word.text);
        let is_shaped = is_spaced
            || initials::is_initials(word.text)
            || initials::is_dotted(word.text, self.language);
        // The last part of a shaped one may be something else by itself, as "ex" and "Hr" are.
        let is_other = |kind| match kind {
            AbbreviationKind::Numbered => is_shaped,
            AbbreviationKind::Trailing => is_spaced,
            _ => false,
        };
        if let Some(kind) = words::kind(word.text, self.language).filter(|&kind| !is_other(kind)) {
            return self.ends_abbreviation(kind, at, following);
        }
        if following.is_digit() && words::is_cut_off(word.text, self.language) {
            return false;
        }
        let goes_on = is_shaped || self.is_ordinal(word, following);
        !goes_on || following.is_opener(self.language)
    }

    /// Whether the dot at `at` ends a sentence although the next word has no capital: behind a bracket,
    /// in texts that have none, and before a quotation.
    fn ends_before_lower(&self, at: usize, word: Word<'_>, run: TerminatorRun) -> bool {
        if self.before(at).ends_with([')', ']', '%']) {
            return true;
        }
        let is_quoted = || {
            let behind = skip_space(self.text, run.closed);
            self.language.is_english() && self.text[behind..].starts_with(['"', '“'])
        };
        if !self.is_without_capitals(at) && !is_quoted() {
            return false;
        }
        let kind = words::kind(word.text, self.language);
        let is_word = matches!(kind, None | Some(AbbreviationKind::Numbered))
            && !(word.text.contains('.') && word.text.contains(char::is_alphabetic))
            && !initials::is_initials(word.text);
        is_word && !self.is_item_mark(word)
    }

    /// Whether the sentence has letters before `at`, but none of them a capital. O(1).
    pub(super) fn is_without_capitals(&self, at: usize) -> bool {
        let end = self.text.floor_char_boundary(at.min(self.start + STYLE_BYTES)).max(self.start);
        let known = &self.text[self.start..end];
        if known.starts_with(|c: char| c.is_ascii_uppercase()) {
            return false;
        }
        let has_capital = if known.is_ascii() {
            known.bytes().fold(false, |found, byte| found | byte.is_ascii_uppercase())
        } else {
            known.contains(char::is_uppercase)
        };
        !has_capital && known.contains(char::is_lowercase)
    }

    /// Whether an abbreviation before the dot at `at` ends its sentence.
    fn ends_abbreviation(&self, kind: AbbreviationKind, at: usize, following: Next<'_>) -> bool {
        let opens = || following.is_opener(self.language);
        match kind {
            AbbreviationKind::Title => false,
            AbbreviationKind::Numbered => !following.is_label(),
            AbbreviationKind::Trailing => !following.is_digit() && (!self.is_front(at) || opens()),
            AbbreviationKind::Time => {
                !following.is_date() && (following.is_digit() || !self.is_front(at) || opens())
            }
            AbbreviationKind::Plain | AbbreviationKind::Capital | AbbreviationKind::Lower => {
                opens()
            }
        }
    }

    /// Whether `word` numbers the sentence itself, or is the initial that it begins with.
    fn is_item_mark(&self, word: Word<'_>) -> bool {
        let is_mark = || {
            self.mark.is_some()
                || words::is_roman(word.text)
                || (!word.text.is_ascii() && word.text.chars().all(char::is_numeric))
                || (initials::is_initials(word.text) && !word.text.contains('.'))
        };
        word.start == self.item && is_mark()
    }

    /// Whether `word` is the end of an address, whose parts are no abbreviations.
    fn is_in_address(&self, word: Word<'_>) -> bool {
        let before = &self.text[self.start..word.start];
        before.ends_with('@')
            || (before.ends_with('/') && word.text.starts_with(char::is_lowercase))
    }
}
