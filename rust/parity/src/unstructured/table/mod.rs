//! Table as Unstructured splits it between its rows: merged rows stay together, headers are repeated.

mod cells;
mod headers;
mod measured;
mod oversized;
mod packing;
mod parts;
mod rows;
mod source;
mod standing;
mod td;

use self::headers::Header;
use self::packing::Windows;
use self::parts::Parts;
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

pub use self::measured::Measured;

/// Below so many code points, or other units, markup would take too much of a part: only the text is
/// split.
const LEAST_CHARS: usize = 50;
const LEAST_UNITS: usize = 15;

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The spans of its cells' texts in reading order, behind those of the repeated header.
    pub texts: Vec<Span>,
    /// Its HTML, a table by itself.
    pub html: String,
}

impl Part {
    /// What it says: its texts in `source`, a blank between two.
    pub fn text(&self, source: &str) -> String {
        let texts = self.texts.iter().map(|span| &source[span.range()]);
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// Whether parts of so many units have room for rows and their markup.
pub const fn has_room(hard_max: usize, counts_chars: bool) -> bool {
    hard_max >= if counts_chars { LEAST_CHARS } else { LEAST_UNITS }
}

/// The parts of a table, none over `hard_max`, and the number of header rows that each but the first repeats.
///
/// O(n log n) in text and HTML, but for what the ruler costs.
///
/// # Errors
/// Those of the ruler, and what the pulse says.
pub fn split(
    table: &Measured<'_>,
    hard_max: usize,
    repeat_headers: bool,
) -> Result<(Vec<Part>, usize)> {
    let header = if repeat_headers { Header::of(table, hard_max)? } else { None };
    let alone = Windows { first: hard_max, later: hard_max };
    let windows = header.as_ref().map_or(alone, |header| header.windows(hard_max));
    let n_rows = header.as_ref().map_or(0, |header| header.n_rows);
    let mut parts = Parts::new(header);
    rows::split(table, windows, &mut parts)?;
    Ok((parts.finish(), n_rows))
}
