//! Table as sentences: `row, column = value`.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::docling::render::{Rendered, Renderer, Scope, Visited};
use chunkwright_read::docling::{Cell, NodeId, TableData};
use chunkwright_text::error::Result;
use chunkwright_text::unicode::space::is_space;

impl Renderer<'_> {
    /// The captions of a table and its sentences.
    pub(super) fn triplets(
        &self,
        id: NodeId,
        scope: Scope,
        visited: &mut Visited,
    ) -> Result<Rendered> {
        let captions = self.captions(id, scope, Some(visited))?;
        let mut parts = Vec::new();
        if !captions.text.is_empty() {
            parts.push(captions);
        }
        if !self.is_left_out(id, scope)
            && let Some(table) = &self.document.node(id).table
        {
            // What stands in cells counts as visited only if the table says something.
            let mark = visited.mark();
            let text = sentences(&self.cell_texts(table, scope, visited)?);
            if text.is_empty() {
                visited.back_to(mark);
            } else {
                parts.push(Rendered { text, items: vec![id] });
            }
        }
        Ok(Rendered::joined(parts, "\n\n"))
    }

    /// The texts of all slots, header rows first joined column by column.
    fn cell_texts<'t>(
        &self,
        table: &'t TableData,
        scope: Scope,
        visited: &mut Visited,
    ) -> Result<Frame<'t>> {
        if table.n_rows == 0 || table.n_cols == 0 {
            return Ok(Frame::default());
        }
        let slots = table.slots();
        let n_header_rows = table.n_header_rows(&slots);
        // Cells that begin in the same slot share the text of the first.
        let mut texts: HashMap<(usize, usize), Cow<'t, str>> = HashMap::new();
        let mut frame = Frame::default();
        for row in 0..table.n_rows {
            let mut cells = Vec::with_capacity(table.n_cols);
            for (col, cell) in slots.row(row).enumerate() {
                let cell = cell.map(|i| &table.cells[i]);
                let key = cell.map_or((row, col), |cell| (cell.rows.start, cell.cols.start));
                if let Some(text) = texts.get(&key) {
                    cells.push(text.clone());
                    continue;
                }
                let text = self.cell_text(cell, scope, visited)?;
                texts.insert(key, text.clone());
                cells.push(text);
            }
            if row < n_header_rows {
                frame.add_header(cells);
            } else {
                frame.rows.push(cells);
            }
        }
        if n_header_rows == 0 {
            frame.columns = (0..table.n_cols).map(|col| col.to_string()).collect();
        }
        Ok(frame)
    }

    /// The text of a cell, which may be rendered; none of an empty slot.
    fn cell_text<'t>(
        &self,
        cell: Option<&'t Cell>,
        scope: Scope,
        visited: &mut Visited,
    ) -> Result<Cow<'t, str>> {
        let Some(cell) = cell else { return Ok(Cow::Borrowed("")) };
        Ok(match cell.content {
            None => Cow::Borrowed(&cell.text),
            Some(content) => Cow::Owned(self.render(content, scope, visited)?.text),
        })
    }
}

/// The names of the columns and the texts of the rows.
#[derive(Default)]
struct Frame<'t> {
    columns: Vec<String>,
    rows: Vec<Vec<Cow<'t, str>>>,
}

impl Frame<'_> {
    fn add_header(&mut self, cells: Vec<Cow<'_, str>>) {
        self.columns.resize_with(cells.len(), String::new);
        for (name, cell) in self.columns.iter_mut().zip(cells) {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&cell);
        }
    }
}

fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

fn sentences(frame: &Frame<'_>) -> String {
    let columns: Vec<&str> = frame.columns.iter().map(|name| strip(name)).collect();
    let mut sentences = Sentences::default();
    let Some((first, rest)) = frame.rows.split_first() else {
        let names = columns.into_iter().filter(|name| !name.is_empty());
        names.for_each(|name| sentences.push(&[name]));
        return sentences.text;
    };
    if let [name] = first.as_slice() {
        // The first value stands for the name of a single column.
        if rest.is_empty() {
            return strip(name).to_owned();
        }
        for row in rest {
            sentences.push(&[strip(name), " = ", strip(&row[0])]);
        }
        return sentences.text;
    }
    for row in &frame.rows {
        for (cell, column) in row.iter().zip(&columns).skip(1) {
            sentences.push(&[strip(&row[0]), ", ", column, " = ", strip(cell)]);
        }
    }
    sentences.text
}

/// Sentences, a full stop between two.
#[derive(Default)]
struct Sentences {
    text: String,
    is_begun: bool,
}

impl Sentences {
    fn push(&mut self, parts: &[&str]) {
        if self.is_begun {
            self.text.push_str(". ");
        }
        self.is_begun = true;
        self.text.extend(parts.iter().copied());
    }
}
