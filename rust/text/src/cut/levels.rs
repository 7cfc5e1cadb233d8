//! Levels of boundaries: sentences, paragraphs, lines, clauses, words.
//!
//! A level answers two questions, the last and the first place in a range, and is asked from left to right. So a
//! level may forget what lies behind, and none has to know all of its places beforehand: a word is found by
//! looking around the place, a pattern by matching on.

use memchr::{memchr2, memrchr2};

use crate::error::Result;
use crate::segment::heading::last_heading;
use crate::segment::nearby::Nearby;
use crate::segment::sentence::{Language, stops};
use crate::segment::separator::{Boundary, Places};
use crate::segment::starts::SentenceStarts;
use crate::segment::{clause, word};
use crate::unicode::line_ends::FORM_FEED;
use crate::unicode::space::{is_space, skip_space};

/// Boundaries of one strength, asked for from left to right.
pub trait Level {
    /// The last boundary whose cut is in `after + 1..=upto`.
    ///
    /// # Errors
    /// What the pulse says.
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>>;

    /// The first boundary whose cut is in `after + 1..=upto`.
    ///
    /// # Errors
    /// What the pulse says.
    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>>;
}

impl Level for Places<'_, '_> {
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        Ok(Places::last(self, after, upto))
    }

    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        Ok(Places::first(self, after, upto))
    }
}

