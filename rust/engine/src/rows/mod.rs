//! Writer of rows of chunks: the columns of the row schema as Arrow arrays, whoever asks for them.

pub mod document;
pub mod facts;
pub mod schema;
pub mod whole;

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, GenericStringBuilder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, OffsetSizeTrait,
    StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, Field};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::PageBox;
use chunkwright_text::rows::{self, Column};
use chunkwright_text::source_map::SourcePlace;
use chunkwright_text::subject::Symbol;

pub use self::document::{DocumentRows, Repair, Texts};
pub use self::schema::RowSchema;
use self::schema::box_fields;
use crate::error::arrow;

/// So many bytes are copied in a few milliseconds.
const PERIOD: usize = 1 << 26;

/// Context of a chunk, and how it came about.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The context; none if it could not be made.
    pub text: Option<String>,
    /// Tokens of context and text.
    pub n_tokens: i64,
    /// How it came about.
    pub outcome: String,
    /// Why there is none.
    pub why: Option<String>,
    /// The fingerprint of the prompt.
    pub prompt: String,
}

/// Rows of chunks to be written.
pub struct RowWriter<'a> {
    /// The columns.
    pub schema: &'a RowSchema,
    /// The documents.
    pub documents: &'a [DocumentRows<'a>],
    /// The rows: each the number of a document above, and of a chunk in it.
    pub rows: &'a [(usize, usize)],
    /// Tokens of each row, if these are wanted.
    pub n_tokens: &'a [Option<i64>],
    /// The context of each row, if these are wanted.
    pub contexts: &'a [Option<&'a Context>],
    /// The shadows of each row, before and behind it, if these are wanted.
    pub shadows: &'a [[Option<String>; 2]],
    /// Whether texts may be a `large_string` if they are too many for a `string`.
    pub may_be_large: bool,
    /// Felt for each column, and once for so many bytes.
    pub pulse: Pulse<'a>,
}

impl<'a> RowWriter<'a> {
    /// The columns of the schema, in its order.
    ///
    /// # Errors
    /// The error of the pulse or of Arrow, and a `ReadError` for a text that is no UTF-8.
    pub fn arrays(&self) -> Result<Vec<ArrayRef>> {
        self.schema.columns().map(|column| self.array(column)).collect()
    }

    fn array(&self, column: Column) -> Result<ArrayRef> {
        (self.pulse)()?;
        Ok(match column {
            rows::CHUNK_ID => self.ids()?,
            rows::TEXT => self.texts()?,
            rows::DOCUMENT => self.of_documents(|of| of.name)?,
            rows::DOCUMENT_ID => self.of_documents(|of| of.id)?,
            rows::ERROR => self.of_documents(|of| of.error)?,
            rows::DOC_INDEX => {
                integers(self.rows.iter().map(|&(doc, _)| self.documents[doc].number))
            }
            rows::N_TOKENS => Arc::new(self.n_tokens.iter().copied().collect::<Int64Array>()),
            rows::OVERSIZE => {
                Arc::new(self.each(DocumentRows::is_oversize).collect::<BooleanArray>())
            }
            column if rows::OF_ELEMENTS.contains(&column) => self.of_elements(column)?,
            column if rows::OF_BLOCKS.contains(&column) => self.of_blocks(column),
            column if rows::OF_CODE.contains(&column) => self.of_code(column)?,
            column if rows::OF_ENDINGS.contains(&column) => self.of_endings(column),
            column if rows::OF_BOUNDARIES.contains(&column) => self.of_boundaries(column),
            column if rows::OF_CONTEXTS.contains(&column) => self.of_contexts(column)?,
            column if rows::OF_SHADOWS.contains(&column) => {
                let side = usize::from(column == rows::SUFFIX_SHADOW);
                self.strings::<i32>(self.shadows.iter().map(|both| both[side].as_deref()))?
            }
            column => self.places(column),
        })
    }

