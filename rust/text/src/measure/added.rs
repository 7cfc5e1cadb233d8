//! Added tokens of a tokenizer's file, found in a text before anything else is done.
//!
//! as the library tokenizers finds them: first those that are looked for in the text as it is, then, in
//! what is left between them, those that are looked for in the normalised text; always the leftmost
//! match, and of those the longest.
//!
//! This is for byte-level BPE and Unigram, whose texts are taken apart and normalised before they are encoded.
//! WordPiece has a finder of its own (`wordpiece::added`): it counts spans of the raw text, so it must know where in
//! that a token of the normalised text stands, and takes only tokens whose place tells all about them.
//!
//! All tokens are searched for at once by an automaton (Aho and Corasick, *Efficient String Matching*, 1975):
//! O(n) for any number of them.
//!
//! ```
//! use chunkwright_text::measure::added::AddedTokens;
//! use chunkwright_text::measure::AddedToken;
//!
//! let token = AddedToken {
//!     id: 7,
//!     content: "<mask>".into(),
//!     special: true,
//!     single_word: false,
//!     lstrip: false,
//!     rstrip: false,
//!     normalized: false,
//! };
//! let tokens = AddedTokens::new(vec![token], str::to_lowercase)?;
//! let parts = tokens.raw_parts("A <mask> text");
//! assert_eq!(parts, [(0..2, None), (2..8, Some(7)), (8..13, None)]);
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

use crate::error::{Error, Result};

/// A token that a tokenizer's file adds to its model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "the file's own properties")]
pub struct AddedToken {
    /// Its id in the file. Tokens that the vocabulary lacks are numbered in order behind it, as the peer
    /// does, which gives the same ids unless the file was edited.
    pub id: u32,
    /// Its text.
    pub content: String,
    /// Whether decoding may leave it out.
    pub special: bool,
    /// Whether it is found only where no letter or digit is next to it.
    pub single_word: bool,
    /// Whether it takes the whitespace before it.
    pub lstrip: bool,
    /// Whether it takes the whitespace after it.
    pub rstrip: bool,
    /// Whether it is looked for in the normalised text.
    pub normalized: bool,
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum TextSegment<'t> {
    /// Text for the model, normalised.
    Text(Cow<'t, str>),
    /// An added token.
    Added(u32),
}

/// Added tokens, ready to be found.
#[derive(Clone, Debug)]
pub struct AddedTokens {
    /// In the text as it is.
    raw: Option<Finder>,
    /// In the normalised text.
    normalized: Option<Finder>,
}

impl AddedTokens {
    /// Ready to find `tokens`, of which empty ones are ignored; `normalize` is what happens to a text.
    ///
    /// # Errors
    /// [`Error::Tokenizer`] if they are too many or too long to be searched for together.
    pub fn new(tokens: Vec<AddedToken>, normalize: impl Fn(&str) -> String) -> Result<Self> {
        let tokens = tokens.into_iter().filter(|token| !token.content.is_empty());
        let (mut normalized, raw): (Vec<_>, Vec<_>) = tokens.partition(|token| token.normalized);
        for token in &mut normalized {
            token.content = normalize(&token.content);
        }
        Ok(Self { raw: Finder::new(raw)?, normalized: Finder::new(normalized)? })
    }

    /// Whether one of them occurs in a text that is normalised already.
    pub fn occur_in(&self, text: &str) -> bool {
        self.occur_in_raw(text) || self.occur_in_normalized(text)
    }

    /// Whether one occurs in `text` that is looked for in the text as it is.
    pub fn occur_in_raw(&self, text: &str) -> bool {
        self.raw.as_ref().is_some_and(|finder| finder.matcher.is_match(text))
    }

    /// The parts of `text` that are a token that is looked for in it as it is, with its id, and those between
    /// them. O(n).
    pub fn raw_parts(&self, text: &str) -> Vec<(Range<usize>, Option<u32>)> {
        Finder::split(self.raw.as_ref(), text)
    }

    /// Whether one occurs in `text` that is looked for in the normalised text, which `text` is.
    pub fn occur_in_normalized(&self, text: &str) -> bool {
        self.normalized.as_ref().is_some_and(|finder| finder.matcher.is_match(text))
    }

