//! The boundaries that a text has by itself, as levels to pack at.

use memchr::{memchr, memrchr};

use super::pack::Level;
use crate::error::Result;
use crate::segment::nearby::Nearby;
use crate::segment::separator::Boundary;
use crate::segment::space::{is_space, skip_space};
use crate::segment::starts::SentenceStarts;
use crate::segment::{clause, word};

/// One kind of boundary in one text.
pub enum Natural<'t> {
    /// Between sentences, all of which are known.
    Sentences(SentenceStarts),
    /// Between sentences, found as far as they are wanted.
    Nearby(Box<Nearby<'t>>),
    /// Behind line breaks.
    Lines(&'t str),
    /// Between clauses.
    Clauses(&'t str),
    /// Between words, behind whitespace.
    Words(&'t str),
}

impl Natural<'_> {
    fn last_start(&mut self, after: usize, upto: usize) -> Result<Option<usize>> {
        // A counter that answers by dice may reach less far than the overlap does.
        if upto <= after {
            return Ok(None);
        }
        Ok(match self {
            Self::Sentences(starts) => starts.last(after, upto),
            Self::Nearby(nearby) => nearby.last(after, upto)?,
            Self::Lines(text) => {
                memrchr(b'\n', &text.as_bytes()[after..upto]).map(|at| after + at + 1)
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
            Self::Lines(text) => {
                memchr(b'\n', &text.as_bytes()[after..upto]).map(|at| after + at + 1)
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

/// The first start of a word in `after + 1..=upto` that follows whitespace.
pub fn first_word(text: &str, after: usize, upto: usize) -> Option<usize> {
    if upto <= after {
        return None;
    }
    let blank = after + text[after..upto].find(is_space)?;
    let start = skip_space(text, blank);
    (start > after && start <= upto).then_some(start)
}
