//! Places of chunks: their lines, and where they stand in what was read.

use chunkwright_core::offsets::LineSweep;
use chunkwright_core::source_map::{SourceMap, SourcePlace};
use pyo3::prelude::*;

use super::Columns;
use crate::elements::Elements;
use crate::numbers::column::Column;

impl Columns {
    /// Lines, from 1, on which each chunk begins and ends.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn line_numbers(&self, py: Python<'_>) -> PyResult<Vec<[usize; 2]>> {
        let mut lines = Vec::with_capacity(self.chunks.len());
        for (doc, rows) in self.rows_by_doc().enumerate() {
            let text = self.text_of(py, doc)?;
            let mut starts = LineSweep::new(text.as_str());
            let mut ends = LineSweep::new(text.as_str());
            lines.extend(rows.map(|row| {
                let span = self.chunks.span(row);
                [starts.at(span.start), ends.at(span.end.saturating_sub(1))]
            }));
        }
        Ok(lines)
    }

    /// Where the chunks stand in what was read; see the method of that name.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn source_places(&self, py: Python<'_>) -> PyResult<[Column; 4]> {
        let lines = self.line_numbers(py)?;
        let (starts, ends) = (self.starts.get().values(), self.ends.get().values());
        let mut columns = [(); 4].map(|()| Vec::with_capacity(lines.len()));
        for (doc, rows) in self.rows_by_doc().enumerate() {
            let map = self.elements(doc).map_or(&SourceMap::Same, Elements::source);
            for row in rows {
                let [start, end] = [starts[row], ends[row]].map(i64::cast_unsigned);
                let chars = [usize::try_from(start)?, usize::try_from(end)?];
                let own = SourcePlace { chars, lines: lines[row] };
                let place = map.place(self.chunks.span(row), own).map(|place| {
                    let ([start, end], [first, last]) = (place.chars, place.lines);
                    [start, end, first, last]
                });
                for (i, column) in columns.iter_mut().enumerate() {
                    let at = place.and_then(|place| i64::try_from(place[i]).ok());
                    column.push(at.unwrap_or(-1));
                }
            }
        }
        Ok(columns.map(Column::of))
    }
}
