//! Documents of a table to batches of chunks.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::GenericStringBuilder;
use arrow_array::{ArrayRef, Int64Array, OffsetSizeTrait, StructArray};
use arrow_schema::ArrowError;
use chunkwright_core::boundaries::Ending;
use chunkwright_core::document::Document;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::identity::Identities;
use chunkwright_core::span::Span;
use pyo3::types::PyString;

use super::documents::{Documents, Table};
use super::layout::Layout;
use super::repeat::repeat;
use super::width::width;
use crate::batch::{Batch, Texts};
use crate::cut::Cut;
use crate::endings;
use crate::error::{ending, to_core};
use crate::gate::heard;
use crate::gil::ensured;
use crate::strategies::Cutter;
use crate::text::Text;

/// Signals are looked for once for so many bytes copied.
const PULSE_BYTES: usize = 1 << 26;

/// How documents become chunks.
pub struct Work<'a> {
    pub layout: &'a Layout,
    pub cutter: &'a Cutter,
    pub workers: usize,
    /// Whether the calling thread lets Python handle signals.
    pub listens: bool,
    /// Whether the texts may be a `large_string` if they are too many for a `string`.
    pub may_be_large: bool,
}

/// A document that was cut.
struct Cuts {
    row: usize,
    cut: Cut,
    ids: Vec<String>,
    /// How the chunks end, if that is known.
    endings: Vec<Ending>,
}

/// Documents that were cut, whose chunks are not in batches yet.
pub struct AllCuts {
    cuts: Vec<Cuts>,
    /// All chunks, each the number of a document and one in that.
    order: Vec<(usize, usize)>,
    /// The chunks of each batch.
    ranges: VecDeque<Range<usize>>,
}

impl Work<'_> {
    /// Cuts `documents`, for batches of at most `most_bytes` of texts and of what is carried along
    /// with them each, or of one chunk.
    ///
    /// # Errors
    /// The first that a document gave, or that of a signal.
    pub fn cut(&self, documents: &Documents<'_>, most_bytes: usize) -> Result<AllCuts> {
        let cuts = self.cuts(documents)?;
        let order: Vec<_> = (cuts.iter().enumerate())
            .flat_map(|(doc, cuts)| (0..cuts.cut.chunks.len()).map(move |chunk| (doc, chunk)))
            .collect();
        let mut all = AllCuts { cuts, order, ranges: VecDeque::new() };
        let columns = documents.table.columns().iter().enumerate();
        let carried: Vec<_> = columns.filter(|(i, _)| *i != self.layout.text).collect();
        let carried_bytes = |cuts: &Cuts| carried.iter().map(|(_, c)| width(c, cuts.row)).sum();
        let carried_bytes: Vec<usize> = all.cuts.iter().map(carried_bytes).collect();
        all.ranges = all.split(&carried_bytes, most_bytes);
        Ok(all)
    }

    /// One batch of the chunks of `table`.
    ///
    /// # Errors
    /// That of a signal, or Arrow's.
    pub fn batch(&self, table: &Table, cut: &AllCuts, range: Range<usize>) -> Result<StructArray> {
        let chunks = &cut.order[range];
        Chunks { work: self, table, cuts: &cut.cuts }.batch(chunks)
    }

    fn pulse(&self) -> Result<()> {
        if self.listens { heard() } else { Ok(()) }
    }

    fn cuts(&self, documents: &Documents<'_>) -> Result<Vec<Cuts>> {
        let finish = |i: usize, document: Document<'_>, cut: Cut| {
            let (row, text) = (documents.rows[i], document.text());
            let ids = if self.layout.ids {
                ids(documents.table.name(row)?, text, &cut)
            } else {
                Vec::new()
            };
            let endings = if self.layout.endings {
                cut.chunks.boundaries().endings(0, cut.chunks.spans().map(|span| span.end))
            } else {
                Vec::new()
            };
            Ok(Cuts { row, cut, ids, endings })
        };
        let Some(unit) = self.cutter.unit().native() else {
            let counted = |i| {
                let document = documents.document(i)?;
                finish(i, document, self.counted(document)?)
            };
            return (0..documents.len()).map(counted).collect();
        };
        let batch = Batch {
            strategy: self.cutter.core(),
            unit,
            texts: documents,
            finish: &finish,
            collects: false,
        };
        batch.run(self.workers, self.listens)?.into_iter().collect()
    }

    /// Cuts a text with a caller's counter.
    fn counted(&self, document: Document<'_>) -> Result<Cut> {
        let cut = ensured(|py| {
            let text = PyString::new(py, document.text());
            self.cutter.cut_text(py, &Text::of(&text)?)
        });
        cut.map_or_else(|| Err(ending()), |cut| cut.map_err(to_core))
    }
}

fn ids(name: &str, text: &str, cut: &Cut) -> Vec<String> {
    let mut identities = Identities::new(name);
    cut.chunks.spans().map(|span| identities.next(&text[span.range()])).collect()
}

impl AllCuts {
    /// The chunks of the next batch.
    pub fn next_range(&mut self) -> Option<Range<usize>> {
        self.ranges.pop_front()
    }

