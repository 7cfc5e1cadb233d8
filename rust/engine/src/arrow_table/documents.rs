//! Documents of an Arrow table, as texts that threads take one by one.

use std::ops::Range;
use std::sync::OnceLock;

use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use chunkwright_core::document::Document;
use chunkwright_core::elements::Element;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::pulse::no_pulse;
use chunkwright_core::read::element_json::{read_items, read_json};
use chunkwright_core::read::unstructured::Unstructured;
use chunkwright_core::span::Span;

use super::element_lists::ElementLists;
use super::layout::Layout;
use super::strings::Strings;
use crate::batch;

/// A table of documents.
pub struct DocumentTable {
    columns: StructArray,
    texts: Texts,
    names: Option<Strings>,
    /// The number of its first row, if it is part of a larger one.
    first: usize,
}

/// The documents of a table.
enum Texts {
    /// Texts as they are.
    Plain(Strings),
    /// Elements as JSON.
    Json(Strings),
    /// Elements as lists of structs.
    Lists(Box<ElementLists>),
}

/// The text and the elements of a document, once they are read.
type Parsed = OnceLock<(String, Vec<Element>)>;

/// Rows of a table that have a text.
pub struct Documents<'a> {
    /// The table.
    pub table: &'a DocumentTable,
    /// Numbers of the rows.
    pub rows: Vec<usize>,
    /// For each row its elements; nothing for plain texts.
    parsed: Vec<Parsed>,
}

impl DocumentTable {
    /// The documents in `columns`, of which `first` others stand before.
    ///
    /// # Errors
    /// If a column of strings is none.
    pub fn new(columns: StructArray, layout: &Layout, first: usize) -> Result<Self> {
        let column = columns.column(layout.text);
        let texts = match column.data_type() {
            DataType::List(_) | DataType::LargeList(_) => {
                Texts::Lists(Box::new(ElementLists::of(column)?))
            }
            _ if layout.elements => Texts::Json(Strings::of(column)?),
            _ => Texts::Plain(Strings::of(column)?),
        };
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
        let rows: Vec<usize> = rows.filter(|&row| self.has_text(row)).collect();
        let n_parsed = if matches!(self.texts, Texts::Plain(_)) { 0 } else { rows.len() };
        let parsed = (0..n_parsed).map(|_| OnceLock::new()).collect();
        Documents { table: self, rows, parsed }
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

    /// A part of a plain text that was found to be UTF-8, as its `span` begins and ends with a character.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn part(&self, row: usize, span: Span) -> Result<&str> {
        match &self.texts {
            Texts::Plain(texts) => texts.part(row, span, self.first),
            Texts::Json(_) | Texts::Lists(_) => Ok(""),
        }
    }

    fn has_text(&self, row: usize) -> bool {
        let is_some = match &self.texts {
            Texts::Plain(texts) | Texts::Json(texts) => texts.is_some(row),
            Texts::Lists(lists) => lists.is_some(row),
        };
        self.columns.is_valid(row) && is_some
    }

    fn n_bytes(&self, row: usize) -> usize {
        match &self.texts {
            _ if !self.has_text(row) => 0,
            Texts::Plain(texts) | Texts::Json(texts) => texts.bytes(row).len(),
            Texts::Lists(lists) => lists.n_bytes(row),
        }
    }
}

impl Documents<'_> {
    /// The text of document `i`, which was cut.
    ///
    /// # Errors
    /// A `ReadError` if it is no text.
    pub fn text(&self, i: usize) -> Result<&str> {
        match (&self.table.texts, self.parsed.get(i).and_then(OnceLock::get)) {
            (_, Some((text, _))) => Ok(text),
            (Texts::Plain(texts), None) => texts.string(self.rows[i], self.table.first),
            (Texts::Json(_) | Texts::Lists(_), None) => Ok(""),
        }
    }

    fn parsed(&self, i: usize) -> Result<(String, Vec<Element>)> {
        let (table, row) = (self.table, self.rows[i]);
        let read = match &table.texts {
            Texts::Plain(_) => return Ok(Default::default()),
            Texts::Json(texts) => read_json(texts.string(row, table.first)?, no_pulse()),
            Texts::Lists(lists) => {
                lists.items(row, table.first).and_then(|items| read_items(&items, no_pulse()))
            }
        };
        read.map(Unstructured::finish).map_err(|error| match error {
            Error::Read(reason) => Error::Read(format!("row {}: {reason}", table.number(row))),
            error => error,
        })
    }
}

impl<'s> batch::Texts<'s> for &'s Documents<'_> {
    fn n_texts(&self) -> usize {
        self.rows.len()
    }

    fn n_bytes(&self, i: usize) -> usize {
        self.table.n_bytes(self.rows[i])
    }

    fn document(&self, i: usize) -> Result<Document<'s>> {
        let Some(slot) = self.parsed.get(i) else { return self.text(i).map(Document::new) };
        if slot.get().is_none() {
            // Another thread may have read it meanwhile: both read the same.
            let _ = slot.set(self.parsed(i)?);
        }
        let missing = || Error::Read("no elements".into());
        let (text, elements) = slot.get().ok_or_else(missing)?;
        Ok(Document::new(text).with_elements(elements))
    }
}
