//! Chunks of one table: whole where it fits, else its rows, the header repeated.

use super::Cutter;
use super::blocks::Block;
use crate::chunks::Origin;
use crate::cut::chunker::Chunker;
use crate::cut::prefix::Prefixed;
use crate::cut::table::by_rows::{ByRows, RowPart};
use crate::cut::table::{self, Measured, Part, Splitting, has_room};
use crate::error::Result;
use crate::grid::Grid;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::{is_space, skip_space};

impl Cutter<'_> {
    /// Cuts the table `block`, which stands at the end of `span`, behind what leads to it.
    pub(super) fn table(&mut self, block: &Block, span: Span, origin: Origin) -> Result<()> {
        let items = self.document.elements().unwrap_or_default();
        let grid = items[block.element].grid.as_deref();
        let first_row = self.chunker.chunks.len();
        if self.packing.skip_tables || self.fits_whole(span, grid)? {
            self.chunker.push(span.start, span.start, span.end)?;
            self.chunker.chunks.set_origin(origin);
            if let Some(grid) = grid.filter(|grid| !grid.html.is_empty()) {
                self.chunker.chunks.set_html(grid.html.clone());
            }
        } else {
            let own = Span::new(block.span.start, span.end);
            let is_split =
                grid.map_or(Ok(false), |grid| self.split_table(grid, own, span.start, origin))?;
            if !is_split {
                self.split(span, origin, false)?;
            }
        }
        self.mark_tables(first_row..self.chunker.chunks.len());
        Ok(())
    }

    /// Whether both the text and the HTML of a table are within the limit.
    fn fits_whole(&self, span: Span, grid: Option<&Grid>) -> Result<bool> {
        let html = grid.map_or("", |grid| &grid.html);
        let hard_max = self.chunker.limits.hard_max();
        Ok(self.fits(span)? && (html.is_empty() || self.ruler.size(html)? <= hard_max))
    }

    /// Writes the rows of a table; false if there is no room for rows, or if they would not say all that the
    /// cells do.
    fn split_table(
        &mut self,
        grid: &Grid,
        span: Span,
        lead: usize,
        origin: Origin,
    ) -> Result<bool> {
        if grid.html.is_empty() {
            return self.write_by_rows(grid, span, lead, origin);
        }
        let hard_max = self.chunker.limits.hard_max();
        if !has_room(hard_max, self.ruler.counts_chars()) {
            return Ok(false);
        }
        let (measure, pulse) = (self.chunker.measure, self.chunker.beat.pulse());
        let table = Measured::new(grid, self.document, measure, self.ruler, pulse);
        let repeat_headers = self.packing.repeat_headers;
        let first_max = match self.chunker.size(Span::new(lead, span.start))? {
            size if lead < span.start && size <= hard_max / 2 => hard_max - size,
            _ => hard_max,
        };
        let how = Splitting { hard_max, first_max, repeat_headers, only_said: true };
        let (mut parts, n_header_rows) = table::split(&table, &how)?;
        let text = self.chunker.text;
        for part in &mut parts {
            part.pieces = with_gaps(text, joined(text, &part.pieces));
        }
        if !say_all(text, grid, &parts, span) {
            return Ok(false);
        }
        self.write_rows(parts, n_header_rows, Span::new(lead, span.end), span.start, origin)?;
        Ok(true)
    }

    /// Writes the rows of a table without HTML; false if its cells do not stand in the text in order.
    fn write_by_rows(
        &mut self,
        grid: &Grid,
        span: Span,
        lead: usize,
        origin: Origin,
    ) -> Result<bool> {
        let Chunker { limits, .. } = self.chunker;
        let prefixed = Prefixed {
            chunker: &self.chunker,
            ruler: self.ruler,
            bare: self.ruler.size("")?,
            limits,
        };
        let table = ByRows {
            grid,
            span,
            lead,
            repeat_headers: self.packing.repeat_headers,
            omit_header_on_overflow: true,
            prefixed,
            front: &|_, header| prefixed.prefix(header.to_vec()),
        };
        let Some(parts) = table.split()? else { return Ok(false) };
        let first_row = self.chunker.chunks.len();
        for RowPart { body, mut header, n_header_rows, .. } in parts {
            header.push(Piece::body(body));
            let part = self.chunker.chunks.len() - first_row;
            let origin = Origin { part, n_header_rows, ..origin };
            self.write_part(Part { pieces: header, html: String::new() }, origin)?;
        }
        Ok(true)
    }

    /// Writes parts, and what of the text stands around the cells; what leads to the table, up to `table`, in
    /// front of the first one, if both fit.
    fn write_rows(
        &mut self,
        parts: Vec<Part>,
        n_header_rows: usize,
        span: Span,
        table: usize,
        origin: Origin,
    ) -> Result<()> {
        let (text, first_row) = (self.chunker.text, self.chunker.chunks.len());
        let mut at = span.start;
        for (i, mut part) in parts.into_iter().enumerate() {
            let own = body(&part.pieces);
            if i == 0 && at < table {
                let mut led = vec![Piece::body(Span::new(at, own.start))];
                led.extend_from_slice(&part.pieces);
                if self.size(&led)? <= self.chunker.limits.hard_max() {
                    (part.pieces, at) = (joined(text, &led), own.start);
                }
            }
            if i == 0 {
                self.write_around(Span::new(at, own.start), first_row, origin)?;
            }
            let n_header_rows = if i > 0 { n_header_rows } else { 0 };
            let part_number = self.chunker.chunks.len() - first_row;
            self.write_part(part, Origin { part: part_number, n_header_rows, ..origin })?;
            at = own.end;
        }
        self.write_around(
            Span::new(skip_space(text, at).min(span.end), span.end),
            first_row,
            origin,
        )
    }

    /// Writes text of a table that no cell says.
    fn write_around(&mut self, span: Span, first_row: usize, origin: Origin) -> Result<()> {
        if self.chunker.text[span.range()].chars().all(is_space) {
            return Ok(());
        }
        let part = self.chunker.chunks.len() - first_row;
        self.split(span, Origin { part, ..origin }, false)
    }

    /// Writes a part; what is repeated is left out where the limit would be exceeded.
    fn write_part(&mut self, part: Part, origin: Origin) -> Result<()> {
        let hard_max = self.chunker.limits.hard_max();
        let (mut pieces, mut origin) = (part.pieces, origin);
        let mut size = self.size(&pieces)?;
        if size > hard_max && pieces.iter().any(|piece| piece.role == Role::Header) {
            pieces = vec![Piece::body(body(&pieces))];
            size = self.size(&pieces)?;
            origin.n_header_rows = 0;
        }
        if size > hard_max {
            return self.split(body(&pieces), origin, false);
        }
        self.chunker.chunks.push_pieces(&pieces, size);
        self.chunker.chunks.set_origin(origin);
        if !part.html.is_empty() {
            self.chunker.chunks.set_html(part.html);
        }
        Ok(())
    }

    fn size(&self, pieces: &[Piece]) -> Result<usize> {
        if let [piece] = pieces {
            return self.chunker.size(piece.span);
        }
        let Chunker { text, measure, .. } = self.chunker;
        self.ruler.size_joined(text, measure, &mut pieces.iter().map(|piece| piece.span))
    }
}

