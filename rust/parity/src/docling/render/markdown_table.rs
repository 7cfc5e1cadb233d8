//! Table in Markdown: one header row, texts without line ends and bars.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::docling::render::tabulate::{compact, tabulate};
use crate::docling::render::{Rendered, Renderer, Scope, Visited};
use chunkwright_read::docling::{Cell, NodeId, Slots, TableData};
use chunkwright_text::error::Result;

/// What stands between the texts of header rows that become one.
const HEADER_SEPARATOR: &str = " - ";

impl Renderer<'_> {
    /// The captions of a table and its rows; a table in a cell is flattened.
    pub(super) fn markdown_table(
        &self,
        id: NodeId,
        scope: Scope,
        visited: &mut Visited,
        is_compact: bool,
    ) -> Result<Rendered> {
        if scope.is_in_cell {
            let text = self.flattened(id, scope, visited)?;
            return Ok(Rendered { text, items: vec![id] });
        }
        let captions = self.captions(id, scope, Some(visited))?;
        let mut parts = Vec::new();
        if !captions.text.is_empty() {
            parts.push(captions);
        }
        if !self.is_left_out(id, scope)
            && let Some(table) = &self.document.node(id).table
        {
            let inner = Scope { is_in_cell: true, ..scope };
            let text = table_text(table, |content| Ok(self.render(content, inner, visited)?.text))?;
            if !text.is_empty() {
                let text = if is_compact { compact(&text) } else { text };
                parts.push(Rendered { text, items: vec![id] });
            }
        }
        Ok(Rendered::joined(parts, "\n\n"))
    }
}

/// A table whose cells hold nothing but text.
pub fn plain_table(table: &TableData) -> String {
    // No cell asks for its content.
    table_text(table, |_| Ok(String::new())).unwrap_or_default()
}

fn table_text(
    table: &TableData,
    mut content: impl FnMut(NodeId) -> Result<String>,
) -> Result<String> {
    if table.n_rows == 0 || table.n_cols == 0 {
        return Ok(String::new());
    }
    let slots = table.slots();
    let mut contents: HashMap<(usize, usize), String> = HashMap::new();
    let mut rows = Vec::with_capacity(table.n_rows);
    for row in 0..table.n_rows {
        let mut texts = Vec::with_capacity(table.n_cols);
        for cell in slots.row(row) {
            texts.push(match cell.map(|i| &table.cells[i]) {
                None => String::new(),
                Some(Cell { content: None, text, .. }) => escaped(text),
                Some(Cell { content: Some(id), rows, cols, .. }) => {
                    let key = (rows.start, cols.start);
                    match contents.entry(key) {
                        Entry::Occupied(text) => text.get().clone(),
                        Entry::Vacant(place) => place.insert(escaped(&content(*id)?)).clone(),
                    }
                }
            });
        }
        rows.push(texts);
    }
    let body = rows.split_off(n_header_rows(table, &slots));
    Ok(tabulate(&header(&rows, table.n_cols), &body))
}

fn escaped(text: &str) -> String {
    text.replace('\n', " ").replace('|', "&#124;")
}

/// The rows that become the header: the first one if no cell says that it is of one.
fn n_header_rows(table: &TableData, slots: &Slots) -> usize {
    let n = table.n_header_rows(slots);
    let is_header = |cell: Option<usize>| cell.is_some_and(|i| table.cells[i].is_column_header);
    let has_later = || (1..table.n_rows).any(|row| slots.row(row).any(is_header));
    if n == 0 && !has_later() { 1 } else { n }
}

/// One header of several, column by column; a text that repeats the one above it is left out.
fn header(rows: &[Vec<String>], n_cols: usize) -> Vec<String> {
    let column = |col: usize| {
        let mut texts: Vec<&str> = rows.iter().map(|row| row[col].as_str()).collect();
        texts.retain(|text| !text.is_empty());
        texts.dedup();
        texts.join(HEADER_SEPARATOR)
    };
    (0..n_cols).map(column).collect()
}
