//! Element table of the core's, filled with elements that were read from Python.

use std::borrow::Cow;

use chunkwright_read::html;
use chunkwright_read::unstructured::Unstructured;
use chunkwright_text::elements::Kind;
use chunkwright_text::error::Result as CoreResult;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::unicode::space::is_space;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::reader::{InputElement, Reading};
use crate::gate::detached;
use crate::unstructured::surrogates::StandIns;
use crate::unstructured::tables::grid::recovered;

/// Elements between two looks for signals.
const PULSE: usize = 4096;

/// Bytes of HTML between two looks for signals.
const PULSE_BYTES: usize = 1 << 18;

/// An element as the core takes it.
pub struct PreparedElement<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: Cow<'a, str>,
    /// The HTML of a table.
    pub html: Option<Cow<'a, str>>,
    /// The number of its page.
    pub page: Option<i64>,
}

/// Elements as they were read.
pub struct CoreTable {
    /// The core's table.
    pub table: Unstructured,
    /// What stands in it for surrogates.
    pub stand_ins: StandIns,
    /// The numbers of the tables whose HTML is none.
    pub unread: Vec<usize>,
}

/// Reads `items`.
///
/// HTML that only a lenient parser reads goes through `recover`, which answers with regular HTML or None;
/// without it, through one of our own.
///
/// # Errors
/// Those of `recover`, and of signals.
pub fn table(
    py: Python<'_>,
    items: &[InputElement<'_>],
    recover: Option<&Bound<'_, PyAny>>,
    reading: Reading,
) -> PyResult<CoreTable> {
    let htmls = items.iter().filter_map(|item| item.html.as_ref());
    let stand_ins = StandIns::of(items.iter().map(|item| &item.text).chain(htmls).cloned())?;
    let prepared: PyResult<Vec<PreparedElement<'_>>> =
        items.iter().map(|item| prepared(item, &stand_ins, reading)).collect();
    let (table, unread) = prepared_table(py, &prepared?, &stand_ins, recover, reading)?;
    Ok(CoreTable { table, stand_ins, unread })
}

/// The table of `prepared`, and the numbers of the tables whose HTML is none.
///
/// # Errors
/// As for [`table`].
pub fn prepared_table(
    py: Python<'_>,
    prepared: &[PreparedElement<'_>],
    stand_ins: &StandIns,
    recover: Option<&Bound<'_, PyAny>>,
    reading: Reading,
) -> PyResult<(Unstructured, Vec<usize>)> {
    let recovers = recover.is_none();
    let mut tables = detached(py, |pulse| parsed(prepared, recovers, pulse))?;
    if let Some(recover) = recover {
        for (i, table) in &mut tables {
            if let (html::ParsedTable::Irregular, Some(html)) = (&*table, &prepared[*i].html) {
                *table = recovered(html.trim_matches(is_space), stand_ins, recover)?;
            }
        }
    }
    let is_read = |table: &html::ParsedTable| matches!(table, html::ParsedTable::Grid(_));
    let unread = tables.iter().filter(|(_, table)| !is_read(table)).map(|(i, _)| *i).collect();
    let table = detached(py, |pulse| filled_table(prepared, tables, reading, pulse))?;
    Ok((table, unread))
}

fn prepared<'a>(
    item: &'a InputElement<'_>,
    stand_ins: &StandIns,
    reading: Reading,
) -> PyResult<PreparedElement<'a>> {
    let put = |text: &'a Bound<'_, PyString>| match reading {
        Reading::Verbatim => stand_ins.put(text),
        Reading::Document => stand_ins.put_characters(text),
    };
    let html = item.html.as_ref().map(put).transpose()?;
    Ok(PreparedElement { kind: item.kind, text: put(&item.text)?, html, page: item.page })
}

/// The tables among `prepared`, with their numbers.
fn parsed(
    prepared: &[PreparedElement<'_>],
    recovers: bool,
    pulse: Pulse<'_>,
) -> CoreResult<Vec<(usize, html::ParsedTable)>> {
    let (mut tables, mut n_bytes) = (Vec::new(), 0);
    for (i, prepared) in prepared.iter().enumerate() {
        let html = prepared.html.as_deref().unwrap_or_default().trim_matches(is_space);
        if html.is_empty() {
            continue;
        }
        n_bytes += html.len();
        if n_bytes > PULSE_BYTES {
            pulse()?;
            n_bytes = 0;
        }
        tables.push((
            i,
            match html::parse(html) {
                html::ParsedTable::Irregular if recovers => html::recover(html),
                table => table,
            },
        ));
    }
    Ok(tables)
}

fn filled_table(
    prepared: &[PreparedElement<'_>],
    tables: Vec<(usize, html::ParsedTable)>,
    reading: Reading,
    pulse: Pulse<'_>,
) -> CoreResult<Unstructured> {
    let n_bytes = prepared.iter().map(|prepared| prepared.text.len()).sum();
    let mut table = Unstructured::with_capacity(prepared.len(), n_bytes);
    let mut tables = tables.into_iter().peekable();
    for (i, PreparedElement { kind, text, page, .. }) in prepared.iter().enumerate() {
        if i.is_multiple_of(PULSE) {
            pulse()?;
        }
        let grid = match tables.next_if(|(of, _)| *of == i) {
            Some((_, html::ParsedTable::Grid(grid))) => Some(grid),
            _ => None,
        };
        match reading {
            Reading::Verbatim => table.push(*kind, text, *page, grid),
            Reading::Document => table.push_with_cells(*kind, text, *page, grid),
        }
    }
    Ok(table)
}
