//! Chunks written down and restored: as bytes, and as rows of blocks.

use std::sync::Arc;

use chunkwright_engine::cut::Cut;
use chunkwright_text::chunks::{Chunks, Content, Origin};
use chunkwright_text::document::Document;
use chunkwright_text::span::{Piece, Role, Span};
use chunkwright_text::subject::{Subject, Symbol};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Columns;
use crate::elements::Elements;
use crate::error::{named, to_python};
use crate::strings::sources::Source;

/// A chunk as a store of blocks has it: its pieces (role, start and end in bytes), its size, whether it is over the
/// limit, its content, part and rows of the header, its HTML, the texts that it repeats, which restore nothing, and of
/// source code what it is about: scope, name, symbol and language.
pub type BlockRow<'py> = (
    Vec<[usize; 3]>,
    usize,
    bool,
    u8,
    usize,
    usize,
    Option<Bound<'py, PyString>>,
    Option<Bound<'py, PyAny>>,
    Option<[String; 4]>,
);

impl Columns {
    /// See the method `to_bytes`.
    pub(super) fn stored<'py>(
        &self,
        py: Python<'py>,
        elements: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.chunks.to_bytes(&self.row_ends, elements));
        let bytes = bytes.map_err(to_python)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// See the method `from_bytes`.
    pub(super) fn of_stored(py: Python<'_>, bytes: &[u8], sources: Vec<Source>) -> PyResult<Self> {
        let texts = sources.iter().map(|source| source.text(py)).collect::<PyResult<Vec<_>>>()?;
        let documents: Vec<_> = sources
            .iter()
            .zip(&texts)
            .map(|(source, text)| source.complete(text.document()))
            .collect();
        let chunks = Chunks::of_bytes(bytes, &documents).map_err(to_python)?;
        let cuts = documents.iter().zip(chunks).map(|(&document, of)| Cut::new(document, of));
        let cuts: Vec<_> = cuts.collect();
        drop(texts);
        Self::of_many(py, sources, cuts.into_iter())
    }

    /// See the method `block_rows`.
    pub(super) fn rows_of_blocks<'py>(
        &self,
        py: Python<'py>,
        rows: &[usize],
    ) -> PyResult<Vec<BlockRow<'py>>> {
        let row = |&row: &usize| {
            let html = self.html(py, row)?;
            let piece = |of: &Piece| [of.role as usize, of.span.start, of.span.end];
            let pieces = self.chunks.pieces(row).iter().map(piece).collect();
            let of = self.chunks.origins().get(row).copied().unwrap_or_default();
            let (size, is_oversize) = (self.chunks.sizes()[row], self.chunks.is_oversize(row));
            let content = of.content as u8;
            let subject = self.chunks.subject(row).map(|subject| {
                let symbol = subject.symbol.map_or("", Symbol::name);
                [&*subject.scope, &*subject.name, symbol, &*subject.language].map(Into::into)
            });
            Ok((pieces, size, is_oversize, content, of.part, of.n_header_rows, html, None, subject))
        };
        rows.iter().map(row).collect()
    }

    /// See the method `of_blocks`.
    pub(super) fn of_block_rows(
        py: Python<'_>,
        source: Source,
        rows: &[Bound<'_, PyAny>],
    ) -> PyResult<Self> {
        let cut = {
            let text = source.text(py)?;
            let document = source.complete(text.document());
            let mut chunks = Chunks::default();
            for row in rows {
                let wrong = |_| named("ConfigError", format!("a chunk is not restored by {row}"));
                push(&mut chunks, row.extract().map_err(wrong)?, document, source.elements())?;
            }
            Cut::new(document, chunks)
        };
        Self::new(py, source, cut)
    }
}

/// Adds a chunk of `document`, whose elements are those that its own text meets.
fn push(
    chunks: &mut Chunks,
    row: BlockRow<'_>,
    document: Document<'_>,
    elements: Option<&Elements>,
) -> PyResult<()> {
    let (pieces, size, is_oversize, content, part, n_header_rows, html, _, subject) = row;
    let known = pieces.iter().map(|&piece| piece_of(document.text(), piece));
    let Some(known) = known.collect::<Option<Vec<_>>>().filter(|known| !known.is_empty()) else {
        return Err(outside(&pieces));
    };
    chunks.push_pieces(&known, size);
    if is_oversize {
        chunks.mark_oversize();
    }
    if let Some([scope, name, symbol, language]) = subject.map(|of| of.map(String::into_boxed_str))
    {
        let symbol = Symbol::ALL.into_iter().find(|known| known.name() == &*symbol);
        chunks.set_subject(Arc::new(Subject { scope, name, symbol, language }));
    }
    let Some(elements) = elements else { return Ok(()) };
    let (own, items) = (chunks.body(chunks.len() - 1), document.elements().unwrap_or_default());
    let first = items.partition_point(|element| element.span.end <= own.start);
    let end = items.partition_point(|element| element.span.start < own.end).max(first);
    let content = Content::of_code(content).unwrap_or_default();
    chunks.set_origin(Origin { content, first, end, part, n_header_rows });
    if let Some(html) = html {
        chunks.set_html(elements.put(&html)?);
    }
    Ok(())
}

/// The error for the `pieces` of a chunk that is not restored by its text.
pub fn outside(pieces: &[[usize; 3]]) -> PyErr {
    named("ConfigError", format!("chunk {pieces:?} does not lie in the text"))
}

/// A piece of `text`, if it lies in it.
pub fn piece_of(text: &str, [role, start, end]: [usize; 3]) -> Option<Piece> {
    text.get(start..end)?;
    let role = Role::of_code(u8::try_from(role).ok()?)?;
    Some(Piece { span: Span::new(start, end), role })
}
