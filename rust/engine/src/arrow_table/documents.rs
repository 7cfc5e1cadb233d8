//! Documents of an Arrow table, as texts that threads take one by one.

use std::ops::Range;
use std::sync::OnceLock;

use super::element_lists::ElementLists;
use super::labels::Labels;
use super::layout::Layout;
use super::reading::Reading;
use super::strings::Strings;
use crate::batch;
use crate::rows;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use chunkwright_read::Read;
use chunkwright_read::element_json::read_items;
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Message, Result};
use chunkwright_text::identity::document_id;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::sections::Sections;
use chunkwright_text::source_map::SourceMap;

/// What is said of a text where only elements are cut.
const NO_ELEMENTS: &str = "this strategy cuts elements, got a text: name its kind, such as kind='markdown', or \
                           take a strategy for texts, such as 'recursive' or 'balanced'";

/// A table of documents.
pub struct DocumentTable {
    columns: StructArray,
    texts: Texts,
    reading: Reading,
    /// Whether a text without elements cannot be cut.
    needs_elements: bool,
    /// Whether a row without a text is one that cannot be cut, rather than none.
    keeps_nulls: bool,
    /// What they are called.
    pub labels: Labels,
    /// The number of its first row, if it is part of a larger one.
    first: usize,
}

/// The documents of a table.
enum Texts {
    /// Texts, or files.
    Strings(Strings),
    /// Elements as lists of structs.
    Lists(Box<ElementLists>),
}

/// What a document was read as, nothing if it is a plain text.
type Slot = OnceLock<Option<Read>>;

/// Rows of a table that are cut.
pub struct Documents<'a> {
    /// The table.
    pub table: &'a DocumentTable,
    /// Numbers of the rows.
    pub rows: Vec<usize>,
    /// For each row its document; nothing for plain texts.
    slots: Vec<Slot>,
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
            _ => Texts::Strings(Strings::of(column)?),
        };
        let labels = Labels::new(&columns, layout, first)?;
        let (reading, needs_elements) = (layout.reading, layout.needs_elements);
        let keeps_nulls = layout.rows.errors;
        Ok(Self { columns, texts, reading, needs_elements, keeps_nulls, labels, first })
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

    /// Those of `rows` that have a text, or are to say that they have none.
    pub fn documents(&self, rows: Range<usize>) -> Documents<'_> {
        let rows: Vec<usize> = rows.filter(|&row| self.keeps_nulls || self.has_text(row)).collect();
        let n_read = if self.is_plain() { 0 } else { rows.len() };
        let slots = (0..n_read).map(|_| OnceLock::new()).collect();
        Documents { table: self, rows, slots }
    }

    fn is_plain(&self) -> bool {
        !self.reading.has_elements() && !self.needs_elements
    }

    /// The columns as they came.
    pub fn columns(&self) -> &[ArrayRef] {
        self.columns.columns()
    }

    /// The number of a row in the larger table.
    pub const fn number(&self, row: usize) -> usize {
        self.first + row
    }

    /// The name of one of the columns.
    pub fn name_of_column(&self, column: usize) -> &str {
        self.columns.column_names()[column]
    }

    /// The id of a document that could not be cut, by its source as far as that is UTF-8; none if nothing tells it.
    pub fn id_of_failed(&self, row: usize) -> Option<String> {
        let given = self.labels.given_id(row).ok()?;
        let of_text = || match &self.texts {
            Texts::Strings(texts) if self.has_text(row) => {
                Some(document_id(&String::from_utf8_lossy(texts.bytes(row))))
            }
            _ => None,
        };
        given.map(str::to_owned).or_else(of_text)
    }

    /// Where the texts of chunks are that stand in the column of texts; none of elements.
    pub const fn texts_of(&self, row: usize) -> Option<rows::Texts<'_>> {
        match &self.texts {
            Texts::Strings(texts) if !self.reading.takes_bytes() => {
                Some(rows::Texts::Column(texts, row, self.first))
            }
            _ => None,
        }
    }

    fn has_text(&self, row: usize) -> bool {
        let is_some = match &self.texts {
            Texts::Strings(texts) => texts.is_some(row),
            Texts::Lists(lists) => lists.is_some(row),
        };
        self.columns.is_valid(row) && is_some
    }

    fn n_bytes(&self, row: usize) -> usize {
        match &self.texts {
            _ if !self.has_text(row) => 0,
            Texts::Strings(texts) => texts.bytes(row).len(),
            Texts::Lists(lists) => lists.n_bytes(row),
        }
    }
}

