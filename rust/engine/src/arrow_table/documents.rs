//! Documents of an Arrow table, as texts that threads take one by one.

use std::ops::Range;

use arrow_array::{Array, ArrayRef, StructArray};
use chunkwright_core::document::Document;
use chunkwright_core::error::Result;
use chunkwright_core::span::Span;

use super::layout::Layout;
use super::strings::Strings;
use crate::batch::Texts;

/// A table of documents.
pub struct DocumentTable {
    columns: StructArray,
    texts: Strings,
    names: Option<Strings>,
    /// The number of its first row, if it is part of a larger one.
    first: usize,
}

/// Rows of a table that have a text.
pub struct Documents<'a> {
    /// The table.
    pub table: &'a DocumentTable,
    /// Numbers of the rows.
    pub rows: Vec<usize>,
}

impl DocumentTable {
    /// The documents in `columns`, of which `first` others stand before.
    ///
    /// # Errors
    /// If a column of strings is none.
    pub fn new(columns: StructArray, layout: &Layout, first: usize) -> Result<Self> {
        let texts = Strings::of(columns.column(layout.text))?;
        let names = layout.name.map(|name| Strings::of(columns.column(name))).transpose()?;
        Ok(Self { columns, texts, names, first })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// As many rows from `start` on as have `most_bytes` of text together, or one.
    pub fn rows(&self, start: usize, most_bytes: usize) -> Range<usize> {
        let mut n_bytes = 0_usize;
        let rows = (start..self.len()).take_while(|&row| {
            n_bytes = n_bytes.saturating_add(self.n_bytes(row));
            row == start || n_bytes <= most_bytes
        });
        start..start + rows.count()
    }

    /// Those of `rows` that have a text.
    pub fn documents(&self, rows: Range<usize>) -> Documents<'_> {
        Documents { table: self, rows: rows.filter(|&row| self.has_text(row)).collect() }
    }

    /// The columns as they came.
    pub fn columns(&self) -> &[ArrayRef] {
        self.columns.columns()
    }

    /// The number of a row in the larger table.
    pub const fn number(&self, row: usize) -> usize {
        self.first + row
    }

    /// The document's name; none is the empty one.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn name(&self, row: usize) -> Result<&str> {
        self.names.as_ref().map_or(Ok(""), |names| names.string(row, self.first))
    }

    /// A part of a text that was found to be UTF-8, as its `span` begins and ends with a character.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn part(&self, row: usize, span: Span) -> Result<&str> {
        self.texts.part(row, span, self.first)
    }

    fn has_text(&self, row: usize) -> bool {
        self.columns.is_valid(row) && self.texts.is_some(row)
    }

    fn n_bytes(&self, row: usize) -> usize {
        if self.has_text(row) { self.texts.bytes(row).len() } else { 0 }
    }

    fn text(&self, row: usize) -> Result<&str> {
        self.texts.string(row, self.first)
    }
}

impl<'t> Texts<'t> for Documents<'t> {
    fn n_texts(&self) -> usize {
        self.rows.len()
    }

    fn n_bytes(&self, i: usize) -> usize {
        self.table.n_bytes(self.rows[i])
    }

    fn document(&self, i: usize) -> Result<Document<'t>> {
        self.table.text(self.rows[i]).map(Document::new)
    }
}
