//! Separators: literal or regular expression, and where one goes when a text is cut there.
//!
//! Literals are found by `memmem`, patterns by the `regex` crate, which has no backtracking: both take linear
//! time, whatever the text. Boundaries inside a run of whitespace are left to the strategy, which trims both
//! sides of a cut.
//!
//! ```
//! use chunkwright_text::segment::separator::{Keep, Separator};
//!
//! let text = "one, two, three";
//! let cut = |keep| Separator::literal(", ", keep).map(|comma| comma.places(text).last(0, 15));
//! let at = cut(Keep::Start)?.unwrap();
//! assert_eq!((&text[..at.cut], &text[at.next..]), ("one, two", ", three"));
//! let at = cut(Keep::Drop)?.unwrap();
//! assert_eq!((&text[..at.cut], &text[at.next..]), ("one, two", "three"));
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use std::collections::VecDeque;

use memchr::memmem::{Finder, FinderRev};
use memchr::{memchr, memrchr};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::error::{Error, Result};

/// Where the text of a separator goes at a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// To the start of the chunk after.
    #[default]
    Start,
    /// To the end of the chunk before.
    End,
    /// Into neither.
    Drop,
}

/// Separators of Markdown, the strongest first, and whether each is a regular expression: headings, rules,
/// paragraphs, items, lines, words.
pub const MARKDOWN: [(&str, bool); 8] = [
    (
        concat!(
            r"\n {0,3}#{1,6}[ \t]|\n[ \t\r]*\n {0,3}[^\s>|#][^\n]*\n",
            r" {0,3}(?:={3,}|-{3,})[ \t\r]*$"
        ),
        true,
    ),
    (r"\n {0,3}(?:\*[ \t]*){3,}\r?$", true),
    (r"\n {0,3}(?:_[ \t]*){3,}\r?$", true),
    // A line of dashes right below text is an underline.
    (r"\n[ \t\r]*\n {0,3}(?:-[ \t]*){3,}\r?$", true),
    ("\n\n", false),
    ITEM,
    ("\n", false),
    (" ", false),
];

/// An item of a list: the line breaks inside one say nothing.
const ITEM: (&str, bool) = (r"\n[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]", true);

/// A title of reStructuredText that is underlined with a sign, behind a blank line; an overline goes with it.
macro_rules! titled {
    ($sign:literal) => {
        (
            concat!(
                r"\n[ \t\r]*\n(?:",
                $sign,
                r"{3,}[ \t\r]*\n)?[^\n",
                $sign,
                r"][^\n]*\n",
                $sign,
                r"{3,}[ \t\r]*$"
            ),
            true,
        )
    };
}

/// Separators of reStructuredText, as [`MARKDOWN`]: titles by their underline, transitions, explicit markup,
/// paragraphs, items, lines, words.
pub const RST: [(&str, bool); 12] = [
    titled!("="),
    titled!("-"),
    titled!(r"\*"),
    titled!("~"),
    titled!(r"\^"),
    titled!(r"\+"),
    (r"\n[ \t\r]*\n(?:={4,}|-{4,}|\*{4,})[ \t\r]*\n[ \t\r]*$", true),
    ("\n\n.. ", false),
    ("\n\n", false),
    ITEM,
    ("\n", false),
    (" ", false),
];

/// Separator: a literal or a pattern that marks places to cut.
#[derive(Clone, Debug)]
pub struct Separator {
    mark: Mark,
    keep: Keep,
    /// Whether it stands where lines end, however they do.
    is_of_lines: bool,
}

#[derive(Clone, Debug)]
enum Mark {
    /// The bytes, and which of them is likely the rarest.
    Literal(Vec<u8>, usize),
    /// More bytes than are compared wherever the rarest one is met.
    Long(Box<Long>),
    Pattern(Regex),
}

/// A literal of more than [`MAX_SHORT`] bytes, which is searched for in linear time.
#[derive(Clone, Debug)]
struct Long {
    n_bytes: usize,
    first: Finder<'static>,
    last: FinderRev<'static>,
}

