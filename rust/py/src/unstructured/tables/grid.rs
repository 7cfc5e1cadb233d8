//! Tables read from HTML, and put together again.

use chunkwright_read::html::{self, ParsedTable};
use chunkwright_read::reconstruct::{self, Part};
use chunkwright_text::grid::Grid;
use chunkwright_text::unicode::space::is_space;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::to_core;
use crate::gate::attached;
use crate::unstructured::surrogates::StandIns;

/// A row: compact HTML, source, whether it is a header, section, cells (text, HTML, columns, rows).
type RowTuple<'a> = (&'a str, &'a str, bool, usize, Vec<(&'a str, &'a str, usize, Option<usize>)>);

/// A table read from HTML, as it is cut.
#[pyclass(frozen, name = "TableGrid")]
#[derive(Debug)]
pub struct TableGrid(Grid);

#[pymethods]
impl TableGrid {
    /// The only table of a fragment, or none; see [`table_of`].
    #[staticmethod]
    #[pyo3(signature = (html, recover=None))]
    fn of_html(
        html: &Bound<'_, PyString>,
        recover: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Self>> {
        let stand_ins = StandIns::of(std::iter::once(html.clone()))?;
        Ok(match table_of(&stand_ins.put(html)?, &stand_ins, recover)? {
            ParsedTable::Grid(grid) => Some(Self(*grid)),
            ParsedTable::Irregular | ParsedTable::None => None,
        })
    }

    /// The whole table as compact HTML.
    #[getter]
    fn html(&self) -> &str {
        &self.0.html
    }

    /// Row `i` as a header of so many rows that are left; none if text stands behind it.
    fn header_row(&self, i: usize, max_rowspan: usize) -> Option<String> {
        html::header_row(self.0.row_source(i), max_rowspan)
    }

    /// Its rows; see [`RowTuple`].
    fn rows(&self) -> Vec<RowTuple<'_>> {
        let grid = &self.0;
        let cell = |i| {
            let cell = grid.cells[i];
            (grid.cell_text(i), grid.cell_html(i), cell.colspan, cell.rowspan)
        };
        let row = |(i, row): (usize, &chunkwright_text::grid::Row)| {
            let cells = row.cells.range().map(cell).collect();
            (grid.row_html(i), grid.row_source(i), row.is_header, row.section, cells)
        };
        grid.rows.iter().enumerate().map(row).collect()
    }
}

/// The only table of `html`. HTML that has to be repaired is given to `recover`, which writes what it parsed
/// as XML, or says that there is no table; without it, it is read as browsers do.
///
/// # Errors
/// What `recover` raises.
pub fn table_of(
    html: &str,
    stand_ins: &StandIns,
    recover: Option<&Bound<'_, PyAny>>,
) -> PyResult<ParsedTable> {
    let html = html.trim_matches(is_space);
    match (html::parse(html), recover) {
        (ParsedTable::Irregular, None) => Ok(html::recover(html)),
        (ParsedTable::Irregular, Some(recover)) => recovered(html, stand_ins, recover),
        (table, _) => Ok(table),
    }
}

/// The table of irregular HTML, without whitespace around it, as `recover` writes it.
///
/// # Errors
/// What `recover` raises.
pub fn recovered(
    html: &str,
    stand_ins: &StandIns,
    recover: &Bound<'_, PyAny>,
) -> PyResult<ParsedTable> {
    let written = written(html, stand_ins, recover)?;
    Ok(written.map_or(ParsedTable::None, |written| html::parse_written(&written)))
}

fn written(
    html: &str,
    stand_ins: &StandIns,
    recover: &Bound<'_, PyAny>,
) -> PyResult<Option<String>> {
    let written = recover.call1((stand_ins.take(recover.py(), html)?,))?;
    if written.is_none() {
        return Ok(None);
    }
    Ok(Some(stand_ins.put(&written.cast_into::<PyString>()?)?.into_owned()))
}

/// A part of a table: text, HTML if there is any, how many rows of it are a header that is repeated.
type PartOf<'py> = (Bound<'py, PyString>, Option<Bound<'py, PyString>>, usize);

/// The text and the HTML of a table, put together of its parts. For `recover`, see [`table_of`].
#[pyfunction]
#[pyo3(signature = (parts, recover=None))]
pub fn reconstruct_table<'py>(
    py: Python<'py>,
    parts: Vec<PartOf<'py>>,
    recover: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyString>, Option<Bound<'py, PyString>>)> {
    let texts = parts.iter().flat_map(|(text, html, _)| [Some(text), html.as_ref()]);
    let stand_ins = StandIns::of(texts.flatten().cloned())?;
    let put = |(text, html, _): &'_ PartOf<'py>| {
        let html = html.as_ref().map(|html| Ok::<_, PyErr>(stand_ins.put(html)?.into_owned()));
        Ok((stand_ins.put(text)?.into_owned(), html.transpose()?))
    };
    let texts = parts.iter().map(put).collect::<PyResult<Vec<_>>>()?;
    let parts = texts.iter().zip(&parts).map(|((text, html), (_, _, n_carried))| Part {
        text,
        html: html.as_deref(),
        n_carried: *n_carried,
    });
    let mut repaired = |html: &str| match recover {
        None => Ok(html::repair(html)),
        Some(recover) => written(html, &stand_ins, recover).map_err(to_core),
    };
    let parts: Vec<_> = parts.collect();
    let whole = attached(py, |pulse| reconstruct::merge(&parts, &mut repaired, pulse))?;
    let html = whole.html.map(|html| stand_ins.take(py, &html)).transpose()?;
    Ok((stand_ins.take(py, &whole.text)?, html))
}
