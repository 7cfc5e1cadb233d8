//! Evaluation of retrieval: which of the characters that answer a question are in its hits.
//!
//! A question has excerpts, the passages of its corpus that answer it; a chunk has a place in a corpus.
//! All positions are code points of the corpus, all ranges half-open. What is covered is always a union of
//! ranges, so that a character counts once however many hits hold it.
//!
//! ```
//! use chunkwright_search::evaluate::{Excerpts, Groups, Places, omega, score};
//! use chunkwright_text::pulse::no_pulse;
//!
//! # fn main() -> chunkwright_text::error::Result<()> {
//! // One question about corpus 0, answered by its characters 100 to 150.
//! let excerpts = Excerpts::new(&[0], Groups::new("excerpts", &[0, 1], 1, 1)?, &[100], &[150])?;
//! let places = Places::new(&[0, 0], &[50, 100], &[200, 250])?;
//! let hits = Groups::new("hits", &[0, 2], 1, 2)?;
//! let scores = score(&excerpts, &places, &hits, &[0, 1], no_pulse())?;
//! assert_eq!(scores.recall, [1.0]);
//! assert_eq!(scores.precision, [50.0 / 300.0]); // each hit counts with its whole length
//! let (omega, holding) = omega(&excerpts, &places, no_pulse())?;
//! assert_eq!((omega[0], holding[0]), (0.25, 2)); // here the chunks are one range, 50 to 250
//! # Ok(())
//! # }
//! ```

mod excerpts;
mod extents;
mod groups;
mod occurrences;
mod omega;
mod places;
mod ranges;
mod score;
mod search;
mod spanning;
#[cfg(test)]
mod twin;

pub use excerpts::Excerpts;
pub use groups::Groups;
pub use occurrences::{all_occurrences, first_occurrences, next_occurrences};
pub use omega::omega;
pub use places::Places;
pub use ranges::{CharRange, Union};
pub use score::{Scores, score};