    /// The parts of a text that is normalised already, and has none that are looked for in it as it is.
    pub fn normalized_segments<'t>(&self, text: &'t str) -> Vec<TextSegment<'t>> {
        let mut segments = Vec::new();
        self.split_normalized(text.into(), &mut segments);
        segments
    }

    /// Whether parts of a text that are cut before what `parts` words have the added tokens of the text: those
    /// looked for in the normalised text lie in one part, and take nothing of what follows.
    pub fn lie_in_words(&self, parts: impl Fn(char) -> bool) -> bool {
        let mut tokens = self.normalized.iter().flat_map(|finder| &finder.tokens);
        tokens.all(|token| {
            let is_blank = |c: char| c.is_whitespace() || parts(c);
            !token.rstrip && !token.content.contains(is_blank)
        })
    }

    /// The parts of `text`, what is no added token `normalize`d. O(n).
    ///
    /// ```
    /// use std::borrow::Cow;
    ///
    /// use chunkwright_text::measure::AddedToken;
    /// use chunkwright_text::measure::added::{AddedTokens, TextSegment};
    ///
    /// let token = AddedToken {
    ///     id: 7,
    ///     content: "<mask>".into(),
    ///     special: true,
    ///     single_word: false,
    ///     lstrip: true, // takes the blank before it
    ///     rstrip: false,
    ///     normalized: false,
    /// };
    /// let tokens = AddedTokens::new(vec![token], str::to_lowercase)?;
    /// let segments = tokens.segments("A <mask> B", |text| Cow::Owned(text.to_lowercase()));
    /// assert_eq!(segments, [
    ///     TextSegment::Text("a".into()),
    ///     TextSegment::Added(7),
    ///     TextSegment::Text(" b".into()),
    /// ]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn segments<'t>(
        &self,
        text: &'t str,
        normalize: impl Fn(&'t str) -> Cow<'t, str>,
    ) -> Vec<TextSegment<'t>> {
        let mut segments = Vec::new();
        for (range, id) in Finder::split(self.raw.as_ref(), text) {
            match id {
                Some(id) => segments.push(TextSegment::Added(id)),
                None => self.split_normalized(normalize(&text[range]), &mut segments),
            }
        }
        segments
    }

    fn split_normalized<'t>(&self, text: Cow<'t, str>, segments: &mut Vec<TextSegment<'t>>) {
        if self.normalized.is_none() {
            segments.push(TextSegment::Text(text));
            return;
        }
        let parts = Finder::split(self.normalized.as_ref(), &text);
        segments.extend(parts.into_iter().map(|(range, id)| match (id, &text) {
            (Some(id), _) => TextSegment::Added(id),
            (None, Cow::Borrowed(text)) => TextSegment::Text(Cow::Borrowed(&text[range])),
            (None, Cow::Owned(text)) => TextSegment::Text(Cow::Owned(text[range].to_owned())),
        }));
    }
}

/// Tokens that are searched for together.
#[derive(Clone, Debug)]
struct Finder {
    matcher: AhoCorasick,
    tokens: Vec<AddedToken>,
    /// `^\w` and `\w$`, if a token must be a word by itself.
    word: Option<[Regex; 2]>,
}

impl Finder {
    fn new(tokens: Vec<AddedToken>) -> Result<Option<Self>> {
        if tokens.is_empty() {
            return Ok(None);
        }
        let contents = tokens.iter().map(|token| &token.content);
        let matcher = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(contents)
            .map_err(|error| Error::Tokenizer(format!("added tokens: {error}")))?;
        let word = if tokens.iter().any(|token| token.single_word) {
            let regex =
                |pattern| Regex::new(pattern).map_err(|error| Error::Tokenizer(error.to_string()));
            Some([regex(r"^\w")?, regex(r"\w$")?])
        } else {
            None
        };
        Ok(Some(Self { matcher, tokens, word }))
    }

