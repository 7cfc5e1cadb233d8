//! Tables of lines, split by rows: Markdown, and lists of cells.

use chunkwright_text::cut::table::lines::{Form, LinePart, Lines, markdown, split};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::named;
use crate::measure::unit::Unit;
use crate::unstructured::repaired_ruler::repaired;
use crate::unstructured::surrogates::StandIns;

/// A part as Python has it: the table, the header rows it repeats, the rows it shows (first and one past
/// the last, of the whole table), and whether it is over the limit.
type PartOf<'py, T> = (Bound<'py, T>, usize, usize, usize, bool);

/// The parts of a Markdown table, each one by itself with at most `hard_max` units.
#[pyfunction]
#[pyo3(signature = (markdown, unit, *, hard_max, repeat_headers = true))]
pub fn split_markdown<'py>(
    py: Python<'py>,
    markdown: &Bound<'py, PyString>,
    unit: &Unit,
    hard_max: usize,
    repeat_headers: bool,
) -> PyResult<Vec<PartOf<'py, PyString>>> {
    let stand_ins = StandIns::of(std::iter::once(markdown.clone()))?;
    let text = stand_ins.put(markdown)?;
    let Some(table) = markdown::read(&text) else {
        let message = "there is no Markdown table, or more than a table".into();
        return Err(named("ReadError", message));
    };
    let cells = |row: usize| markdown::cells(&table.rows[row]).map(str::to_owned).collect();
    let parts = parts(py, &table, &cells, &stand_ins, unit, hard_max, repeat_headers)?;
    let parts =
        parts.into_iter().map(|LinePart { text, rows, n_header_rows, is_oversize, .. }| {
            let text = stand_ins.take(py, &text)?;
            Ok((text, n_header_rows, rows.start, rows.end, is_oversize))
        });
    parts.collect()
}

/// The parts of a table that is a list of rows, of which so many are its header: what the cells of a part
/// say, a blank between two, has at most `hard_max` units.
#[pyfunction]
#[pyo3(signature = (rows, n_header_rows, unit, *, hard_max, repeat_headers = true))]
pub fn split_rows<'py>(
    py: Python<'py>,
    rows: Vec<Vec<Bound<'py, PyString>>>,
    n_header_rows: usize,
    unit: &Unit,
    hard_max: usize,
    repeat_headers: bool,
) -> PyResult<Vec<PartOf<'py, PyList>>> {
    let stand_ins = StandIns::of(rows.iter().flatten().cloned())?;
    let texts: PyResult<Vec<Vec<_>>> =
        rows.iter().map(|row| row.iter().map(|cell| stand_ins.put(cell)).collect()).collect();
    let texts = texts?;
    let line = |row: &Vec<_>| Form::Cells.line(row.iter().map(AsRef::as_ref)).into();
    let table = Lines {
        rows: texts.iter().map(line).collect(),
        n_header_rows: n_header_rows.min(rows.len()),
        delimiter: None,
        no_header: String::new(),
        form: Form::Cells,
    };
    let cells = |row: usize| texts[row].iter().map(ToString::to_string).collect();
    let parts = parts(py, &table, &cells, &stand_ins, unit, hard_max, repeat_headers)?;
    let shown = |part: LinePart| {
        let list = PyList::empty(py);
        for row in &rows[..part.n_header_rows] {
            list.append(row)?;
        }
        match part.cells {
            None => rows[part.rows.clone()].iter().try_for_each(|row| list.append(row))?,
            Some(cells) => {
                let cells = cells.iter().map(|cell| stand_ins.take(py, cell));
                list.append(cells.collect::<PyResult<Vec<_>>>()?)?;
            }
        }
        Ok((list, part.n_header_rows, part.rows.start, part.rows.end, part.is_oversize))
    };
    parts.into_iter().map(shown).collect()
}

fn parts(
    py: Python<'_>,
    table: &Lines<'_>,
    cells: &(dyn Fn(usize) -> Vec<String> + Sync),
    stand_ins: &StandIns,
    unit: &Unit,
    hard_max: usize,
    repeat_headers: bool,
) -> PyResult<Vec<LinePart>> {
    unit.with_ruler(py, |ruler, pulse| {
        repaired(ruler, stand_ins, |ruler| {
            split(table, cells, hard_max, repeat_headers, ruler, pulse)
        })
    })
}