/// Up to so many bytes are compared wherever the rarest one is met.
const MAX_SHORT: usize = 64;

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
        let mark = if bytes.len() <= MAX_SHORT {
            Mark::Literal(bytes, rarest)
        } else {
            let (first, last) = (Finder::new(&bytes), FinderRev::new(&bytes));
            let (first, last) = (first.into_owned(), last.into_owned());
            Mark::Long(Box::new(Long { n_bytes: bytes.len(), first, last }))
        };
        Ok(Self { mark, keep, is_of_lines: false })
    }

    /// A regular expression in the syntax of the `regex` crate, matched in linear time; `^` and `$`
    /// match at lines.
    ///
    /// ```
    /// use chunkwright_text::segment::separator::{Keep, Separator};
    ///
    /// let steps = Separator::pattern(r"^Step \d+:", Keep::Start)?;
    /// let text = "Step 1: rain\nStep 2: sun\n";
    /// let at = steps.places(text).first(0, text.len()).unwrap();
    /// assert_eq!(&text[at.next..at.next + 7], "Step 2:"); // `^` matches at lines
    /// assert!(Separator::pattern("(", Keep::Start).is_err());
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Pattern`] with the parser's reason.
    pub fn pattern(pattern: &str, keep: Keep) -> Result<Self> {
        let regex = RegexBuilder::new(pattern).multi_line(true).build();
        let mark = regex.map(Mark::Pattern).map_err(|error| Error::Pattern {
            pattern: pattern.into(),
            reason: error.to_string(),
        })?;
        Ok(Self { mark, keep, is_of_lines: false })
    }

    /// Blank lines and form feeds, in a text with [unified](crate::unicode::line_ends::unified) line ends.
    ///
    /// # Errors
    /// None: the pattern is right.
    pub fn paragraphs() -> Result<Self> {
        Ok(Self::pattern(r"\n\n|\x0c", Keep::Start)?.of_lines())
    }

    /// The same separator, whose line feeds stand for all line ends.
    #[must_use]
    pub fn of_lines(self) -> Self {
        Self { is_of_lines: true, ..self }
    }

    /// Whether its line feeds stand for all line ends.
    pub const fn is_of_lines(&self) -> bool {
        self.is_of_lines
    }

    /// Whether it is a blank line.
    pub fn is_blank_line(&self) -> bool {
        matches!(&self.mark, Mark::Literal(bytes, _) if bytes == b"\n\n")
    }

    /// The places where it stands in `text`.
    pub fn places<'s, 't>(&'s self, text: &'t str) -> Places<'s, 't> {
        Places { separator: self, text, found: VecDeque::new(), scanned: 0, ahead: None }
    }

    /// The boundaries at all places of all of `marks` in `text`, in order; of places that overlap the first one
    /// counts, and of those that begin together that of the first mark. O(n) for each mark.
    ///
    /// ```
    /// use chunkwright_text::segment::separator::{Keep, Separator};
    ///
    /// let marks = [Separator::literal("%%%", Keep::Drop)?, Separator::pattern("%+", Keep::End)?];
    /// let all = Separator::all(&marks, "%%%one%two");
    /// assert_eq!(all.iter().map(|at| (at.cut, at.next)).collect::<Vec<_>>(), [(0, 3), (7, 7)]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn all(marks: &[Self], text: &str) -> Vec<Boundary> {
        let mut places: Vec<(usize, usize, usize)> = Vec::new();
        for (order, separator) in marks.iter().enumerate() {
            let mut add = |start: usize, end: usize| places.push((start, order, end));
            match &separator.mark {
                Mark::Literal(bytes, _) => {
                    let found = memchr::memmem::find_iter(text.as_bytes(), bytes);
                    found.for_each(|at| add(at, at + bytes.len()));
                }
                Mark::Long(long) => {
                    let found = long.first.find_iter(text.as_bytes());
                    found.for_each(|at| add(at, at + long.n_bytes));
                }
                Mark::Pattern(pattern) => {
                    pattern.find_iter(text).for_each(|found| add(found.start(), found.end()));
                }
            }
        }
        places.sort_unstable();
        let (mut boundaries, mut done) = (Vec::new(), 0);
        for (start, order, end) in places {
            if start >= done {
                boundaries.push(marks[order].boundary(start, end));
                done = end;
            }
        }
        boundaries
    }

    const fn boundary(&self, start: usize, end: usize) -> Boundary {
        match self.keep {
            Keep::Start => Boundary { cut: start, next: start },
            Keep::End => Boundary { cut: end, next: end },
            Keep::Drop => Boundary { cut: start, next: end },
        }
    }
}

