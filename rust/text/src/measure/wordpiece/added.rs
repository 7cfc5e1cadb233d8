//! Added tokens of WordPiece, found before a text is cut into words: `[CLS]`, `<mask>`.
//!
//! Only such are taken that nothing around them changes: see [`AddedTokens::new`]. Then each place where
//! the content of one stands is a token, and a part of one is text like any other.

use super::chars::Properties;
use super::normalizer::{CharRole, Normalizer, Word};
use crate::error::{Error, Result};
use crate::measure::AddedToken;
use crate::measure::trie::Trie;
use crate::span::Span;

/// Added tokens, found by their first byte.
#[derive(Clone, Debug)]
pub struct AddedTokens {
    normalizer: Normalizer,
    /// Those found in the raw text come first, those found in the normalised one second.
    contents: Trie,
    has_normalized: bool,
    first_bytes: FirstBytes,
}

impl AddedTokens {
    /// Checks that the tokens keep counts local. The content of one begins and ends with what is a word
    /// by itself, so that no word reaches into it; it has no whitespace; and it overlaps neither itself
    /// nor another, so that none depends on what was found before it. `single_word` is refused, because
    /// it looks at what is around.
    ///
    /// `lstrip` and `rstrip` change no count: the whitespace that they take has no tokens.
    ///
    /// # Errors
    /// [`Error::Tokenizer`], naming the token that is not like that.
    pub fn new(tokens: &[AddedToken], normalizer: Normalizer) -> Result<Self> {
        tokens.iter().try_for_each(|token| check(token, normalizer))?;
        let texts: Vec<String> = tokens.iter().map(|token| normalized(token, normalizer)).collect();
        let [mut in_raw, mut in_normalized] = [Vec::new(), Vec::new()];
        for (token, text) in tokens.iter().zip(&texts) {
            if token.normalized {
                in_normalized.push((text.as_str(), token.id));
            } else {
                in_raw.push((token.content.as_str(), token.id));
            }
        }
        if in_normalized.is_empty() {
            check_overlaps(&in_raw)?;
        } else {
            // What overlaps in the raw text does so in the normalised one, too.
            check_overlaps(&texts.iter().map(|text| (text.as_str(), 0)).collect::<Vec<_>>())?;
        }
        let has_normalized = !in_normalized.is_empty();
        let first_bytes = FirstBytes::new(&in_raw, &in_normalized, normalizer);
        Ok(Self {
            normalizer,
            contents: Trie::new([in_raw, in_normalized]),
            has_normalized,
            first_bytes,
        })
    }

    /// The first added token that begins in `text[at..stop]`, and its id. O(`stop - at`).
    pub fn find(&self, text: &str, mut at: usize, stop: usize) -> Option<(Span, u32)> {
        while let Some(start) = self.first_bytes.find(&text.as_bytes()[..stop], at) {
            if let Some((end, id)) = self.token_at(text, start) {
                return Some((Span::new(start, end), id));
            }
            at = start + 1;
        }
        None
    }

    /// The end and id of the token at byte `start`, if one is there.
    fn token_at(&self, text: &str, start: usize) -> Option<(usize, u32)> {
        if !text.is_char_boundary(start) {
            return None;
        }
        let raw = self.raw_at(text, start);
        if raw.is_none() && self.has_normalized { self.normalized_at(text, start) } else { raw }
    }

    /// The end and id of the token of the raw text at `start`, if one is there.
    fn raw_at(&self, text: &str, start: usize) -> Option<(usize, u32)> {
        let mut place = Trie::FIRST;
        for (i, c) in text[start..].char_indices() {
            place = self.contents.step(place, c)?;
            if let Some(id) = self.contents.id(place) {
                return Some((start + i + c.len_utf8(), id));
            }
        }
        None
    }

    /// The end and id of the token of the normalised text at `start`, if one is there.
    fn normalized_at(&self, text: &str, start: usize) -> Option<(usize, u32)> {
        let mut place = Trie::SECOND;
        for (i, c) in text[start..].char_indices() {
            match self.normalizer.kind(c) {
                CharRole::Hidden if i > 0 => continue,
                CharRole::Hidden | CharRole::Space => return None,
                CharRole::Letter | CharRole::Alone => {}
            }
            for letter in self.normalizer.letters(c) {
                place = self.contents.step(place, letter)?;
            }
            if let Some(id) = self.contents.id(place) {
                return Some((start + i + c.len_utf8(), id));
            }
        }
        None
    }
}

/// The content of `token`, normalised.
pub fn normalized(token: &AddedToken, normalizer: Normalizer) -> String {
    let mut word = Word::default();
    for c in token.content.chars().filter(|&c| normalizer.kind(c) != CharRole::Hidden) {
        word.push(normalizer, c);
    }
    word.letters().iter().collect()
}

/// Refuses a token to which it matters what is around it.
fn check(token: &AddedToken, normalizer: Normalizer) -> Result<()> {
    let content = &token.content;
    let stands_alone = |c: Option<char>| c.is_some_and(|c| normalizer.kind(c) == CharRole::Alone);
    let is_space = |c: char| c.is_whitespace() || normalizer.kind(c) == CharRole::Space;
    let is_mark = |c: char| Properties::of(c).combining_class() > 0;
    let why = if token.single_word {
        "has single_word set"
    } else if !stands_alone(content.chars().next()) || !stands_alone(content.chars().next_back()) {
        "does not begin and end with punctuation"
    } else if content.chars().any(is_space) {
        "contains whitespace"
    } else if token.normalized && content.chars().any(|c| normalizer.is_spaced(c)) {
        "is normalized and contains a Chinese character"
    } else if token.normalized && normalized(token, normalizer).chars().any(is_mark) {
        "is normalized and contains a combining mark"
    } else {
        return Ok(());
    };
    Err(refused(content, why))
}

