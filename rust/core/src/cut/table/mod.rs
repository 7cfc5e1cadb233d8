//! Split of tables by rows: merged rows stay together, headers are repeated.

pub(super) mod by_rows;
mod cells;
pub mod groups;
mod headers;
pub(super) mod in_text;
pub mod lines;
mod measured;
mod oversized;
mod packing;
mod parts;
mod rows;
mod source;
mod standing;
mod td;

use std::ops::Range;

use self::headers::Header;
use self::packing::Windows;
use self::parts::Parts;
use crate::error::Result;
use crate::grid::Grid;
use crate::span::Piece;

pub use self::by_rows::row_starts;
pub use self::measured::Measured;

/// Below so many code points, or other units, markup would take too much of a part: only the text is
/// split.
const LEAST_CHARS: usize = 50;
const LEAST_UNITS: usize = 15;

/// How a table is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitting {
    /// The size that no part exceeds.
    pub hard_max: usize,
    /// The size that the first one should not exceed, as something stands in front of it.
    pub first_max: usize,
    /// Whether parts repeat the header.
    pub repeat_headers: bool,
    /// Whether rows without text are left out where they would be a part by themselves.
    pub only_said: bool,
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The spans of its cells' texts in reading order, those repeated from rows above as headers.
    pub pieces: Vec<Piece>,
    /// Its HTML, a table by itself.
    pub html: String,
}

impl Part {
    /// What it says: its pieces of `source`, a blank between two.
    pub fn text(&self, source: &str) -> String {
        let pieces = self.pieces.iter().map(|piece| &source[piece.span.range()]);
        pieces.collect::<Vec<_>>().join(" ")
    }
}

/// Whether parts of so many units have room for rows and their markup.
pub const fn has_room(hard_max: usize, counts_chars: bool) -> bool {
    hard_max >= if counts_chars { LEAST_CHARS } else { LEAST_UNITS }
}

/// The HTML of `rows` as a table by itself, so many header rows of it repeated in front.
pub fn html_of_rows(grid: &Grid, rows: Range<usize>, n_header_rows: usize) -> String {
    let mut html = String::from("<table>");
    if n_header_rows > 0 {
        html.push_str(&headers::thead(grid, n_header_rows));
    }
    let end = rows.end;
    for row in rows {
        source::push_row(&mut html, grid, row, end - row);
    }
    html.push_str("</table>");
    html
}

/// The parts of a table and the number of header rows that each but the first repeats.
///
/// O(n log n) in text and HTML, but for what the ruler costs.
///
/// # Errors
/// Those of the ruler, and what the pulse says.
pub fn split(table: &Measured<'_>, splitting: &Splitting) -> Result<(Vec<Part>, usize)> {
    let max = splitting.hard_max;
    let header = if splitting.repeat_headers { Header::of(table, max)? } else { None };
    let alone = Windows { first: max, later: max };
    let windows = header.as_ref().map_or(alone, |header| header.windows(max));
    let windows = Windows { first: windows.first.min(splitting.first_max), ..windows };
    let n_rows = header.as_ref().map_or(0, |header| header.n_rows);
    let mut parts = Parts::new(table.text(), header, splitting.only_said);
    rows::split(table, windows, &mut parts)?;
    Ok((parts.finish(), n_rows))
}
