//! Separators: literal or regular expression, and where one goes when a text is cut there.

use std::collections::VecDeque;

use memchr::{memchr, memrchr};
use regex::{Regex, RegexBuilder};

use crate::error::{Error, Result};

/// Where the text of a separator goes at a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// To the start of the chunk after.
    #[default]
    Start,
    /// To the end of the chunk before.
    End,
    /// Into neither.
    Drop,
}

/// What marks a place to cut.
#[derive(Clone, Debug)]
pub struct Separator {
    mark: Mark,
    keep: Keep,
}

#[derive(Clone, Debug)]
enum Mark {
    /// The bytes, and which of them is likely the rarest.
    Literal(Vec<u8>, usize),
    Pattern(Regex),
}

/// A place to cut: one chunk ends at `cut`, what follows begins at `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// Where the chunk before ends.
    pub cut: usize,
    /// Where the chunk after may begin.
    pub next: usize,
}

impl Separator {
    /// The text itself; it must not be empty.
    ///
    /// # Errors
    /// [`Error::Config`] for the empty string.
    pub fn literal(text: &str, keep: Keep) -> Result<Self> {
        let bytes = text.as_bytes().to_vec();
        let rarest = (0..bytes.len()).min_by_key(|&i| commonness(bytes[i]));
        let Some(rarest) = rarest else {
            return Err(Error::Config("a separator must not be empty, got \"\"".into()));
        };
        Ok(Self { mark: Mark::Literal(bytes, rarest), keep })
    }

    /// A regular expression in the syntax of the `regex` crate, matched in linear time; `^` and `$`
    /// match at lines.
    ///
    /// # Errors
    /// [`Error::Pattern`] with the parser's reason.
    pub fn pattern(pattern: &str, keep: Keep) -> Result<Self> {
        let regex = RegexBuilder::new(pattern).multi_line(true).build();
        let mark = regex.map(Mark::Pattern).map_err(|error| Error::Pattern {
            pattern: pattern.into(),
            reason: error.to_string(),
        })?;
        Ok(Self { mark, keep })
    }

    /// The places where it stands in `text`.
    pub fn places<'s, 't>(&'s self, text: &'t str) -> Places<'s, 't> {
        Places { separator: self, text, found: VecDeque::new(), scanned: 0 }
    }

    const fn boundary(&self, start: usize, end: usize) -> Boundary {
        match self.keep {
            Keep::Start => Boundary { cut: start, next: start },
            Keep::End => Boundary { cut: end, next: end },
            Keep::Drop => Boundary { cut: start, next: end },
        }
    }
}

/// How often a byte is met in text, roughly: the rarest one is searched for.
const fn commonness(byte: u8) -> u8 {
    match byte {
        b'\n' | b'\r' => 1,
        b' ' => 9,
        b'a'..=b'z' => 8,
        b'A'..=b'Z' | b'0'..=b'9' => 5,
        0x80.. => 6,
        _ => 3,
    }
}

/// The places of one separator in one text, asked for from left to right.
///
/// A literal is searched for in the range asked for. A pattern is matched once over the whole text,
/// as far as has been asked, and its matches are kept while they may be wanted.
#[derive(Debug)]
pub struct Places<'s, 't> {
    separator: &'s Separator,
    text: &'t str,
    found: VecDeque<Boundary>,
    scanned: usize,
}

impl Places<'_, '_> {
    /// The last boundary whose cut is in `after + 1..=upto`.
    pub fn last(&mut self, after: usize, upto: usize) -> Option<Boundary> {
        let separator = self.separator;
        match &separator.mark {
            Mark::Literal(bytes, rarest) => self.last_literal(bytes, *rarest, after, upto),
            Mark::Pattern(pattern) => {
                self.scan(pattern, after, upto);
                let end = self.found.partition_point(|boundary| boundary.cut <= upto);
                let last = *self.found.get(end.checked_sub(1)?)?;
                (last.cut > after).then_some(last)
            }
        }
    }