fn refused(content: &str, why: &str) -> Error {
    let content: String = content.chars().take(80).collect();
    Error::Tokenizer(format!("added token {content:?} {why}: not counted natively"))
}

/// Refuses contents of which one could begin before another one ends.
fn check_overlaps(contents: &[(&str, u32)]) -> Result<()> {
    let trie = Trie::new([contents.to_vec(), Vec::new()]);
    let mut sorted: Vec<&str> = contents.iter().map(|(content, _)| *content).collect();
    sorted.sort_unstable();
    let twin = sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let overlaps =
        |content: &&str| content.char_indices().any(|(i, _)| overlaps_at(&trie, content, i));
    match twin.or_else(|| sorted.iter().copied().find(overlaps)) {
        Some(content) => Err(refused(content, "overlaps itself or another")),
        None => Ok(()),
    }
}

/// Whether a content that begins at byte `i` of `content` ends in it, or begins with all of its rest.
fn overlaps_at(contents: &Trie, content: &str, i: usize) -> bool {
    let mut place = Trie::FIRST;
    let mut rest = content[i..].chars();
    while let Some(c) = rest.next() {
        let Some(next) = contents.step(place, c) else { return false };
        place = next;
        let is_itself = i == 0 && rest.as_str().is_empty();
        if contents.id(place).is_some() {
            return !is_itself;
        }
    }
    true
}

/// No greater code point becomes punctuation that it was not.
const LAST_CHANGED: char = '\u{232a}';

/// The bytes that added tokens begin with.
#[derive(Clone, Debug)]
struct FirstBytes {
    bytes: Vec<u8>,
    is_one: [bool; 256],
}

impl FirstBytes {
    fn new(in_raw: &[(&str, u32)], in_normalized: &[(&str, u32)], normalizer: Normalizer) -> Self {
        let first = |content: &(&str, u32)| content.0.chars().next();
        let mut chars: Vec<char> = in_raw.iter().filter_map(first).collect();
        let letters: Vec<char> = in_normalized.iter().filter_map(first).collect();
        let becomes_one = |c: &char| normalizer.letters(*c).any(|letter| letters.contains(&letter));
        if !letters.is_empty() {
            chars.extend(('\0'..=LAST_CHANGED).filter(becomes_one));
        }
        chars.extend(letters);
        let mut is_one = [false; 256];
        for c in chars {
            is_one[usize::from(c.encode_utf8(&mut [0; 4]).as_bytes()[0])] = true;
        }
        Self { bytes: (0..=u8::MAX).filter(|&byte| is_one[usize::from(byte)]).collect(), is_one }
    }

    /// The first of them in `bytes[at..]`.
    fn find(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let found = match self.bytes[..] {
            [] => None,
            [a] => memchr::memchr(a, rest),
            [a, b] => memchr::memchr2(a, b, rest),
            [a, b, c] => memchr::memchr3(a, b, c, rest),
            _ => rest.iter().position(|&byte| self.is_one[usize::from(byte)]),
        };
        found.map(|found| at + found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::wordpiece::BertNormalizer;

    fn token(content: &str, normalized: bool) -> AddedToken {
        let [special, single_word, lstrip, rstrip] = [true, false, false, false];
        AddedToken {
            id: 0,
            content: content.into(),
            special,
            single_word,
            lstrip,
            rstrip,
            normalized,
        }
    }

    fn steps(strip_accents: bool, lowercase: bool) -> Normalizer {
        let strip_accents = Some(strip_accents);
        let (clean_text, handle_chinese_chars) = (true, true);
        let options = BertNormalizer { clean_text, handle_chinese_chars, strip_accents, lowercase };
        Normalizer::new(Some(options))
    }

    #[test]
    fn no_greater_code_point_becomes_punctuation() {
        for normalizer in [steps(true, true), steps(true, false), steps(false, true)] {
            for c in (LAST_CHANGED..=char::MAX).skip(1) {
                if normalizer.kind(c) == CharRole::Alone && !normalizer.is_spaced(c) {
                    assert!(normalizer.letters(c).eq([c]), "{c:?}");
                }
            }
        }
    }

    #[test]
    fn tokens_that_depend_on_what_is_around_are_refused() {
        let refused = |tokens: &[AddedToken]| {
            AddedTokens::new(tokens, steps(true, true)).err().map(|error| error.to_string())
        };
        let why = |content: &str, why: &str| {
            Some(format!("added token {content:?} {why}: not counted natively"))
        };
        let not_alone = "does not begin and end with punctuation";
        let overlaps = "overlaps itself or another";
        assert_eq!(
            refused(&[token("[CLS]", false), token("<s>", true), token("</s>", false)]),
            None
        );
        assert_eq!(refused(&[token("word", false)]), why("word", not_alone));
        assert_eq!(refused(&[token("<s", false)]), why("<s", not_alone));
        assert_eq!(refused(&[token("[A B]", false)]), why("[A B]", "contains whitespace"));
        assert_eq!(refused(&[token("--", false)]), why("--", overlaps));
        assert_eq!(refused(&[token("[a]", false), token("<[a]>", false)]), why("<[a]>", overlaps));
        assert_eq!(refused(&[token("[a.", false), token(".b]", false)]), why("[a.", overlaps));
        assert_eq!(refused(&[token("[A]", false), token("[a]", true)]), why("[a]", overlaps));
        assert_eq!(refused(&[token("[A]", false), token("[a]", false)]), None);
        let single_word = AddedToken { single_word: true, ..token("[A]", false) };
        assert_eq!(refused(&[single_word]), why("[A]", "has single_word set"));
    }
}