/// One kind of boundary in one text.
pub enum Natural<'t> {
    /// Between sentences, all of which are known.
    Sentences(SentenceStarts),
    /// Between sentences, found as far as they are wanted.
    Nearby(Box<Nearby<'t>>),
    /// Between sentences, as far as the words around each tell.
    Stops(&'t str, Language),
    /// Behind blank lines.
    Paragraphs(&'t str),
    /// Behind line breaks, but for those right below a heading.
    Lines(&'t str),
    /// Behind line breaks, whatever the lines say.
    Breaks(&'t str),
    /// Between clauses.
    Clauses(&'t str),
    /// Between words, behind whitespace.
    Words(&'t str),
}

impl<'t> Natural<'t> {
    /// Where a text over the limit is cut best, the strongest first.
    pub const fn all(text: &'t str, language: Language) -> [Self; 5] {
        [
            Self::Paragraphs(text),
            Self::Lines(text),
            Self::Stops(text, language),
            Self::Clauses(text),
            Self::Words(text),
        ]
    }

    fn last_start(&mut self, after: usize, upto: usize) -> Result<Option<usize>> {
        // A counter that answers by dice may reach less far than the overlap does.
        if upto <= after {
            return Ok(None);
        }
        Ok(match self {
            Self::Sentences(starts) => starts.last(after, upto),
            Self::Nearby(nearby) => nearby.last(after, upto)?,
            Self::Stops(text, language) => stops::last_start(text, after, upto, language),
            Self::Paragraphs(text) => last_line(text, after, upto, ends_blank),
            Self::Lines(text) => last_line(text, after, upto, |_| true),
            Self::Breaks(text) => {
                let within = &text.as_bytes()[after..upto];
                memrchr2(b'\n', FORM_FEED, within).map(|at| after + at + 1)
            }
            Self::Clauses(text) => clause::last_start(text, after, text.floor_char_boundary(upto)),
            Self::Words(text) => word::last_start(text, after, text.floor_char_boundary(upto)),
        })
    }

    fn first_start(&mut self, after: usize, upto: usize) -> Result<Option<usize>> {
        if upto <= after {
            return Ok(None);
        }
        Ok(match self {
            Self::Sentences(starts) => starts.first(after + 1, upto + 1),
            Self::Nearby(nearby) => nearby.first(after, upto)?,
            Self::Stops(text, language) => stops::first_start(text, after, upto, language),
            Self::Paragraphs(text) => first_line(text, after, upto, ends_blank),
            Self::Lines(text) => first_line(text, after, upto, |_| true),
            Self::Breaks(text) => {
                let within = &text.as_bytes()[after..upto];
                memchr2(b'\n', FORM_FEED, within).map(|at| after + at + 1)
            }
            Self::Clauses(text) => {
                clause::first_start(text, after, text.ceil_char_boundary(upto + 1))
            }
            Self::Words(text) => first_word(text, after, upto),
        })
    }
}

impl Level for Natural<'_> {
    fn last(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        Ok(self.last_start(after, upto)?.map(|at| Boundary { cut: at, next: at }))
    }

    fn first(&mut self, after: usize, upto: usize) -> Result<Option<Boundary>> {
        Ok(self.first_start(after, upto)?.map(|at| Boundary { cut: at, next: at }))
    }
}

/// The start of the last line in `after + 1..=upto` before which a text may be cut: what stands between
/// `after` and the line break `ends`, and is no heading, which goes with what follows.
fn last_line(text: &str, after: usize, upto: usize, ends: fn(&str) -> bool) -> Option<usize> {
    let mut upto = upto;
    while let Some(at) = memrchr2(b'\n', FORM_FEED, &text.as_bytes()[after..upto]) {
        let before = &text[after..after + at];
        if text.as_bytes()[after + at] == FORM_FEED && last_heading(before).is_none() {
            return Some(after + at + 1);
        }
        upto = match last_heading(before) {
            // Nor may it be cut at blank lines between the two.
            Some(line) => after + line,
            None if ends(before) => return Some(after + at + 1),
            None => after + at,
        };
    }
    None
}

/// The first such start.
fn first_line(text: &str, after: usize, upto: usize, ends: fn(&str) -> bool) -> Option<usize> {
    let mut from = after;
    while let Some(at) = memchr2(b'\n', FORM_FEED, &text.as_bytes()[from..upto]) {
        let (before, next) = (&text[after..from + at], from + at + 1);
        let is_page = text.as_bytes()[from + at] == FORM_FEED;
        if last_heading(before).is_some() {
            from = skip_space(text, next).min(upto);
        } else if is_page || ends(before) {
            return Some(next);
        } else {
            from = next;
        }
    }
    None
}

/// Whether `text` ends with a line break and what is blank.
fn ends_blank(text: &str) -> bool {
    text.trim_end_matches([' ', '\t', '\r']).ends_with('\n')
}

/// The first start of a word in `after + 1..=upto` that follows whitespace.
pub fn first_word(text: &str, after: usize, upto: usize) -> Option<usize> {
    if upto <= after {
        return None;
    }
    let blank = after + text[after..upto].find(is_space)?;
    let start = skip_space(text, blank);
    (start > after && start <= upto).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boundaries of a level, found from the end on and from the start on.
    fn starts(level: fn(&str) -> Natural<'_>, text: &str) -> [Vec<usize>; 2] {
        let (mut back, mut forth) = (Vec::new(), Vec::new());
        let (mut upto, mut after) = (text.len(), 0);
        while let Some(at) = level(text).last_start(0, upto).unwrap() {
            back.push(at);
            upto = at - 1;
        }
        while let Some(at) = level(text).first_start(after, text.len()).unwrap() {
            forth.push(at);
            after = at;
        }
        back.reverse();
        [back, forth]
    }

    #[test]
    fn a_heading_goes_with_what_follows() {
        let text = "One.\n\n# Two\n\n\nThree\nfour.\n \n## Five\nSix.\n";
        let at = |part: &str| text.find(part).unwrap();
        let paragraphs = vec![at("# Two"), at("## Five")];
        assert_eq!(
            starts(|text| Natural::Paragraphs(text), text),
            [paragraphs.clone(), paragraphs]
        );
        let lines = vec![5, at("# Two"), at("four"), at(" \n"), at("## Five"), text.len()];
        assert_eq!(starts(|text| Natural::Lines(text), text), [lines.clone(), lines]);
        let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        assert_eq!(starts(|text| Natural::Breaks(text), text), [breaks.clone(), breaks]);
    }
}
