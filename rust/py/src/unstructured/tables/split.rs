//! Split of one table by rows.

use chunkwright_parity::unstructured::split_table::{Part, Split, Splitting, split};
use chunkwright_read::html;
use chunkwright_text::grid::Grid;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::grid::table_of;
use crate::error::named;
use crate::measure::unit::Unit;
use crate::unstructured::repaired_ruler::repaired;
use crate::unstructured::surrogates::StandIns;

/// A part: what it says, its HTML, and how many rows of the header it repeats.
type PartOf<'py> = (Bound<'py, PyString>, Option<Bound<'py, PyString>>, usize);

/// The parts of a table, and whether it is whole; none if it says nothing.
///
/// `text` is what it says, by default what its cells do. HTML that only a lenient parser reads goes through
/// `recover`, which answers with regular HTML or None; without it, through one of our own.
#[pyfunction]
#[pyo3(signature = (
    html, unit, *, hard_max, text = None, prefix = None, overlap = 0, repeat_headers = true,
    recover = None,
))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn split_table<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyString>,
    unit: &Unit,
    hard_max: usize,
    text: Option<Bound<'py, PyString>>,
    prefix: Option<Bound<'py, PyString>>,
    overlap: usize,
    repeat_headers: bool,
    recover: Option<&Bound<'py, PyAny>>,
) -> PyResult<(bool, Vec<PartOf<'py>>)> {
    let given = [Some(html), text.as_ref(), prefix.as_ref()].into_iter().flatten().cloned();
    let stand_ins = StandIns::of(given.collect::<Vec<_>>().into_iter())?;
    let grid = grid(&stand_ins.put(html)?, &stand_ins, recover)?;
    let text = text.as_ref().map(|text| stand_ins.put(text)).transpose()?;
    let prefix = prefix.as_ref().map(|prefix| stand_ins.put(prefix)).transpose()?;
    let text = match (&text, &grid) {
        (Some(text), _) => text,
        (None, Some(grid)) => &*grid.texts,
        (None, None) => {
            let message = "there is no table in the HTML, or more than a table".into();
            return Err(named("ReadError", message));
        }
    };
    let splitting = Splitting { hard_max, overlap, repeat_headers };
    let prefix = prefix.as_deref().unwrap_or_default();
    let split = unit.with_ruler(py, |ruler, pulse| {
        repaired(ruler, &stand_ins, |ruler| {
            split(text, prefix, grid.as_ref(), &splitting, ruler, pulse)
        })
    })?;
    made(py, split, &stand_ins)
}

/// The table in `html`, if there is one.
fn grid(
    html: &str,
    stand_ins: &StandIns,
    recover: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Grid>> {
    Ok(match table_of(html, stand_ins, recover)? {
        html::ParsedTable::Grid(grid) => Some(*grid),
        html::ParsedTable::Irregular | html::ParsedTable::None => None,
    })
}

fn made<'py>(
    py: Python<'py>,
    split: Split,
    stand_ins: &StandIns,
) -> PyResult<(bool, Vec<PartOf<'py>>)> {
    let (is_whole, parts, n_header_rows) = match split {
        Split::Nothing => (false, Vec::new(), 0),
        Split::Whole { text, html } => (true, vec![Part { text, html }], 0),
        Split::Parts { parts, n_header_rows } => (false, parts, n_header_rows),
    };
    let parts = parts.iter().enumerate().map(|(i, part)| {
        let html = part.html.as_ref().map(|html| stand_ins.take(py, html)).transpose()?;
        let repeats = i > 0 && html.is_some();
        Ok((stand_ins.take(py, &part.text)?, html, if repeats { n_header_rows } else { 0 }))
    });
    Ok((is_whole, parts.collect::<PyResult<_>>()?))
}