    /// The first boundary whose cut is in `after + 1..=upto`.
    pub fn first(&mut self, after: usize, upto: usize) -> Option<Boundary> {
        let separator = self.separator;
        match &separator.mark {
            Mark::Literal(bytes, rarest) => self.first_literal(bytes, *rarest, after, upto),
            Mark::Pattern(pattern) => {
                self.scan(pattern, 0, upto);
                let start = self.found.partition_point(|boundary| boundary.cut <= after);
                self.found.get(start).copied().filter(|boundary| boundary.cut <= upto)
            }
        }
    }

    fn last_literal(
        &self,
        mark: &[u8],
        rarest: usize,
        after: usize,
        upto: usize,
    ) -> Option<Boundary> {
        let (bytes, low) = (self.text.as_bytes(), self.first_place(mark, after));
        let mut high = bytes.len().min(self.last_place(mark, upto)? + rarest + 1);
        while low + rarest < high {
            let at = low + memrchr(mark[rarest], &bytes[low + rarest..high])?;
            if bytes[at..].starts_with(mark) {
                return Some(self.separator.boundary(at, at + mark.len()));
            }
            high = at + rarest;
        }
        None
    }

    fn first_literal(
        &self,
        mark: &[u8],
        rarest: usize,
        after: usize,
        upto: usize,
    ) -> Option<Boundary> {
        let (bytes, mut low) = (self.text.as_bytes(), self.first_place(mark, after));
        let high = bytes.len().min(self.last_place(mark, upto)? + rarest + 1);
        while low + rarest < high {
            let at = low + memchr(mark[rarest], &bytes[low + rarest..high])?;
            if bytes[at..].starts_with(mark) {
                return Some(self.separator.boundary(at, at + mark.len()));
            }
            low = at + 1;
        }
        None
    }

    /// The first place of `mark` whose cut is behind `after`.
    fn first_place(&self, mark: &[u8], after: usize) -> usize {
        let width = if self.separator.keep == Keep::End { mark.len() } else { 0 };
        (after + 1).saturating_sub(width)
    }

    /// The last place of `mark` whose cut is up to `upto`.
    fn last_place(&self, mark: &[u8], upto: usize) -> Option<usize> {
        if self.separator.keep == Keep::End { upto.checked_sub(mark.len()) } else { Some(upto) }
    }

    /// Finds the matches whose cuts are up to `upto` and forgets those up to `after`.
    fn scan(&mut self, pattern: &Regex, after: usize, upto: usize) {
        let forgotten = self.found.partition_point(|boundary| boundary.cut <= after);
        self.found.drain(..forgotten);
        while self.scanned <= upto && self.scanned <= self.text.len() {
            let Some(found) = pattern.find_at(self.text, self.scanned) else {
                self.scanned = self.text.len() + 1;
                return;
            };
            self.found.push_back(self.separator.boundary(found.start(), found.end()));
            self.scanned = found.end();
            if found.is_empty() {
                let next = self.text[found.end()..].chars().next();
                self.scanned += next.map_or(1, char::len_utf8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_of_a_plain_search(
            text in "[ab\n ]{0,60}",
            mark in prop_oneof!["\n\n", "\n", " ", "ab", "\na "].prop_map(String::from),
            keep in prop_oneof![Just(Keep::Start), Just(Keep::End), Just(Keep::Drop)],
            a in 0_usize..60, b in 0_usize..60,
        ) {
            let (after, upto) = (a.min(b).min(text.len()), a.max(b).min(text.len()));
            let separator = Separator::literal(&mark, keep).unwrap();
            let starts = (0..text.len()).filter(|&at| text[at..].starts_with(&mark));
            let all: Vec<_> = starts
                .map(|at| separator.boundary(at, at + mark.len()))
                .filter(|boundary| boundary.cut > after && boundary.cut <= upto)
                .collect();
            prop_assert_eq!(separator.places(&text).last(after, upto), all.last().copied());
            prop_assert_eq!(separator.places(&text).first(after, upto), all.first().copied());
            let pattern = Separator::pattern(&mark, keep).unwrap();
            let matches: Vec<_> = text
                .match_indices(&mark)
                .map(|(at, _)| pattern.boundary(at, at + mark.len()))
                .filter(|boundary| boundary.cut > after && boundary.cut <= upto)
                .collect();
            prop_assert_eq!(pattern.places(&text).last(after, upto), matches.last().copied());
            prop_assert_eq!(pattern.places(&text).first(after, upto), matches.first().copied());
        }
    }
}
