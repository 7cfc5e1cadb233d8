//! Places at which a text can be cut into parts that are encoded by themselves.
//!
//! A *cut* is before a blank, if plain characters are around it: a word begins there, whatever is before it
//! and behind it, so the tokens of a text are those of its parts. A *seam* is between two plain characters
//! in a word: what the normaliser makes of a text is what it makes of the parts, put together.
//!
//! # Why
//!
//! A character is *good* if it is plain and each step of the normaliser makes plain characters of it, none
//! of which a step looks for. Steps look at single characters, at those that a normal form joins, at
//! grapheme clusters (in one step at most), at runs of blanks, or for a string. None of that reaches over a
//! place with two good characters before it and one behind it: the second one is a cluster by itself and
//! nothing joins it, whatever is done to the first. If a blank is behind it, which stays a blank, the run
//! of blanks begins there.

use std::fmt;
use std::sync::OnceLock;

use super::normalizer::Ends;
use super::parts::{Step, Words};
use super::plain::{is_plain, is_single};

const N_KNOWN: usize = 0x1_0000;

/// Places at which a text may be cut.
#[derive(Clone)]
pub struct Cuts {
    steps: Vec<Step>,
    /// Characters that a step looks for.
    wanted: String,
    ascii_good: [bool; 128],
    /// The rest of the good ones, once they are asked for: a bit each.
    good: OnceLock<Box<[u64]>>,
    /// Blanks that a text may be cut before: none, if words are not cut.
    blanks: Vec<u8>,
    has_seams: bool,
}

impl fmt::Debug for Cuts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cuts").field("blanks", &self.blanks).finish_non_exhaustive()
    }
}

impl Cuts {
    /// Those of texts that are normalised in `steps` and cut into `words`.
    pub fn new(steps: &[Step], words: Words) -> Self {
        let n_maps = steps.iter().filter(|step| matches!(step, Step::Precompiled(_))).count();
        let mut wanted = String::new();
        let mut is_local = n_maps <= 1;
        for step in steps {
            match step {
                Step::Replace { pattern, .. } if pattern == " " => {}
                Step::Replace { pattern, .. } => {
                    is_local &= pattern.chars().all(is_plain);
                    wanted.push_str(pattern);
                }
                Step::ReplaceBlanks { content, .. } => {
                    let mut chars = content.chars();
                    let first = chars.next();
                    is_local &= first.is_some_and(|c| words.parts(c)) && chars.next().is_none();
                }
                _ => {}
            }
        }
        let mut cuts = Self {
            steps: steps.to_vec(),
            wanted,
            ascii_good: [false; 128],
            good: OnceLock::new(),
            blanks: Vec::new(),
            has_seams: is_local,
        };
        if is_local {
            for byte in 0..128 {
                cuts.ascii_good[usize::from(byte)] = cuts.stays_plain(char::from(byte));
            }
            let parts = |byte: &u8| cuts.stays_blank(char::from(*byte), words);
            cuts.blanks = if parts(&b' ') {
                [b' ', b'\n', b'\t'].into_iter().filter(parts).collect()
            } else {
                Vec::new()
            };
        }
        cuts
    }

    /// What each step in turn makes of `c`, until `look` says no.
    fn all_steps(&self, c: char, look: impl Fn(&str) -> bool) -> bool {
        let mut current = String::from(c);
        let ends = Ends { first: false, last: false };
        self.steps.iter().all(|step| {
            let mut next = String::new();
            step.apply(&current, ends, &mut next);
            current = next;
            look(&current)
        })
    }

    fn stays_plain(&self, c: char) -> bool {
        let is_good = |c: char| is_plain(c) && !self.wanted.contains(c);
        is_good(c) && self.all_steps(c, |made| !made.is_empty() && made.chars().all(is_good))
    }

    /// Whether `blank` is one blank in each step, and parts words in the end.
    fn stays_blank(&self, blank: char, words: Words) -> bool {
        let mut last = blank;
        let mut current = String::from(blank);
        for step in &self.steps {
            let mut next = String::new();
            step.apply(&current, Ends { first: false, last: false }, &mut next);
            let mut chars = next.chars();
            let (Some(c), None) = (chars.next(), chars.next()) else { return false };
            if !c.is_ascii_whitespace() && !words.parts(c) {
                return false;
            }
            (last, current) = (c, next);
        }
        words.parts(last)
    }

    /// Whether `c` is good.
    fn is_good(&self, c: char) -> bool {
        if let Some(&good) = self.ascii_good.get(c as usize) {
            return good;
        }
        let at = c as usize;
        at < N_KNOWN && self.good()[at / 64] >> (at % 64) & 1 == 1
    }

    fn good(&self) -> &[u64] {
        self.good.get_or_init(|| {
            let mut good = vec![0; N_KNOWN / 64];
            for c in ('\u{80}'..='\u{ffff}').filter(|&c| is_plain(c) && self.stays_plain(c)) {
                good[c as usize / 64] |= 1 << (c as usize % 64);
            }
            good.into_boxed_slice()
        })
    }

    /// The first cut of `text` behind `at`, or the end of the text. O(length of the part).
    #[inline]
    pub fn next(&self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        let mut from = at + 1;
        while let Some(rest) = bytes.get(from..) {
            let found = match self.blanks[..] {
                [] => None,
                [a] => memchr::memchr(a, rest),
                [a, b] => memchr::memchr2(a, b, rest),
                [a, b, c, ..] => memchr::memchr3(a, b, c, rest),
            };
            match found.map(|found| from + found) {
                Some(place) if self.is_cut(text, place) => return place,
                Some(place) => from = place + 1,
                None => break,
            }
        }
        text.len()
    }

    /// Whether the blank at `place`, which is not at the start of `text`, is a cut.
    #[inline]
    fn is_cut(&self, text: &str, place: usize) -> bool {
        let bytes = text.as_bytes();
        let is_single_behind = match bytes.get(place + 1) {
            Some(byte) if !byte.is_ascii() => {
                text[place + 1..].chars().next().is_none_or(is_single)
            }
            _ => true,
        };
        is_single_behind && self.is_good_end(text, place)
    }

    /// Whether what is before `place` ends in a good character that nothing before it joins.
    #[inline]
    fn is_good_end(&self, text: &str, place: usize) -> bool {
        if let Some([before, last]) = text.as_bytes()[..place].last_chunk::<2>()
            && before.is_ascii()
            && last.is_ascii()
        {
            let is_good = |byte: u8| self.ascii_good[usize::from(byte)];
            return is_good(*last) && (is_good(*before) || self.blanks.contains(before));
        }
        let mut chars = text[..place].chars().rev();
        let is_blank = |c: char| u8::try_from(c).is_ok_and(|byte| self.blanks.contains(&byte));
        chars.next().is_some_and(|c| self.is_good(c))
            && chars.next().is_none_or(|c| self.is_good(c) || is_blank(c))
    }

    /// Whether `place`, in a text, is a seam.
    pub fn is_seam(&self, text: &str, place: usize) -> bool {
        self.has_seams
            && text[place..].chars().next().is_none_or(|c| self.is_good(c))
            && self.is_good_end(text, place)
    }

    /// Whether there are cuts at all.
    pub fn has_cuts(&self) -> bool {
        !self.blanks.is_empty()
    }
}