/// Whether `bytes` begin with `mark`, which is short: a loop is faster than a call of memcmp.
#[inline]
fn stands(mark: &[u8], bytes: &[u8]) -> bool {
    bytes.len() >= mark.len() && mark.iter().zip(bytes).all(|(a, b)| a == b)
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
/// A literal is searched for in the range asked for; a long one also ahead, so that what it does not
/// stand in is read once. A pattern is matched once over the whole text,
/// as far as has been asked, and its matches are kept while they may be wanted.
#[derive(Debug)]
pub struct Places<'s, 't> {
    separator: &'s Separator,
    text: &'t str,
    found: VecDeque<Boundary>,
    scanned: usize,
    /// From where on a long literal was searched for, and its first place there.
    ahead: Option<(usize, Option<usize>)>,
}

impl Places<'_, '_> {
    /// The last boundary whose cut is in `after + 1..=upto`.
    pub fn last(&mut self, after: usize, upto: usize) -> Option<Boundary> {
        let separator = self.separator;
        match &separator.mark {
            Mark::Literal(bytes, rarest) => self.last_literal(bytes, *rarest, after, upto),
            Mark::Long(long) => {
                let low = self.first_place(long.n_bytes, after);
                let first = self.first_ahead(long, low)?;
                let within = self.within(long, first, upto)?;
                let at = first + long.last.rfind(within)?;
                Some(separator.boundary(at, at + long.n_bytes))
            }
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
            Mark::Long(long) => {
                let low = self.first_place(long.n_bytes, after);
                // What was searched before may be asked for again: it is not forgotten.
                let low = match self.ahead {
                    Some((from, first)) if from <= low => first?.max(low),
                    _ => low,
                };
                let at = low + long.first.find(self.within(long, low, upto)?)?;
                Some(separator.boundary(at, at + long.n_bytes))
            }
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
        let (bytes, low) = (self.text.as_bytes(), self.first_place(mark.len(), after));
        let mut high = bytes.len().min(self.last_place(mark.len(), upto)? + rarest + 1);
        while low + rarest < high {
            let at = low + memrchr(mark[rarest], &bytes[low + rarest..high])?;
            if stands(mark, &bytes[at..]) {
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
        let (bytes, mut low) = (self.text.as_bytes(), self.first_place(mark.len(), after));
        let high = bytes.len().min(self.last_place(mark.len(), upto)? + rarest + 1);
        while low + rarest < high {
            let at = low + memchr(mark[rarest], &bytes[low + rarest..high])?;
            if stands(mark, &bytes[at..]) {
                return Some(self.separator.boundary(at, at + mark.len()));
            }
            low = at + 1;
        }
        None
    }

    /// The first place of a long literal from `low` on.
    fn first_ahead(&mut self, long: &Long, low: usize) -> Option<usize> {
        if let Some((from, first)) = self.ahead
            && from <= low
            && first.is_none_or(|first| first >= low)
        {
            return first;
        }
        let rest = self.text.as_bytes().get(low..)?;
        let first = long.first.find(rest).map(|at| low + at);
        self.ahead = Some((low, first));
        first
    }

    /// What the places of a long literal from `low` on are in whose cuts are up to `upto`.
    fn within(&self, long: &Long, low: usize, upto: usize) -> Option<&[u8]> {
        let bytes = self.text.as_bytes();
        let high = self.last_place(long.n_bytes, upto)?.saturating_add(long.n_bytes);
        bytes.get(low..high.min(bytes.len()))
    }

    /// The first place of a mark of `n_bytes` whose cut is behind `after`.
    fn first_place(&self, n_bytes: usize, after: usize) -> usize {
        let width = if self.separator.keep == Keep::End { n_bytes } else { 0 };
        (after + 1).saturating_sub(width)
    }

    /// The last place of a mark of `n_bytes` whose cut is up to `upto`.
    fn last_place(&self, n_bytes: usize, upto: usize) -> Option<usize> {
        if self.separator.keep == Keep::End { upto.checked_sub(n_bytes) } else { Some(upto) }
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

        #[test]
        fn places_of_a_long_one_are_those_of_a_plain_search(
            parts in prop::collection::vec(prop::sample::select(vec!["ab", "a", "b", "\n", "mark"]), 0..30),
            unit in prop::sample::select(vec!["ab", "a", "ba"]),
            keep in prop_oneof![Just(Keep::Start), Just(Keep::End), Just(Keep::Drop)],
            steps in prop::collection::vec((0_usize..200, 0_usize..400, any::<bool>()), 1..12),
        ) {
            let mark = unit.repeat(MAX_SHORT);
            let text: String = parts.iter().map(|&part| if part == "mark" { &mark } else { part }).collect();
            let separator = Separator::literal(&mark, keep).unwrap();
            let starts = (0..text.len()).filter(|&at| text[at..].starts_with(&mark));
            let all: Vec<_> = starts.map(|at| separator.boundary(at, at + mark.len())).collect();
            let (mut places, mut after) = (separator.places(&text), 0);
            for (step, reach, forwards) in steps {
                let (low, upto) = (after + step, after + step + reach);
                let mut within = all.iter().copied().filter(|place| place.cut > low && place.cut <= upto);
                if forwards {
                    prop_assert_eq!(places.first(low, upto), within.next());
                } else {
                    // The next one asked for may begin before.
                    prop_assert_eq!(places.last(low, upto), within.next_back());
                    after = low;
                }
            }
        }
    }

    #[test]
    fn what_a_long_one_is_not_in_is_read_once() {
        let text = "ab".repeat(100_000);
        let separator =
            Separator::literal(&(text[..100_000].to_owned() + "c"), Keep::Start).unwrap();
        let mut places = separator.places(&text);
        for after in (0..100_000).step_by(2) {
            assert_eq!(places.last(after, after + 40), None);
            assert_eq!(places.ahead, Some((1, None)), "nothing is read from {after} on again");
        }
    }
}
