//! Document of a table that was cut: its chunks, the facts that their rows tell, or why there are none.

use chunkwright_text::boundaries::Ending;
use chunkwright_text::error::Error;

use super::documents::DocumentTable;
use crate::cut::Cut;
use crate::rows::facts::{DocumentChunks, ElementFacts, Places};
use crate::rows::{Context, DocumentRows, Texts};

/// A document that was cut.
#[derive(Default)]
pub struct CutDocument {
    /// Its row in the table.
    pub row: usize,
    /// Its id, if it is wanted and known.
    pub id: Option<String>,
    /// The chunks.
    pub cut: Cut,
    /// Their ids, if these are wanted.
    pub ids: Vec<String>,
    /// Tokens of each chunk, if these are wanted.
    pub n_tokens: Vec<i64>,
    /// How the chunks end, if that is known.
    pub endings: Vec<Ending>,
    /// The texts of the chunks, where they do not stand in the table.
    pub texts: Vec<String>,
    /// Sections and kinds, if these are wanted.
    pub elements: ElementFacts,
    /// Lines and places of the chunks.
    pub places: Places,
    /// The contexts of the chunks, if these are wanted.
    pub contexts: Vec<Context>,
    /// Why it could not be cut.
    pub error: Option<String>,
}

impl CutDocument {
    /// Rows that it has: one for each chunk, and one where it could not be cut.
    pub fn n_rows(&self) -> usize {
        if self.error.is_some() { 1 } else { self.cut.chunks.len() }
    }

    /// The document as its rows tell of it.
    pub fn rows<'a>(&'a self, table: &'a DocumentTable) -> DocumentRows<'a> {
        DocumentRows {
            name: table.labels.name(self.row, self.id.as_deref()).unwrap_or_default(),
            id: self.id.as_deref(),
            number: i64::try_from(table.number(self.row)).unwrap_or(i64::MAX),
            of: self.of(),
            texts: match table.texts_of(self.row) {
                Some(column) if self.texts.is_empty() => column,
                _ => Texts::Apart(&self.texts),
            },
            ids: &self.ids,
            places: &self.places,
            elements: &self.elements,
            endings: &self.endings,
            threshold: self
                .cut
                .chunks
                .boundaries()
                .thresholds()
                .first()
                .copied()
                .unwrap_or(f64::NAN),
            error: self.error.as_deref(),
            utf8: None,
            whole: None,
        }
    }

    /// Its chunks, and where they stand.
    pub fn of(&self) -> DocumentChunks<'_> {
        let Cut { chunks, starts, ends, .. } = &self.cut;
        DocumentChunks { chunks, rows: 0..chunks.len(), starts, ends }
    }

    /// Bytes of a chunk's headings, of its boxes and of its context.
    pub fn n_bytes_beside_text(&self, chunk: usize) -> usize {
        let origin = self.cut.chunks.origins().get(chunk);
        let of_elements = origin.map_or(0, |origin| self.elements.n_bytes(origin));
        let context = self.contexts.get(chunk).and_then(|context| context.text.as_ref());
        of_elements + context.map_or(0, |context| context.len() + self.cut.chunks.n_bytes(chunk))
    }

    /// A document that could not be cut, and why.
    pub fn failed(row: usize, id: Option<String>, error: &Error) -> Self {
        Self { row, id, error: Some(error.to_string()), ..Self::default() }
    }
}