    /// Ranges of chunks with at most `most_bytes` each, of texts and of what each document's chunks
    /// carry, or one chunk; one range at least.
    fn split(&self, carried_bytes: &[usize], most_bytes: usize) -> VecDeque<Range<usize>> {
        let (mut ranges, mut start, mut n_bytes) = (VecDeque::new(), 0, 0_usize);
        for (i, &(doc, chunk)) in self.order.iter().enumerate() {
            let more =
                carried_bytes[doc].saturating_add(self.cuts[doc].cut.chunks.span(chunk).len());
            if i > start && n_bytes.saturating_add(more) > most_bytes {
                ranges.push_back(start..i);
                (start, n_bytes) = (i, 0);
            }
            n_bytes = n_bytes.saturating_add(more);
        }
        ranges.push_back(start..self.order.len());
        ranges
    }
}

/// The documents of a table and their chunks, each the number of a document and one in that.
struct Chunks<'a> {
    work: &'a Work<'a>,
    table: &'a Table,
    cuts: &'a [Cuts],
}

impl Chunks<'_> {
    fn span(&self, (doc, chunk): (usize, usize)) -> Span {
        self.cuts[doc].cut.chunks.span(chunk)
    }

    fn batch(&self, chunks: &[(usize, usize)]) -> Result<StructArray> {
        let layout = self.work.layout;
        let mut columns = self.carried(chunks)?;
        columns[layout.text] = self.texts(chunks)?;
        columns.push(numbers(chunks, |(doc, _)| index(self.table.number(self.cuts[doc].row))));
        if layout.ids {
            columns.push(self.ids(chunks)?);
        }
        columns.push(numbers(chunks, |(doc, chunk)| self.cuts[doc].cut.starts[chunk]));
        columns.push(numbers(chunks, |(doc, chunk)| self.cuts[doc].cut.ends[chunk]));
        columns.push(numbers(chunks, |chunk| index(self.span(chunk).start)));
        columns.push(numbers(chunks, |chunk| index(self.span(chunk).end)));
        if layout.sizes {
            let size = |(doc, chunk): (usize, usize)| self.cuts[doc].cut.chunks.sizes()[chunk];
            columns.push(numbers(chunks, |chunk| index(size(chunk))));
        }
        if layout.endings {
            let endings = chunks.iter().map(|&(doc, chunk)| self.cuts[doc].endings[chunk]);
            columns.extend(endings::columns(endings));
        }
        layout.assemble(columns).map_err(arrow)
    }

    /// The documents' own columns, each row as often as there are chunks of it.
    fn carried(&self, chunks: &[(usize, usize)]) -> Result<Vec<ArrayRef>> {
        let rows: Vec<usize> = chunks.iter().map(|&(doc, _)| self.cuts[doc].row).collect();
        let repeated = |(i, column): (usize, &ArrayRef)| {
            self.work.pulse()?;
            // The texts are not repeated: what comes in their place is made anew.
            let is_text = i == self.work.layout.text;
            if is_text {
                return Ok(numbers(&rows, index));
            }
            repeat(column, &rows).map_err(|error| self.not_carried(i, &error))
        };
        self.table.columns().iter().enumerate().map(repeated).collect()
    }

    fn not_carried(&self, column: usize, error: &ArrowError) -> Error {
        let layout = self.work.layout;
        let message =
            format!("column {:?} cannot be carried along: {error}", layout.name_of(column));
        arrow(ArrowError::ComputeError(message))
    }

    fn texts(&self, chunks: &[(usize, usize)]) -> Result<ArrayRef> {
        let text =
            |&chunk: &(usize, usize)| self.table.part(self.cuts[chunk.0].row, self.span(chunk));
        let texts = chunks.iter().map(text);
        let n_bytes = chunks.iter().map(|&chunk| self.span(chunk).len()).sum();
        if self.work.may_be_large && i32::try_from(n_bytes).is_err() {
            return self.strings::<i64>(texts, n_bytes);
        }
        self.strings::<i32>(texts, n_bytes)
    }

    fn ids(&self, chunks: &[(usize, usize)]) -> Result<ArrayRef> {
        let ids = chunks.iter().map(|&(doc, chunk)| Ok(self.cuts[doc].ids[chunk].as_str()));
        let n_bytes = chunks.iter().map(|&(doc, chunk)| self.cuts[doc].ids[chunk].len()).sum();
        self.strings::<i32>(ids, n_bytes)
    }

    fn strings<'s, O: OffsetSizeTrait>(
        &self,
        strings: impl ExactSizeIterator<Item = Result<&'s str>>,
        n_bytes: usize,
    ) -> Result<ArrayRef> {
        if O::from_usize(n_bytes).is_none() {
            return Err(arrow(ArrowError::OffsetOverflowError(n_bytes)));
        }
        let mut column = GenericStringBuilder::<O>::with_capacity(strings.len(), n_bytes);
        let mut n_copied = 0;
        for string in strings {
            let string = string?;
            column.append_value(string);
            n_copied += string.len();
            if n_copied > PULSE_BYTES {
                n_copied = 0;
                self.work.pulse()?;
            }
        }
        Ok(Arc::new(column.finish()))
    }
}

fn arrow(error: ArrowError) -> Error {
    Error::Caller(Box::new(error))
}

fn numbers<C: Copy>(chunks: &[C], number: impl Fn(C) -> i64) -> ArrayRef {
    Arc::new(chunks.iter().map(|&chunk| number(chunk)).collect::<Int64Array>())
}

/// Positions and numbers of rows, all of which are below 2^63.
fn index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