    /// The parts of `text` that are a token, with its id, and those between them. O(n).
    ///
    /// A token takes whitespace that is free still. One that finds all of its own taken is none; but one
    /// that takes no whitespace before it is found in what another one took, and ends that one's part.
    fn split(finder: Option<&Self>, text: &str) -> Vec<(Range<usize>, Option<u32>)> {
        let (mut parts, mut done) = (Vec::new(), 0);
        // The last whitespace that was taken: a run of tokens that are whitespace looks for its end once.
        let mut blank = 0..0;
        for (found, token) in finder.into_iter().flat_map(|finder| finder.found_in(text)) {
            let mut range = found;
            if token.lstrip {
                let free = text.get(done..range.start).unwrap_or_default();
                range.start = done + free.trim_end().len();
            }
            if token.rstrip {
                if !(blank.start..=blank.end).contains(&range.end) {
                    let behind = text[range.end..].trim_start();
                    blank = range.end..text.len() - behind.len();
                }
                range.end = blank.end;
            }
            if range.is_empty() {
                continue;
            }
            if done < range.start {
                parts.push((done..range.start, None));
            }
            done = range.end;
            parts.push((range, Some(token.id)));
        }
        if done < text.len() {
            parts.push((done..text.len(), None));
        }
        parts
    }

    /// Where tokens are, in order.
    fn found_in<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (Range<usize>, &'t AddedToken)> + 't {
        self.matcher.find_iter(text).filter_map(|found| {
            let token = &self.tokens[found.pattern()];
            let (before, behind) = (&text[..found.start()], &text[found.end()..]);
            let is_found = !token.single_word || !self.is_part_of_word(before, behind);
            is_found.then_some((found.range(), token))
        })
    }

    fn is_part_of_word(&self, before: &str, behind: &str) -> bool {
        let last = before.chars().next_back().map(|c| &before[before.len() - c.len_utf8()..]);
        let first = behind.chars().next().map(|c| &behind[..c.len_utf8()]);
        self.word.as_ref().is_some_and(|[starts, ends]| {
            first.is_some_and(|first| starts.is_match(first))
                || last.is_some_and(|last| ends.is_match(last))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(id: u32, content: &str) -> AddedToken {
        let [special, single_word, lstrip, rstrip, normalized] = [false; 5];
        AddedToken { id, content: content.into(), special, single_word, lstrip, rstrip, normalized }
    }

    fn segments(tokens: Vec<AddedToken>, text: &str) -> Vec<String> {
        let added = AddedTokens::new(tokens, str::to_lowercase).unwrap();
        let parts = added.segments(text, |part| part.to_lowercase().into());
        let show = |segment| match segment {
            TextSegment::Text(text) => format!("{text:?}"),
            TextSegment::Added(id) => id.to_string(),
        };
        parts.into_iter().map(show).collect()
    }

    #[test]
    fn the_leftmost_longest_is_found() {
        let tokens = vec![token(1, "<a>"), token(2, "<a>b"), token(3, ">b")];
        assert_eq!(segments(tokens.clone(), "x<a>b<a>>b"), ["\"x\"", "2", "1", "3"]);
        assert_eq!(segments(tokens, ""), Vec::<String>::new());
    }

    #[test]
    fn normalized_ones_are_found_in_the_normalised_rest() {
        let tokens = vec![AddedToken { normalized: true, ..token(1, "Day") }, token(2, "[A]")];
        assert_eq!(segments(tokens, "[a]DAY[A]X"), ["\"[a]\"", "1", "2", "\"x\""]);
    }

    #[test]
    fn whitespace_is_taken_once() {
        let tokens = vec![
            AddedToken { rstrip: true, ..token(1, "<r>") },
            AddedToken { lstrip: true, ..token(2, "<l>") },
        ];
        assert_eq!(segments(tokens, "a <r> \n<l> b"), ["\"a \"", "1", "2", "\" b\""]);
    }

    #[test]
    fn whitespace_that_is_a_token_is_taken_once() {
        let both = |id, content| AddedToken { lstrip: true, rstrip: true, ..token(id, content) };
        assert_eq!(segments(vec![both(1, "\n")], "a \n\n \nb\n"), ["\"a\"", "1", "\"b\"", "1"]);
        let right = AddedToken { rstrip: true, ..token(1, "<r>") };
        let tokens = vec![right, token(2, "\n"), AddedToken { lstrip: true, ..token(3, "\t") }];
        assert_eq!(segments(tokens.clone(), "<r> \t a"), ["1", "\"a\""]);
        assert_eq!(segments(tokens, "<r> \n a"), ["1", "2", "\" a\""]);
    }

    #[test]
    fn words_by_themselves() {
        let tokens = vec![AddedToken { single_word: true, ..token(1, "is") }];
        assert_eq!(segments(tokens, "this is_ is"), ["\"this is_ \"", "1"]);
    }
}
