//! Scanner for words in the raw text.

use super::normalizer::{CharRole, Normalizer};
use crate::measure::bpe::swar;

/// Finds words: the longest runs of letters and of what is hidden between them, and what stands alone.
#[derive(Clone, Debug)]
pub struct Scanner {
    pub normalizer: Normalizer,
    ascii: [CharRole; 128],
}

/// Unit that begins at a place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Something between words that ends there.
    Space(usize),
    /// One code point that ends there and is one token.
    Alone(usize),
    /// A word of letters that ends there.
    Word(usize),
}

impl Scanner {
    /// A scanner of texts that `normalizer` is applied to.
    pub fn new(normalizer: Normalizer) -> Self {
        let kind = |byte: usize| normalizer.kind(u8::try_from(byte).map_or('\0', char::from));
        Self { normalizer, ascii: std::array::from_fn(kind) }
    }

    /// The role of `c`.
    #[inline]
    pub fn kind(&self, c: char) -> CharRole {
        match self.ascii.get(c as usize) {
            Some(&kind) => kind,
            None => self.normalizer.kind(c),
        }
    }

    /// The kind of the code point at `at`, and where it ends; none at the end of the text.
    #[inline]
    pub fn kind_at(&self, text: &str, at: usize) -> Option<(CharRole, usize)> {
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii() {
            return Some((self.ascii[usize::from(byte)], at + 1));
        }
        let c = text[at..].chars().next()?;
        Some((self.normalizer.kind(c), at + c.len_utf8()))
    }

    /// The unit at `at`; none at the end of the text. O(length of the unit).
    #[inline(always)]
    pub fn unit(&self, text: &str, at: usize) -> Option<Unit> {
        let end = swar::word_end(text.as_bytes(), at);
        if end > at && text.as_bytes().get(end).is_none_or(|&byte| self.ends_word(byte)) {
            return Some(Unit::Word(end));
        }
        self.any_unit(text, at, end)
    }

    /// The unit at `at`, of which `at..end` are ASCII letters and digits.
    #[inline]
    fn any_unit(&self, text: &str, at: usize, end: usize) -> Option<Unit> {
        if end == at {
            let (kind, end) = self.kind_at(text, at)?;
            match kind {
                CharRole::Space => return Some(Unit::Space(end)),
                CharRole::Alone => return Some(Unit::Alone(end)),
                CharRole::Letter | CharRole::Hidden => {}
            }
        }
        Some(Unit::Word(self.word_end(text, end)))
    }

    /// Whether `byte`, after an ASCII letter or digit, ends the word for certain.
    #[inline(always)]
    fn ends_word(&self, byte: u8) -> bool {
        byte.is_ascii()
            && matches!(self.ascii[usize::from(byte)], CharRole::Space | CharRole::Alone)
    }

    /// The end of the word that `at` is in or at the end of.
    pub fn word_end(&self, text: &str, mut at: usize) -> usize {
        while let Some((CharRole::Letter | CharRole::Hidden, next)) = self.kind_at(text, at) {
            at = swar::word_end(text.as_bytes(), next);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::wordpiece::BertNormalizer;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn units_are_runs_of_kinds(text in "[a-cA-C0-9.!\u{0}\u{c}\u{85} \n\u{a0}éß漢\u{301}\u{ad}—≠]{0,40}", steps: [bool; 3]) {
            let [clean_text, handle_chinese_chars, lowercase] = steps;
            let options = BertNormalizer { clean_text, handle_chinese_chars, strip_accents: None, lowercase };
            let scanner = Scanner::new(Normalizer::new(Some(options)));
            let kind = |c| scanner.normalizer.kind(c);
            let mut at = 0;
            while let Some(unit) = scanner.unit(&text, at) {
                let mut rest = text[at..].char_indices();
                let (_, first) = rest.next().unwrap();
                let next = at + first.len_utf8();
                let in_word = |c: char| matches!(kind(c), CharRole::Letter | CharRole::Hidden);
                let word_end = at + rest.find(|&(_, c)| !in_word(c)).map_or(text.len() - at, |(i, _)| i);
                let expected = match kind(first) {
                    CharRole::Space => Unit::Space(next),
                    CharRole::Alone => Unit::Alone(next),
                    CharRole::Letter | CharRole::Hidden => Unit::Word(word_end),
                };
                prop_assert_eq!(unit, expected);
                let (Unit::Space(end) | Unit::Alone(end) | Unit::Word(end)) = unit;
                at = end;
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
