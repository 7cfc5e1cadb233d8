//! Table with its texts measured: any run of its cells is one slice of one text.

use std::ops::Range;

use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::grid::Grid;
use chunkwright_text::measure::Measure;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;

/// A table, ready to be measured.
pub struct Measured<'t> {
    /// Its rows and cells.
    pub grid: &'t Grid,
    /// What texts are measured with that are no slices of its own.
    pub ruler: &'t dyn Ruler,
    /// Whether sizes are numbers of code points.
    pub counts_chars: bool,
    document: Document<'t>,
    measure: &'t dyn Measure,
    /// For each row, where the first text at or behind it starts and the last one up to it ends.
    rows: Vec<Range<usize>>,
    /// Counts the bytes of rows that were looked at.
    pub beat: Beat<'t>,
}

impl<'t> Measured<'t> {
    /// Looks at all texts once. O(n).
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn new(
        grid: &'t Grid,
        document: Document<'t>,
        measure: &'t dyn Measure,
        ruler: &'t dyn Ruler,
        pulse: Pulse<'t>,
    ) -> Self {
        Self {
            grid,
            ruler,
            counts_chars: ruler.counts_chars(),
            document,
            measure,
            rows: row_texts(grid),
            beat: Beat::of_bytes(pulse),
        }
    }

    /// The texts of `rows`, a blank between two; empty if they say nothing.
    pub fn texts(&self, rows: Range<usize>) -> Span {
        let (start, end) = (self.rows[rows.start].start, self.rows[rows.end - 1].end);
        Span::new(start.min(end), end)
    }

    /// The end of the last text up to `row`.
    pub fn end(&self, row: usize) -> usize {
        self.rows[row].end
    }

    /// The text in which those of the cells stand.
    pub const fn text(&self) -> &'t str {
        self.document.text()
    }

    /// A slice of the cells' texts.
    pub fn str(&self, span: Span) -> &'t str {
        &self.document.text()[span.range()]
    }

    /// Its size, in the unit of the ruler.
    ///
    /// # Errors
    /// Those of a caller's own counter.
    pub fn size(&self, span: Span) -> Result<usize> {
        if self.counts_chars { Ok(self.n_chars(span)) } else { self.measure.size(span) }
    }

    /// Its length in code points.
    pub fn n_chars(&self, span: Span) -> usize {
        self.document.n_chars(span)
    }
}

/// Two slices of the texts and what stands between them; either may be empty.
pub fn joined(first: Span, second: Span) -> Span {
    match (first.is_empty(), second.is_empty()) {
        (true, _) => second,
        (_, true) => first,
        _ => Span::new(first.start, second.end),
    }
}

fn row_texts(grid: &Grid) -> Vec<Range<usize>> {
    let mut rows = Vec::with_capacity(grid.rows.len());
    let mut end = 0;
    for row in &grid.rows {
        let texts = || grid.cells[row.cells.range()].iter().filter(|cell| !cell.text.is_empty());
        let start = texts().next().map_or(usize::MAX, |cell| cell.text.start);
        end = texts().next_back().map_or(end, |cell| cell.text.end);
        rows.push(start..end);
    }
    let mut start = usize::MAX;
    for row in rows.iter_mut().rev() {
        start = start.min(row.start);
        row.start = start;
    }
    rows
}
