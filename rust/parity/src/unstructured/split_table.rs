//! A table as Unstructured splits it: by rows where it has usable ones, else as a text.

use crate::unstructured::fragments::{
    Fragment, FragmentSplitter, Rest, Splitting as TextSplitting,
};
use crate::unstructured::table::{self, Measured, has_room};
use chunkwright_read::uncovered;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::grid::Grid;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// How a table is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitting {
    /// The size that no part exceeds.
    pub hard_max: usize,
    /// How much of a part is repeated in the next; only where the table has no rows.
    pub overlap: usize,
    /// Whether parts repeat the header.
    pub repeat_headers: bool,
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
    /// Its HTML, a table by itself; none if the table had none.
    pub html: Option<String>,
}

/// Splits a table whose text is `text` (`prefix`, what is repeated from the chunk before it, may be empty).
///
/// Where the table has rows, the parts say what the cells say. But cells with less than half as many
/// characters as the text has are not the table that was meant: then the text is split.
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
    let has_room = has_room(max, ruler.counts_chars()) && !html.is_empty();
    let Some(grid) = grid.filter(|grid| has_room && !uncovered::is_little(text, grid)) else {
        let parts = by_text(&full, splitting, ruler, pulse)?;
        return Ok(Split::Parts { parts, n_header_rows: 0 });
    };
    by_rows(grid, splitting, ruler, pulse)
}

/// The parts of a text without rows.
fn by_text(
    text: &str,
    splitting: &Splitting,
    ruler: &dyn Ruler,
    pulse: Pulse<'_>,
) -> Result<Vec<Part>> {
    let measure = if ruler.counts_chars() { None } else { Some(ruler.measure(text)?) };
    let how = TextSplitting { max: splitting.hard_max, overlap: splitting.overlap };
    let splitter = FragmentSplitter::new(text, measure.as_deref(), ruler, how);
    let mut parts = Vec::new();
    let mut take = |fragment: Fragment| {
        parts.push(Part { text: fragment.text.of(text).to_owned(), html: None });
        Ok(())
    };
    splitter.split(Rest::of(Span::new(0, text.len())), &mut take, &Beat::of_bytes(pulse))?;
    Ok(parts)
}

/// The parts with rows.
fn by_rows(
    grid: &Grid,
    splitting: &Splitting,
    ruler: &dyn Ruler,
    pulse: Pulse<'_>,
) -> Result<Split> {
    let measure = ruler.measure(&grid.texts)?;
    let table = Measured::new(grid, Document::new(&grid.texts), &*measure, ruler, pulse);
    let Splitting { hard_max, repeat_headers, .. } = *splitting;
    let (parts, n_header_rows) = table::split(&table, hard_max, repeat_headers)?;
    let part = |part: table::Part| Part { text: part.text(&grid.texts), html: Some(part.html) };
    Ok(Split::Parts { parts: parts.into_iter().map(part).collect(), n_header_rows })
}