/// The pieces, those of one role with nothing but whitespace between them as one.
fn joined(text: &str, pieces: &[Piece]) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for &piece in pieces {
        match joined.last_mut() {
            Some(last)
                if last.role == piece.role
                    && last.span.end <= piece.span.start
                    && text[last.span.end..piece.span.start].chars().all(is_space) =>
            {
                last.span.end = piece.span.end;
            }
            _ => joined.push(piece),
        }
    }
    joined
}

/// The pieces with the whitespace behind them, so that they can be put together; the last one without.
fn with_gaps(text: &str, mut pieces: Vec<Piece>) -> Vec<Piece> {
    if let Some((_, others)) = pieces.split_last_mut() {
        for piece in others {
            piece.span.end = skip_space(text, piece.span.end);
        }
    }
    pieces
}

/// From the first to the last piece of a part's own text.
fn body(pieces: &[Piece]) -> Span {
    let mut own = pieces.iter().filter(|piece| piece.role == Role::Body).map(|piece| piece.span);
    let first = own.next().unwrap_or_default();
    Span::new(first.start, own.next_back().unwrap_or(first).end)
}

/// Whether the parts' own texts are in order and say all that the cells do.
fn say_all(text: &str, grid: &Grid, parts: &[Part], span: Span) -> bool {
    let texts = || grid.cells.iter().map(|cell| cell.text).filter(|text| !text.is_empty());
    let Some((first, last)) = texts().next().zip(texts().next_back()) else { return false };
    let mut at = first.start;
    let is_said = |from: usize, to: usize| from <= to && text[from..to].chars().all(is_space);
    let bodies =
        parts.iter().flat_map(|part| &part.pieces).filter(|piece| piece.role == Role::Body);
    for piece in bodies {
        if !is_said(at, piece.span.start) {
            return false;
        }
        at = piece.span.end;
    }
    is_said(at.min(last.end), last.end) && span.start <= first.start && last.end <= span.end
}
