//! Names and ids of the documents of a table.

use arrow_array::StructArray;
use chunkwright_text::error::Result;
use chunkwright_text::identity::document_id;

use super::layout::Layout;
use super::strings::Strings;
use crate::rows::RowSchema;

/// What the documents of a table are called.
pub struct Labels {
    names: Option<Strings>,
    ids: Option<Strings>,
    /// Whether a document without a name is called by its id.
    name_from_id: bool,
    /// The number of the first row.
    first: usize,
}

impl Labels {
    /// Those in `columns`, of which `first` other rows stand before.
    ///
    /// # Errors
    /// If a column of strings is none.
    pub fn new(columns: &StructArray, layout: &Layout, first: usize) -> Result<Self> {
        let strings = |at: Option<usize>| at.map(|at| Strings::of(columns.column(at))).transpose();
        let (names, ids) = (strings(layout.name)?, strings(layout.document_id)?);
        Ok(Self { names, ids, name_from_id: layout.name_from_id, first })
    }

    /// Whether ids are asked for, as a column or as names.
    pub const fn has_ids(&self, rows: &RowSchema) -> bool {
        rows.document_ids || self.name_from_id
    }

    /// The name of the document with this id: its own, else the id where that is one; none if it has none.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn name<'a>(&'a self, row: usize, id: Option<&'a str>) -> Result<Option<&'a str>> {
        let own = self.string(self.names.as_ref(), row)?;
        Ok(own.or_else(|| id.filter(|_| self.name_from_id)))
    }

    /// What the caller calls a document, which was read once: its name, else its id where that is one. An id that is
    /// derived from the text would say nothing about it.
    pub fn title(&self, row: usize) -> Option<&str> {
        self.name(row, self.given_id(row).ok()?).ok()?
    }

    /// The id that the caller gave.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn given_id(&self, row: usize) -> Result<Option<&str>> {
        self.string(self.ids.as_ref(), row)
    }

    /// The id: the one that the caller gave, else that of the text.
    ///
    /// # Errors
    /// A `ReadError` if the caller's is no UTF-8.
    pub fn id(&self, row: usize, text: &str) -> Result<String> {
        Ok(self.given_id(row)?.map_or_else(|| document_id(text), str::to_owned))
    }

    fn string<'a>(&self, column: Option<&'a Strings>, row: usize) -> Result<Option<&'a str>> {
        let column = column.filter(|column| column.is_some(row));
        column.map(|column| column.string(row, self.first)).transpose()
    }
}
