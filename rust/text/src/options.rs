//! Limits and overlap of chunks, checked once.
//!
//! Sizes are checked where they are made, so that no strategy has to: a [`Limits`] is always valid. The soft
//! limit is what a chunk aims at, the hard one what it never exceeds; with one limit they are the same.
//!
//! ```
//! use chunkwright_text::options::{Fit, Limits};
//!
//! let limits = Limits::new(512, Some(400), 64)?.with_min_size(50)?;
//! assert_eq!([400, 401, 513].map(|size| limits.fits(size)), [Fit::Within, Fit::Full, Fit::Over]);
//! let error = Limits::new(512, None, 512).unwrap_err();
//! assert_eq!(error.to_string(), "overlap must be less than the limit 512, got 512");
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use crate::error::{Error, Result};
use crate::segment::sentence::Language;

/// How much a chunk may hold, in the unit of the measure it is used with.
///
/// A chunk aims at `soft_max` and never exceeds `hard_max`; the overlap counts against both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    soft_max: Option<usize>,
    hard_max: usize,
    overlap: usize,
    min_size: usize,
}

/// Where a size lies between the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Up to `soft_max`: there may be room for more.
    Within,
    /// Over `soft_max`, up to `hard_max`: allowed, but nothing is to be added.
    Full,
    /// Over `hard_max`.
    Over,
}

impl Limits {
    /// Checks `1 <= soft_max <= hard_max` and `overlap < soft_max`; `soft_max` defaults to `hard_max`.
    ///
    /// # Errors
    /// [`Error::Value`] for one that is out of range; [`Error::Config`] for a limit of 0.
    pub fn new(hard_max: usize, soft_max: Option<usize>, overlap: usize) -> Result<Self> {
        let soft = soft_max.unwrap_or(hard_max);
        if hard_max == 0 {
            return Err(Error::Config("the limit must be at least 1, got 0".into()));
        }
        if soft == 0 || soft > hard_max {
            let allowed = format!("between 1 and the limit {hard_max}");
            return Err(Error::value("soft_max", allowed, soft));
        }
        if overlap >= soft {
            let name = if soft_max.is_some() { "soft_max" } else { "the limit" };
            return Err(Error::value("overlap", format!("less than {name} {soft}"), overlap));
        }
        Ok(Self { soft_max, hard_max, overlap, min_size: 0 })
    }

    /// The size at which a chunk is full.
    pub const fn soft_max(self) -> usize {
        match self.soft_max {
            Some(soft) => soft,
            None => self.hard_max,
        }
    }

    /// The same, if it was given.
    pub const fn given_soft_max(self) -> Option<usize> {
        self.soft_max
    }

    /// The size that no chunk exceeds.
    pub const fn hard_max(self) -> usize {
        self.hard_max
    }

    /// How much of the chunk before is repeated, at most.
    pub const fn overlap(self) -> usize {
        self.overlap
    }

    /// The size below which a chunk is to be joined with a neighbour.
    pub const fn min_size(self) -> usize {
        self.min_size
    }

    /// The same limits with that least size, which is a wish: chunks that fit with no neighbour stay smaller.
    ///
    /// # Errors
    /// [`Error::Value`] if it is over the limit.
    pub fn with_min_size(self, min_size: usize) -> Result<Self> {
        if min_size > self.hard_max {
            return Err(Error::value("min_size", format!("at most {}", self.hard_max), min_size));
        }
        Ok(Self { min_size, ..self })
    }

    /// The same limits without an overlap.
    #[must_use]
    pub const fn without_overlap(self) -> Self {
        Self { overlap: 0, ..self }
    }

    /// Where `size` lies between the limits.
    pub const fn fits(self, size: usize) -> Fit {
        if size <= self.soft_max() {
            Fit::Within
        } else if size <= self.hard_max {
            Fit::Full
        } else {
            Fit::Over
        }
    }
}

/// Where an overlap may begin.
#[derive(Clone, Copy, Debug)]
pub enum OverlapAt {
    /// At the first letter of a word; where none begins within reach, there is no overlap.
    Word,
    /// At the start of a sentence of this language; where none begins within reach, there is no
    /// overlap.
    Sentence(Language),
    /// At any grapheme.
    Any,
}