    /// A value of each row; none for a document that could not be cut.
    fn each<T>(
        &self,
        value: impl Fn(&DocumentRows<'a>, usize) -> T,
    ) -> impl Iterator<Item = Option<T>> {
        self.rows.iter().map(move |&(doc, chunk)| {
            let document = &self.documents[doc];
            document.error.is_none().then(|| value(document, chunk))
        })
    }

    /// A column of integers that a row may have.
    fn maybe(&self, value: impl Fn(&DocumentRows<'a>, usize) -> Option<usize>) -> ArrayRef {
        let values = self.each(value).map(|value| value.flatten().map(signed));
        Arc::new(values.collect::<Int64Array>())
    }

    fn places(&self, column: Column) -> ArrayRef {
        let line = |end: usize| self.maybe(move |of, chunk| Some(of.places.lines[chunk][end]));
        let source = |value: fn(SourcePlace) -> usize| {
            self.maybe(move |of, chunk| of.places.sources[chunk].map(value))
        };
        match column {
            rows::START => Arc::new(self.each(DocumentRows::start).collect::<Int64Array>()),
            rows::END => Arc::new(self.each(DocumentRows::end).collect::<Int64Array>()),
            rows::BYTE_START => self.maybe(|of, chunk| Some(of.span(chunk).start)),
            rows::BYTE_END => self.maybe(|of, chunk| Some(of.span(chunk).end)),
            rows::LINE_START => line(0),
            rows::LINE_END => line(1),
            rows::SOURCE_START => source(|place| place.chars[0]),
            rows::SOURCE_END => source(|place| place.chars[1]),
            rows::SOURCE_LINE_START => source(|place| place.lines[0]),
            rows::SOURCE_LINE_END => source(|place| place.lines[1]),
            _ => self.maybe(|of, chunk| Some(of.number(chunk))),
        }
    }

    fn of_elements(&self, column: Column) -> Result<ArrayRef> {
        Ok(match column {
            rows::KIND => Arc::new(self.each(DocumentRows::kind).collect::<StringArray>()),
            rows::PART => self.maybe(|of, chunk| Some(of.origin(chunk).map_or(0, |of| of.part))),
            rows::FIRST_ELEMENT => {
                self.maybe(|of, chunk| Some(of.element_number(of.elements_of(chunk)?.start)))
            }
            rows::LAST_ELEMENT => self.maybe(|of, chunk| {
                Some(of.element_number(of.elements_of(chunk)?.end).saturating_sub(1))
            }),
            rows::HTML => {
                let htmls: Vec<_> =
                    self.rows.iter().map(|&(doc, i)| self.documents[doc].html(i)).collect();
                self.strings::<i32>(htmls.iter().map(|html| html.as_deref()))?
            }
            rows::PAGES => {
                let pages = self.each(|of, chunk| of.pages(chunk).into_iter().map(Some));
                Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(pages))
            }
            rows::BOXES => self.boxes()?,
            rows::CONFIDENCE => {
                let values = self.each(DocumentRows::confidence);
                Arc::new(values.map(Option::flatten).collect::<Float64Array>())
            }
            rows::HEADINGS => self.lists(DocumentRows::headings)?,
            rows::SPEAKERS => self.lists(DocumentRows::speakers)?,
            rows::SPEAKER => {
                let speaker = |&(doc, i): &(usize, usize)| self.documents[doc].speaker(i);
                let speakers: Vec<_> = self.rows.iter().map(speaker).collect();
                self.strings::<i32>(speakers.into_iter())?
            }
            rows::TIME_START => self.times(0),
            rows::TIME_END => self.times(1),
            _ => self.lists(DocumentRows::headings_above)?,
        })
    }

    /// When what chunks hold of turns begins (0), or ends (1).
    fn times(&self, end: usize) -> ArrayRef {
        let times = self.each(|of, chunk| of.times(chunk)[end]);
        Arc::new(times.map(Option::flatten).collect::<Float64Array>())
    }

    fn of_code(&self, column: Column) -> Result<ArrayRef> {
        let value = |&(doc, i): &(usize, usize)| {
            let subject = self.documents[doc].subject(i)?;
            let text = match column {
                rows::SCOPE => &*subject.scope,
                rows::NAME => &*subject.name,
                rows::SYMBOL => subject.symbol.map_or("", Symbol::name),
                _ => &*subject.language,
            };
            (!text.is_empty()).then_some(text)
        };
        self.strings::<i32>(self.rows.iter().map(value).collect::<Vec<_>>().into_iter())
    }

    fn of_blocks(&self, column: Column) -> ArrayRef {
        let page = |pick: fn(std::vec::IntoIter<i64>) -> Option<i64>| -> ArrayRef {
            let pages = self.each(move |of, chunk| pick(of.pages(chunk).into_iter()));
            Arc::new(pages.map(Option::flatten).collect::<Int64Array>())
        };
        match column {
            rows::BLOCK_TYPE => {
                Arc::new(self.each(DocumentRows::block_type).collect::<StringArray>())
            }
            rows::PARENT => self.maybe(DocumentRows::parent),
            rows::PAGE_START => page(Iterator::min),
            _ => page(Iterator::max),
        }
    }

    fn of_endings(&self, column: Column) -> ArrayRef {
        let ending = |of: &DocumentRows<'_>, chunk: usize| of.endings.get(chunk).copied();
        match column {
            rows::REASON => {
                let reasons =
                    self.each(|of, chunk| ending(of, chunk).map(|ending| ending.reason.name()));
                Arc::new(reasons.map(Option::flatten).collect::<StringArray>())
            }
            rows::SCORE => {
                let scores = self.each(|of, chunk| ending(of, chunk)?.score);
                Arc::new(scores.map(Option::flatten).collect::<Float64Array>())
            }
            _ => {
                let thresholds = self.each(|of, _| Some(of.threshold).filter(|at| !at.is_nan()));
                Arc::new(thresholds.map(Option::flatten).collect::<Float64Array>())
            }
        }
    }

    fn of_boundaries(&self, column: Column) -> ArrayRef {
        let at = usize::from(column == rows::BOUNDARIES_PROMPT);
        let value = self.schema.boundaries.as_ref().map(|fingerprints| fingerprints[at].as_str());
        Arc::new(self.each(|_, _| value).map(Option::flatten).collect::<StringArray>())
    }

    fn of_contexts(&self, column: Column) -> Result<ArrayRef> {
        let each = |value: fn(&Context) -> Option<&str>| {
            self.strings::<i32>(self.contexts.iter().map(|context| value((*context)?)))
        };
        match column {
            rows::CONTEXT => each(|context| context.text.as_deref()),
            rows::CONTEXT_OUTCOME => each(|context| Some(&context.outcome)),
            rows::CONTEXT_WHY => each(|context| context.why.as_deref()),
            rows::CONTEXT_PROMPT => each(|context| Some(&context.prompt)),
            rows::CONTEXT_MODEL => {
                let model = self.schema.contexts.as_deref();
                Ok(Arc::new(self.each(|_, _| model).map(Option::flatten).collect::<StringArray>()))
            }
            rows::CONTEXTUAL_N_TOKENS => {
                let counts = self.contexts.iter().map(|context| Some((*context)?.n_tokens));
                Ok(Arc::new(counts.collect::<Int64Array>()))
            }
            _ => {
                let rows = self.rows.iter().zip(self.contexts.iter().copied());
                let texts = rows.map(|(&row, context)| self.contextual(row, context));
                let texts: Vec<_> = texts.collect::<Result<_>>()?;
                self.maybe_large(texts.iter().map(Option::as_deref))
            }
        }
    }

    /// Context and text of a row.
    fn contextual(
        &self,
        (doc, chunk): (usize, usize),
        context: Option<&Context>,
    ) -> Result<Option<String>> {
        let document = &self.documents[doc];
        if document.error.is_some() {
            return Ok(None);
        }
        let text = document.text(chunk)?;
        let context = context.and_then(|context| context.text.as_deref());
        Ok(Some(context.map_or_else(|| text.to_string(), |context| format!("[{context}] {text}"))))
    }

    fn ids(&self) -> Result<ArrayRef> {
        let ids = self.rows.iter().map(|&(doc, chunk)| self.documents[doc].ids.get(chunk));
        self.strings::<i32>(ids.map(|id| id.map(String::as_str)))
    }

    fn of_documents<'s>(
        &'s self,
        value: impl Fn(&'s DocumentRows<'s>) -> Option<&'s str>,
    ) -> Result<ArrayRef> {
        self.strings::<i32>(self.rows.iter().map(|&(doc, _)| value(&self.documents[doc])))
    }

