//! Rows of chunks: the columns of the row schema as an Arrow record batch.

use std::sync::{Arc, OnceLock};

use arrow_schema::{Field, FieldRef};
use chunkwright_engine::arrow_table::layout::assemble;
use chunkwright_engine::arrow_table::repeat::repeat;
use chunkwright_engine::rows::facts::{DocumentChunks, ElementFacts, Places, endings, ids};
use chunkwright_engine::rows::{Context, DocumentRows, Repair, RowSchema, RowWriter, Texts};
use chunkwright_text::boundaries::Ending;
use chunkwright_text::identity::document_id;
use chunkwright_text::sections::Sections;
use chunkwright_text::source_map::SourceMap;
use pyo3::prelude::*;

use super::Columns;
use crate::arrow::batch::ArrowBatch;
use crate::arrow::capsule::{Metadata, to_python as arrow_to_python};
use crate::arrow::values::column_of;
use crate::elements::Elements;
use crate::error::to_python;
use crate::gate::check_signals;
use crate::numbers::integers;
use crate::strings::text::Text;

/// Context, tokens of context and text, outcome, why there is none, fingerprint of the prompt.
pub type ContextRow = (Option<String>, i64, String, Option<String>, String);

/// The shadows of a row, before and behind it.
type ShadowRow = [Option<String>; 2];

/// A column of the caller's: its name, the type of its values, and that of each document.
type Carried<'py> = (String, Option<String>, Vec<Option<Bound<'py, PyAny>>>);

/// The context of a row of Python's.
pub fn context_of((text, n_tokens, outcome, why, prompt): ContextRow) -> Context {
    Context { text, n_tokens, outcome, why, prompt }
}

/// Documents that rows are from, as the caller names them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct NamedDocuments<'py> {
    /// Their numbers, ascending.
    numbers: Vec<usize>,
    /// The number that the first of all documents has in rows.
    first: usize,
    names: Vec<Option<String>>,
    /// The ids that the caller gave.
    ids: Vec<Option<String>>,
    /// The caller's columns.
    carried: Vec<Carried<'py>>,
}

/// Columns that rows have beside those of every row.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct More {
    elements: bool,
    blocks: bool,
    code: [bool; 4],
    endings: bool,
    /// Fingerprints of the model and the prompt that set boundaries.
    boundaries: Option<[String; 2]>,
    /// Fingerprint of the model that wrote contexts, and the context of each row.
    contexts: Option<(String, Vec<ContextRow>)>,
    /// The shadows of each row, before and behind it.
    shadows: Option<Vec<ShadowRow>>,
    /// What the table tells of itself.
    metadata: Metadata,
}

impl More {
    /// The columns, and the context and the shadows of each row.
    fn schema_and_values(self) -> (RowSchema, Vec<Context>, Vec<ShadowRow>) {
        let (model, contexts) = self.contexts.unzip();
        let schema = RowSchema {
            elements: self.elements,
            blocks: self.blocks,
            code: self.code,
            endings: self.endings,
            boundaries: self.boundaries,
            contexts: model,
            shadows: self.shadows.is_some(),
            ..RowSchema::default()
        };
        let contexts = contexts.unwrap_or_default().into_iter().map(context_of).collect();
        (schema, contexts, self.shadows.unwrap_or_default())
    }
}

/// Facts about the chunks of one text.
#[derive(Debug)]
pub(super) struct Facts {
    document_id: OnceLock<String>,
    ids: OnceLock<Vec<String>>,
    places: OnceLock<Places>,
    elements: OnceLock<ElementFacts>,
    endings: OnceLock<Vec<Ending>>,
}

impl Facts {
    /// Nothing is known yet.
    pub(super) const fn new() -> Self {
        Self {
            document_id: OnceLock::new(),
            ids: OnceLock::new(),
            places: OnceLock::new(),
            elements: OnceLock::new(),
            endings: OnceLock::new(),
        }
    }
}