impl<'a> Documents<'a> {
    /// What document `i` was read as; nothing of a plain text.
    pub fn read_as(&self, i: usize) -> Option<&Read> {
        self.slots.get(i)?.get()?.as_ref()
    }

    /// Whether the text of document `i`, which was read, is the one of the table.
    pub fn is_in_place(&self, i: usize) -> bool {
        match self.table.texts {
            Texts::Strings(_) => self.read_as(i).is_none_or(|read| read.text.is_none()),
            Texts::Lists(_) => false,
        }
    }

    /// The headings, pages and boxes of document `i`, which was read.
    pub fn sections(&self, i: usize, document: Document<'_>) -> Sections {
        let of_read = |read| Sections::new(document.text(), read);
        self.read_as(i).map_or_else(Sections::default, of_read)
    }

    /// Where document `i`, which was read, stands in what was read.
    pub fn source(&self, i: usize) -> &SourceMap {
        self.read_as(i).map_or(&SourceMap::Same, |read| &read.source)
    }

    /// The whole text of document `i`, of which `document` is what is cut.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn whole_text<'t>(&'t self, i: usize, document: Document<'t>) -> Result<&'t str> {
        match self.read_as(i).filter(|read| read.n_body.is_some()) {
            Some(read) => self.text_read(i, read),
            None => Ok(document.text()),
        }
    }

    fn text_read<'t>(&'t self, i: usize, read: &'t Read) -> Result<&'t str> {
        read.text.as_deref().map_or_else(|| self.string(i), Ok)
    }

    /// The text of document `i` in the table; empty for one of elements.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn text_of(&self, i: usize) -> Result<&'a str> {
        self.string(i)
    }

    fn string(&self, i: usize) -> Result<&'a str> {
        match &self.table.texts {
            Texts::Strings(texts) if !self.table.reading.takes_bytes() => {
                texts.string(self.rows[i], self.table.first)
            }
            _ => Ok(""),
        }
    }

    fn in_row(&self, i: usize, reason: impl Into<Message>) -> Message {
        reason.into().behind(&format!("row {}: ", self.table.number(self.rows[i])))
    }

    fn read(&self, i: usize) -> Result<Option<Read>> {
        let (table, row) = (self.table, self.rows[i]);
        let read = match &table.texts {
            Texts::Strings(texts) => match table.reading.read_bytes(texts.bytes(row)) {
                Some(read) => read.map(Some),
                None => table.reading.read(self.string(i)?),
            },
            Texts::Lists(lists) => {
                lists.items(row).and_then(|items| read_items(&items, no_pulse())).map(Some)
            }
        };
        match read {
            Err(Error::Read(reason)) => Err(Error::Read(self.in_row(i, reason))),
            Ok(None) if table.needs_elements => {
                Err(Error::Config(self.in_row(i, NO_ELEMENTS).to_string()))
            }
            read => read,
        }
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
        if !self.table.has_text(self.rows[i]) {
            return Err(Error::read(self.in_row(i, "the text is null")));
        }
        let Some(slot) = self.slots.get(i) else { return self.string(i).map(Document::new) };
        if slot.get().is_none() {
            // Another thread may have read it meanwhile: both read the same.
            let _ = slot.set(self.read(i)?);
        }
        let Some(read) = slot.get().and_then(Option::as_ref) else {
            return self.string(i).map(Document::new);
        };
        Ok(read.body(Document::new(self.text_read(i, read)?)))
    }
}
