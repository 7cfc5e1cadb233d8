//! Tables split by rows: merged rows stay together, headers are repeated.

mod cells;
mod groups;
mod headers;
pub mod lines;
mod measured;
mod oversized;
mod packing;
mod parts;
mod rows;
mod said;
mod source;
mod standing;
mod td;
#[cfg(test)]
mod tests;

use self::headers::Header;
use self::measured::Measured;
use self::packing::Windows;
use self::parts::Parts;
use crate::cut::elements::beat::Beat;
use crate::cut::elements::oversized as texts;
use crate::error::Result;
use crate::grid::Grid;
use crate::measure::ruler::Ruler;
use crate::pulse::Pulse;
use crate::segment::space::is_space;
use crate::span::Span;

/// Below so many code points, or other units, markup would take too much of a part: only the text is
/// split.
const LEAST_CHARS: usize = 50;
const LEAST_UNITS: usize = 15;

/// How a table is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitting {
    /// The size that no part exceeds.
    pub hard_max: usize,
    /// How much of a part is repeated in the next; only where the table has no rows.
    pub overlap: usize,
    /// Whether parts repeat the header.
    pub repeat_headers: bool,
    /// Whether what is known to be wrong in the peer is repaired.
    pub fix: bool,
}

/// What became of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Split {
    /// Nothing: the table says nothing.
    Nothing,
    /// It fits as it is.
    Whole {
        /// Its text.
        text: String,
        /// Its compact HTML.
        html: Option<String>,
    },
    /// Its parts, in order.
    Parts {
        /// The parts.
        parts: Vec<Part>,
        /// Rows of the header that each part with HTML repeats, but the first.
        n_header_rows: usize,
    },
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its text: what the cells say.
    pub text: String,
    /// Its HTML, a table by itself; none if the table had none, or if the part says what no cell says.
    pub html: Option<String>,
}

/// Splits a table whose text is `text` (`prefix`, what is repeated from the chunk before it, may be empty).
///
/// Where the table has rows, the parts say what the cells say. But cells with less than half as many
/// characters as the text has are not the table that was meant: then the text is split. With
/// [`Splitting::fix`], words that no cell says follow the rows.
///
/// O(n log n) in text and HTML, but for what the ruler costs.
///
/// # Errors
/// Those of the ruler, and what `pulse` says.
pub fn split(
    text: &str,
    prefix: &str,
    grid: Option<&Grid>,
    splitting: &Splitting,
    ruler: &dyn Ruler,
    pulse: Pulse<'_>,
) -> Result<Split> {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return Ok(Split::Nothing);
    }
    let full = if prefix.is_empty() { text.to_owned() } else { format!("{prefix}\n{text}") };
    let html = grid.map_or("", |grid| &grid.html);
    let max = splitting.hard_max;
    if ruler.size(&full)? <= max && (html.is_empty() || ruler.size(html)? <= max) {
        let html = (!html.is_empty()).then(|| html.to_owned());
        return Ok(Split::Whole { text: full, html });
    }
    let least = if ruler.counts_chars() { LEAST_CHARS } else { LEAST_UNITS };
    let rows = grid.filter(|grid| max >= least && !html.is_empty() && !said::is_little(text, grid));
    let Some(grid) = rows else {
        let parts = by_text(&full, splitting.overlap, splitting, ruler, pulse)?;
        return Ok(Split::Parts { parts, n_header_rows: 0 });
    };
    let (mut parts, n_header_rows) = by_rows(&Measured::new(grid, ruler, pulse)?, splitting)?;
    if splitting.fix {
        parts.extend(by_text(&said::missing(text, grid), 0, splitting, ruler, pulse)?);
    }
    Ok(Split::Parts { parts, n_header_rows })
}

/// The parts of a text without rows.
fn by_text(
    text: &str,
    overlap: usize,
    splitting: &Splitting,
    ruler: &dyn Ruler,
    pulse: Pulse<'_>,
) -> Result<Vec<Part>> {
    let measure = if ruler.counts_chars() { None } else { Some(ruler.measure(text)?) };
    let how = texts::Splitting { max: splitting.hard_max, overlap, fix: splitting.fix };
    let splitter = texts::Splitter::new(text, measure.as_deref(), ruler, how);
    let mut parts = Vec::new();
    let mut take = |fragment: texts::Fragment| {
        parts.push(Part { text: fragment.text.of(text).to_owned(), html: None });
        Ok(())
    };
    splitter.split(texts::Rest::of(Span::new(0, text.len())), &mut take, &Beat::new(pulse))?;
    Ok(parts)
}

/// The parts with rows, and how many rows of the header they repeat.
fn by_rows(table: &Measured<'_>, splitting: &Splitting) -> Result<(Vec<Part>, usize)> {
    let max = splitting.hard_max;
    let header = if splitting.repeat_headers { Header::of(table, max)? } else { None };
    let alone = Windows { first: max, later: max };
    let windows = header.as_ref().map_or(alone, |header| header.windows(max));
    let n_rows = header.as_ref().map_or(0, |header| header.n_rows);
    let mut parts = Parts::new(header, splitting.fix);
    rows::split(table, windows, &mut parts)?;
    Ok((parts.finish(), n_rows))
}
