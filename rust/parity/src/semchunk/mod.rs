//! semchunk's algorithm, chunk for chunk: split at the strongest splitter, recurse into what is too
//! large, merge the rest.
//!
//! [`v3::split`] is semchunk 3.2.5, which Docling's hybrid chunker calls:
//!
//! ```text
//! v3::split(text: &str, size: usize, max_token_chars: Option<usize>, measure: &dyn Measure,
//!           pulse: Pulse<'_>) -> Result<Vec<Span>>
//! ```
//!
//! [`v4::split`] is semchunk 4.1.1, whose sizes may be fractions and whose counts come from [`Counts`].
//!
//! Every chunk is a span of the text: a splitter that goes back to its piece stood behind it. The peers
//! search and copy each piece anew at each level; here the runs of whitespace, which make levels without
//! number, are found once (`runs`), and the rest needs a bounded number of scans.

mod counts;
mod level;
mod marks;
mod runs;
mod split;
#[cfg(test)]
mod tests;
pub mod v3;
pub mod v4;

pub use counts::{Counts, Prefix, Tokens};