impl Columns {
    pub(super) fn of_document(&self, doc: usize) -> DocumentChunks<'_> {
        let start = doc.checked_sub(1).map_or(0, |before| self.row_ends[before]);
        let rows = start..self.row_ends[doc];
        let (starts, ends) = (self.starts.get().values(), self.ends.get().values());
        DocumentChunks { chunks: &self.chunks, rows, starts, ends }
    }

    /// The ids of the chunks of text `doc`, which has that name.
    pub(super) fn ids_of(&self, doc: usize, name: &str, text: &Text<'_>) -> &[String] {
        if let Some(slice) = &self.slice {
            return &slice.whole.ids;
        }
        self.facts[doc].ids.get_or_init(|| ids(name, text.as_str(), &self.of_document(doc)))
    }

    /// The lines and places of the chunks of text `doc`.
    pub(super) fn places_of(&self, doc: usize, text: &Text<'_>) -> &Places {
        if let Some(slice) = &self.slice {
            return &slice.whole.places;
        }
        let map = self.elements(doc).map_or(&SourceMap::Same, Elements::source);
        let places = || Places::of(text.as_str(), &self.of_document(doc), map);
        self.facts[doc].places.get_or_init(places)
    }

    /// The sections and kinds of the chunks of text `doc`.
    pub(super) fn elements_of(&self, doc: usize, text: &Text<'_>) -> &ElementFacts {
        self.facts[doc].elements.get_or_init(|| {
            let Some(elements) = self.elements(doc) else { return ElementFacts::default() };
            let sections = Sections::new(text.as_str(), elements.read());
            let document = self.sources[doc].complete(text.document());
            ElementFacts::of(document, &self.of_document(doc), sections)
        })
    }

    /// How the chunks of text `doc` end, if its boundaries were scored.
    pub(super) fn endings_of(&self, doc: usize) -> &[Ending] {
        if let Some(slice) = &self.slice {
            return &slice.whole.endings;
        }
        self.facts[doc].endings.get_or_init(|| endings(doc, &self.of_document(doc)))
    }

    /// Some rows as a record batch; see the method of that name.
    ///
    /// # Errors
    /// If memory runs out, a row does not exist, or a column is too large for Arrow.
    pub(super) fn batch_of(
        &self,
        py: Python<'_>,
        rows: &[usize],
        labels: &NamedDocuments<'_>,
        n_tokens: &Bound<'_, PyAny>,
        mut more: More,
    ) -> PyResult<ArrowBatch> {
        let metadata = std::mem::take(&mut more.metadata);
        let texts: Vec<_> =
            labels.numbers.iter().map(|&doc| self.text_of(py, doc)).collect::<PyResult<_>>()?;
        let repairs: Vec<_> = labels.numbers.iter().map(|&doc| self.repair(doc)).collect();
        let apart = self.slice.as_ref().map(|slice| slice.utf8(py)).transpose()?;
        let row_texts = |at: usize| match &apart {
            Some(texts) => Texts::Apart(texts),
            None => Texts::Of(texts[at].as_str()),
        };
        let documents: Vec<_> = (0..texts.len())
            .map(|at| {
                let rows = self.document_rows(at, labels, &texts[at], repairs[at].as_deref());
                DocumentRows { texts: row_texts(at), ..rows }
            })
            .collect();
        let places: Vec<_> =
            rows.iter().map(|&row| self.place(row, labels)).collect::<PyResult<_>>()?;
        let n_tokens: Vec<_> = integers::of("n_tokens", n_tokens)?.into_iter().map(Some).collect();
        let (schema, contexts, shadows) = more.schema_and_values();
        let writer = RowWriter {
            schema: &schema,
            documents: &documents,
            rows: &places,
            n_tokens: &n_tokens,
            contexts: &contexts.iter().map(Some).collect::<Vec<_>>(),
            shadows: &shadows,
            may_be_large: true,
            pulse: &|| check_signals(py),
        };
        let mut columns = writer.arrays().map_err(to_python)?;
        let mut fields: Vec<FieldRef> = schema.fields().into_iter().map(Arc::new).collect();
        let of: Vec<usize> = places.iter().map(|(at, _)| *at).collect();
        for (name, kind, values) in &labels.carried {
            let column = repeat(&*column_of(kind.as_deref(), values)?, &of);
            let column = column.map_err(arrow_to_python)?;
            fields.push(Arc::new(Field::new(name, column.data_type().clone(), true)));
            columns.push(column);
        }
        let chunks = assemble(fields, columns).map_err(arrow_to_python)?;
        Ok(ArrowBatch::new(chunks, metadata))
    }

    fn document_rows<'a>(
        &'a self,
        at: usize,
        labels: &'a NamedDocuments<'_>,
        text: &'a Text<'_>,
        utf8: Option<&'a Repair<'a>>,
    ) -> DocumentRows<'a> {
        let doc = labels.numbers[at];
        let name = labels.names[at].as_deref();
        let id = labels.ids[at].as_deref();
        let boundaries = self.chunks.boundaries();
        DocumentRows {
            name,
            id: Some(id.unwrap_or_else(|| self.document_id_of(doc, text))),
            number: i64::try_from(labels.first + doc).unwrap_or(i64::MAX),
            of: self.of_document(doc),
            texts: Texts::Of(text.as_str()),
            ids: self.ids_of(doc, name.unwrap_or_default(), text),
            places: self.places_of(doc, text),
            elements: self.elements_of(doc, text),
            endings: self.endings_of(doc),
            threshold: boundaries.thresholds().get(doc).copied().unwrap_or(f64::NAN),
            error: None,
            utf8,
            whole: self.slice.as_ref().map(|slice| &slice.whole),
        }
    }

    /// The id that text `doc` has where the caller gave none.
    pub(super) fn document_id_of(&self, doc: usize, text: &Text<'_>) -> &str {
        if let Some(slice) = &self.slice {
            return &slice.whole.document_id;
        }
        self.facts[doc].document_id.get_or_init(|| document_id(text.as_str()))
    }

    /// What makes UTF-8 of HTML with stand-ins for surrogates.
    fn repair(&self, doc: usize) -> Option<Box<Repair<'_>>> {
        let stand_ins = self.elements(doc)?.stand_ins();
        (!stand_ins.is_empty()).then(|| Box::new(|html: &str| stand_ins.measured(html)) as Box<_>)
    }

    /// The number of a row's document among those that have labels, and of its chunk in it.
    fn place(&self, row: usize, labels: &NamedDocuments<'_>) -> PyResult<(usize, usize)> {
        self.check(row)?;
        let doc = self.doc(row);
        let at = labels.numbers.binary_search(&doc);
        let unknown = |_| pyo3::exceptions::PyIndexError::new_err(format!("no document {doc}"));
        Ok((at.map_err(unknown)?, row - self.of_document(doc).rows.start))
    }
}
