//! Plain words in 64 bytes of text: pre-tokens of ASCII letters, with one blank before them or none.
//!
//! Three of four pre-tokens of English are such. Which bytes are letters is found for all 64 at once, as bits
//! of a number; then a word costs a few instructions. Everything else is left to the scanners of `scan`.

use super::swar::{Letters, WINDOW};

/// A window, and what is read from the last place of it on.
pub const READ: usize = WINDOW + 16;

/// The plain words of a window, by the places of their bytes in it.
#[derive(Clone, Copy, Debug)]
pub struct PlainWords<'t> {
    bytes: &'t [u8; READ],
    letters: u64,
    /// Bytes that do not go on with a word.
    stops: u64,
    /// Those of them behind which it may go on all the same.
    doubts: u64,
}

/// Pre-token that begins at a place of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A plain word, or a comma or full stop before a blank, which ends at this place.
    Word(usize),
    /// One that may go on behind the window.
    Beyond,
    /// Something else.
    Other,
}

impl<'t> PlainWords<'t> {
    /// Those of the window that `bytes` begin with, behind the text's end zeros; where `CASED`, as `o200k_base` splits, else as all
    /// other patterns do.
    #[inline(always)]
    pub fn new<const CASED: bool>(bytes: &'t [u8; READ]) -> Self {
        let Letters { all, upper, non_ascii } = Letters::of(bytes);
        let (stops, doubts) = if CASED {
            // A capital behind a letter begins a word, unless that is one, too.
            (!all | (upper & all << 1), non_ascii | (upper & upper << 1))
        } else {
            (!all, non_ascii)
        };
        Self { bytes, letters: all, stops, doubts }
    }

    /// The pre-token that begins at place `at` of the window.
    #[inline(always)]
    pub fn next<const CASED: bool>(self, at: usize) -> Next {
        let (first, second) = (self.letters >> at & 1, self.letters >> at & 2);
        if first == 0 && (second == 0 || self.bytes[at] != b' ') {
            let is_mark = matches!(self.bytes[at], b',' | b'.') && self.bytes[at + 1] == b' ';
            return if is_mark { Next::Word(at + 1) } else { Next::Other };
        }
        let stops = self.stops & (!1 << at);
        if stops == 0 {
            return Next::Beyond;
        }
        let end = stops.trailing_zeros() as usize;
        // An apostrophe may belong to the word before it.
        let is_doubtful = self.doubts >> end & 1 != 0 || (CASED && self.bytes[end] == b'\'');
        if is_doubtful { Next::Other } else { Next::Word(end) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::Pattern;
    use super::*;
    use proptest::prelude::*;

    const PATTERNS: [Pattern; 5] =
        [Pattern::Cl100k, Pattern::O200k, Pattern::Gpt2, Pattern::Llama3, Pattern::Qwen2];

    fn next(bytes: &[u8; READ], pattern: Pattern, at: usize) -> Next {
        match pattern {
            Pattern::O200k => PlainWords::new::<true>(bytes).next::<true>(at),
            _ => PlainWords::new::<false>(bytes).next::<false>(at),
        }
    }

    proptest! {
        #[test]
        fn plain_words_are_pre_tokens(
            text in "([a-z]{1,9}|[,.] {0,2}|[A-Z]{1,3}|[a-zA-Z]{30}| {1,3}|\n|'(s|re|S|ll)?|[0-9]{1,4}|[.,/!]|é|漢|ſ|\u{300}){0,24}",
        ) {
            for pattern in PATTERNS {
                let mut start = 0;
                while start < text.len() {
                    let mut window = [0; READ];
                    let n = READ.min(text.len() - start);
                    window[..n].copy_from_slice(&text.as_bytes()[start..start + n]);
                    let (base, n) = (start, n.min(WINDOW));
                    while start - base < n {
                        let end = pattern.next(&text, start);
                        match next(&window, pattern, start - base) {
                            Next::Word(at) => prop_assert_eq!(base + at, end, "{:?}", pattern),
                            Next::Beyond => prop_assert!(end - base >= n, "{:?}", pattern),
                            Next::Other => {}
                        }
                        start = end;
                    }
                }
            }
        }
    }

    #[test]
    fn words_of_english_are_plain() {
        let mut window = [0; READ];
        window[..32].copy_from_slice(b"A word, Two words andCamels. End");
        for (pattern, n_plain) in [(Pattern::Cl100k, 8), (Pattern::O200k, 9)] {
            let text = str::from_utf8(&window[..32]).unwrap();
            let next_start =
                |&at: &usize| Some(pattern.next(text, at)).filter(|&at| at < text.len());
            let starts = std::iter::successors(Some(0), next_start);
            let n =
                starts.filter(|&at| matches!(next(&window, pattern, at), Next::Word(_))).count();
            assert_eq!(n, n_plain, "{pattern:?}");
        }
    }
}
