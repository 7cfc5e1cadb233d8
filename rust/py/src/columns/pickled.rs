//! Chunks restored from what pickles hold of them.

use std::ops::Range;

use chunkwright_text::chunks::{Chunks, Content, Origin};
use chunkwright_text::document::Document;
use chunkwright_text::span::{Piece, Role, Span};
use pyo3::prelude::*;

use crate::error::named;

/// Role, start and end in bytes.
pub type PieceRow = (u8, usize, usize);

/// Content, first element, one past the last one, part, rows of the header.
pub type OriginRow = (u8, usize, usize, usize, usize);

/// What pickles hold of chunks.
pub struct Rows {
    pub pieces: Vec<Vec<PieceRow>>,
    pub sizes: Vec<usize>,
    pub oversize: Vec<usize>,
    pub origins: Option<Vec<OriginRow>>,
    pub htmls: Vec<(usize, String)>,
}

impl Rows {
    /// Checks that the columns are of one length.
    pub fn check(&self) -> PyResult<()> {
        let n_rows = self.pieces.len();
        let n_origins = self.origins.as_ref().map_or(0, Vec::len);
        if self.sizes.len() != n_rows || (n_origins > 0 && n_origins != n_rows) {
            let message = format!("{n_rows} chunks need as many sizes, got {}", self.sizes.len());
            return Err(named("ConfigError", message));
        }
        Ok(())
    }

    /// The chunks of `document`.
    pub fn restored(&self, document: Document<'_>, rows: Range<usize>) -> PyResult<Chunks> {
        let mut chunks = Chunks::default();
        for row in rows {
            let pieces: Option<Vec<Piece>> =
                self.pieces[row].iter().map(|&piece| piece_of(document.text(), piece)).collect();
            let Some(pieces) = pieces.filter(|pieces| !pieces.is_empty()) else {
                let message = format!("chunk {:?} does not lie in the text", self.pieces[row]);
                return Err(named("ConfigError", message));
            };
            chunks.push_pieces(&pieces, self.sizes[row]);
            if self.oversize.binary_search(&row).is_ok() {
                chunks.mark_oversize();
            }
            if let Some(&(content, first, end, part, n_header_rows)) =
                self.origins.as_ref().and_then(|origins| origins.get(row))
            {
                let content = Content::of_code(content).unwrap_or_default();
                let n_elements = document.elements().map_or(0, <[_]>::len);
                let (first, end) = (first.min(n_elements), end.min(n_elements));
                chunks.set_origin(Origin { content, first, end, part, n_header_rows });
            }
            if let Ok(at) = self.htmls.binary_search_by_key(&row, |(of, _)| *of) {
                chunks.set_html(self.htmls[at].1.clone());
            }
        }
        Ok(chunks)
    }
}

fn piece_of(text: &str, (role, start, end): PieceRow) -> Option<Piece> {
    text.get(start..end)?;
    Some(Piece { span: Span::new(start, end), role: Role::of_code(role)? })
}
