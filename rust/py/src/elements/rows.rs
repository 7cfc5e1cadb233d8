//! Table of rows of cells, as the element of a document.

use chunkwright_core::cut::table::row_starts;
use chunkwright_core::elements::Element;
use chunkwright_core::offsets::CharIndex;
use chunkwright_core::read::Read;
use chunkwright_core::read::table::RowTable;
use chunkwright_core::source_map::SourceMap;
use chunkwright_core::span::Span;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use super::Elements;
use crate::text::Text;

/// Rows that are read in a few milliseconds.
const ROWS_A_TICK: usize = 1 << 12;

/// Where the rows of a table begin in the text of its document, in code points; none if that is not known.
pub fn starts(text: &Text<'_>, element: &Element) -> PyResult<Option<Vec<usize>>> {
    let utf8 = text.as_str();
    let rows = element.grid.as_deref().and_then(|grid| row_starts(utf8, grid, element.span));
    let chars = CharIndex::new(utf8, text.pairs());
    Ok(rows.map(|rows| rows.into_iter().map(|byte| chars.byte_to_char(utf8, byte)).collect()))
}

/// See [`Elements::of_rows`].
///
/// # Errors
/// If a row is none, and what signals say.
pub fn table(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    n_header_rows: usize,
    source: &Bound<'_, PyString>,
) -> PyResult<Elements> {
    let n_chars = source.len()?;
    let source = Text::of(source)?;
    let (csv, chars) = (source.as_str(), CharIndex::new(source.as_str(), &[]));
    let (mut table, mut rows_at) = (RowTable::default(), Vec::new());
    for (i, row) in rows.try_iter()?.enumerate() {
        if i % ROWS_A_TICK == 0 {
            py.check_signals()?;
        }
        let (cells, start, end): (Vec<PyBackedStr>, usize, usize) = row?.extract()?;
        let span = table.push(cells.iter().map(|cell| &**cell));
        let [start, end] = [start, end].map(|char| char.min(chars.n_chars()));
        let start = chars.char_to_byte(csv, start);
        let line = &csv[start..chars.char_to_byte(csv, end).max(start)];
        let n_bytes = line.trim_end_matches(['\r', '\n']).len();
        rows_at.push((span, Span::new(start, start + n_bytes)));
    }
    let (text, element) = table.finish(n_header_rows);
    let elements: Vec<_> = element.into_iter().collect();
    let places = vec![[0, n_chars]; elements.len()];
    let source = SourceMap::of_parts(csv, source.pairs(), rows_at);
    let text = Some(text);
    Ok(Elements::of(Read { text, elements, places, source, ..Read::default() }))
}
