//! Chunks of one table: whole where its text fits, else its rows, the header repeated.

use super::ElementCutter;
use super::blocks::Block;
use crate::chunks::Origin;
use crate::cut::prefix::Prefixed;
use crate::cut::table::by_rows::{ByRows, RowPart};
use crate::error::Result;
use crate::grid::Grid;
use crate::options::Limits;
use crate::pulse::CHUNK_BYTES;
use crate::span::{Piece, Span};

impl ElementCutter<'_> {
    /// Cuts the table `block`, which stands in `span` between what leads to it and its caption.
    pub(super) fn table(&mut self, block: &Block, span: Span, origin: Origin) -> Result<()> {
        let items = self.document.elements().unwrap_or_default();
        let grid = items[block.element].grid.as_deref();
        let (first_row, skips) = (self.chunker.chunks.len(), self.packing.skip_tables);
        let fits = skips || self.fits(span)?;
        let is_whole = fits && (skips || self.is_small(block)?);
        let parts = match grid.filter(|_| !is_whole) {
            Some(grid) => self.parts_of(grid, block.span, span.start)?.map(|parts| (grid, parts)),
            None => None,
        };
        match parts {
            Some((grid, mut parts)) => {
                let is_held = self.extend(parts.last_mut(), span.end)?;
                self.write_parts(grid, parts, origin)?;
                if !is_held {
                    self.mark_tables(first_row..self.chunker.chunks.len());
                    let caption = Span::new(block.span.end, span.end);
                    return self.split(
                        caption,
                        Origin { first: block.elements.end, ..origin },
                        false,
                    );
                }
            }
            None if fits => {
                self.chunker.push(span.start, span.start, span.end)?;
                self.chunker.chunks.set_origin(origin);
                if let Some(grid) = grid.filter(|grid| !grid.html.is_empty()) {
                    self.chunker.chunks.set_html(grid.html.clone());
                }
            }
            None => self.split(span, origin, false)?,
        }
        self.mark_tables(first_row..self.chunker.chunks.len());
        Ok(())
    }

    /// Whether a table has no more than tables may have to stay whole.
    fn is_small(&self, table: &Block) -> Result<bool> {
        let Some(most) = self.table_max else { return Ok(true) };
        Ok(self.chunker.size(table.span)? <= most)
    }

    /// The parts of a table; none if its cells do not stand in the text in order.
    fn parts_of(&self, grid: &Grid, span: Span, lead: usize) -> Result<Option<Vec<RowPart>>> {
        let Self { chunker, ruler, .. } = self;
        let (bare, own) = (ruler.size("")?, chunker.limits);
        let limits = match self.table_max {
            Some(max) => Limits::new(max.clamp(1, own.hard_max()), None, 0)?,
            None => own,
        };
        let prefixed = Prefixed { chunker, ruler: *ruler, bare, limits };
        let table = ByRows {
            grid,
            span,
            lead,
            repeat_headers: self.packing.repeat_headers,
            omit_header_on_overflow: false,
            prefixed,
            front: &|_, header| prefixed.prefix(header.to_vec()),
        };
        table.split()
    }

    /// Lets the last part of a table go on up to `end`, with the caption below it; says whether that is in it.
    fn extend(&self, part: Option<&mut RowPart>, end: usize) -> Result<bool> {
        let Some(part) = part.filter(|part| part.body.end < end) else { return Ok(true) };
        let body = Span::new(part.body.start, end);
        let pieces = [&*part.header, &[Piece::body(body)]].concat();
        let fits = self.size(&pieces)? <= self.chunker.limits.hard_max();
        if fits && part.footer.is_empty() {
            part.body = body;
        }
        Ok(fits && part.footer.is_empty())
    }

    /// Writes parts; what is repeated is left out where the limit would be exceeded.
    fn write_parts(&mut self, grid: &Grid, parts: Vec<RowPart>, origin: Origin) -> Result<()> {
        for (number, part) in parts.into_iter().enumerate() {
            let RowPart { body, header, footer, shown, n_header_rows } = part;
            self.chunker.beat.after(body.len() + CHUNK_BYTES)?;
            let (mut pieces, mut n_header_rows) = (header, n_header_rows);
            pieces.push(Piece::body(body));
            pieces.extend(footer);
            let mut size = self.size(&pieces)?;
            if size > self.chunker.limits.hard_max() && pieces.len() > 1 {
                (pieces, n_header_rows) = (vec![Piece::body(body)], 0);
                size = self.chunker.size(body)?;
            }
            let html = shown.html(self.chunker.text, grid, n_header_rows);
            let Self { chunker, .. } = self;
            chunker.chunks.push_pieces(&pieces, size);
            if size > chunker.limits.hard_max() {
                chunker.chunks.mark_oversize();
            }
            chunker.chunks.set_origin(Origin { part: number, n_header_rows, ..origin });
            if let Some(html) = html {
                chunker.chunks.set_html(html);
            }
        }
        Ok(())
    }

    fn size(&self, pieces: &[Piece]) -> Result<usize> {
        if let [piece] = pieces {
            return self.chunker.size(piece.span);
        }
        let mut spans = pieces.iter().map(|piece| piece.span);
        self.ruler.size_joined(self.chunker.source, self.chunker.measure, &mut spans)
    }
}