    fn texts(&self) -> Result<ArrayRef> {
        let n_bytes = self.each(DocumentRows::n_bytes).flatten().sum();
        if self.may_be_large && i32::try_from(n_bytes).is_err() {
            return self.copied::<i64>(n_bytes);
        }
        self.copied::<i32>(n_bytes)
    }

    /// The texts, which are `n_bytes` together.
    fn copied<O: OffsetSizeTrait>(&self, n_bytes: usize) -> Result<ArrayRef> {
        check_offset::<O>(n_bytes)?;
        let mut column = GenericStringBuilder::<O>::with_capacity(self.rows.len(), n_bytes);
        let beat = Beat::every(PERIOD, self.pulse);
        for &(doc, chunk) in self.rows {
            let document = &self.documents[doc];
            if document.error.is_some() {
                column.append_null();
                continue;
            }
            let text = document.text(chunk)?;
            column.append_value(&text);
            beat.after(text.len())?;
        }
        Ok(Arc::new(column.finish()))
    }

    fn maybe_large<'s>(
        &self,
        strings: impl ExactSizeIterator<Item = Option<&'s str>> + Clone,
    ) -> Result<ArrayRef> {
        let n_bytes: usize = strings.clone().flatten().map(str::len).sum();
        if self.may_be_large && i32::try_from(n_bytes).is_err() {
            return self.strings::<i64>(strings);
        }
        self.strings::<i32>(strings)
    }

    fn strings<'s, O: OffsetSizeTrait>(
        &self,
        strings: impl ExactSizeIterator<Item = Option<&'s str>> + Clone,
    ) -> Result<ArrayRef> {
        let n_bytes = strings.clone().flatten().map(str::len).sum();
        check_offset::<O>(n_bytes)?;
        let mut column = GenericStringBuilder::<O>::with_capacity(strings.len(), n_bytes);
        let beat = Beat::every(PERIOD, self.pulse);
        for string in strings {
            column.append_option(string);
            beat.after(string.map_or(0, str::len))?;
        }
        Ok(Arc::new(column.finish()))
    }

    fn lists(
        &self,
        of_chunk: impl for<'d> Fn(&'d DocumentRows<'a>, usize) -> Vec<&'d str>,
    ) -> Result<ArrayRef> {
        let mut lists = ListBuilder::new(StringBuilder::new());
        let (mut n_bytes, beat) = (0, Beat::every(PERIOD, self.pulse));
        for &(doc, chunk) in self.rows {
            let document = &self.documents[doc];
            for heading in of_chunk(document, chunk) {
                n_bytes += heading.len();
                check_offset::<i32>(n_bytes)?;
                beat.after(heading.len())?;
                lists.values().append_value(heading);
            }
            lists.append(document.error.is_none());
        }
        Ok(Arc::new(lists.finish()))
    }

    fn boxes(&self) -> Result<ArrayRef> {
        let (mut pages, mut edges) = (Int64Builder::new(), [const { Vec::new() }; 4]);
        let mut lengths = Vec::with_capacity(self.rows.len());
        let beat = Beat::every(PERIOD, self.pulse);
        for &(doc, chunk) in self.rows {
            let n_before = pages.len();
            for PageBox { page, edges: of_box, .. } in self.documents[doc].boxes(chunk) {
                pages.append_option(page);
                edges.iter_mut().zip(of_box).for_each(|(column, edge)| column.push(edge));
            }
            lengths.push(pages.len() - n_before);
            beat.after(lengths.last().map_or(0, |n| n * size_of::<PageBox>()))?;
        }
        check_offset::<i32>(pages.len())?;
        let mut fields: Vec<ArrayRef> = vec![Arc::new(pages.finish())];
        fields.extend(edges.map(|edges| Arc::new(Float64Array::from(edges)) as ArrayRef));
        let boxes = StructArray::try_new(box_fields(), fields, None).map_err(arrow)?;
        let item = Field::new_list_field(boxes.data_type().clone(), true);
        let is_some: NullBuffer = lengths.iter().map(|&n| n > 0).collect();
        let offsets = OffsetBuffer::from_lengths(lengths);
        let lists = ListArray::try_new(item.into(), offsets, Arc::new(boxes), Some(is_some));
        Ok(Arc::new(lists.map_err(arrow)?))
    }
}

/// Sees that offsets reach, before gigabytes are copied.
fn check_offset<O: OffsetSizeTrait>(n_bytes: usize) -> Result<()> {
    match O::from_usize(n_bytes) {
        Some(_) => Ok(()),
        None => Err(arrow(ArrowError::OffsetOverflowError(n_bytes))),
    }
}

fn integers(values: impl Iterator<Item = i64>) -> ArrayRef {
    Arc::new(values.collect::<Int64Array>())
}

/// Positions and numbers of rows, all of which are below 2^63.
fn signed(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
