//! Blocks that a reader in Python found, as the core takes them.

use std::borrow::Cow;

use chunkwright_read::blocks::table_text::TableCell;
use chunkwright_read::blocks::{Block, BlockTable};
use chunkwright_text::elements::Kind;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::read::PageBox;
use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;
use pyo3::prelude::*;

use super::places::BoxRow;
use crate::error::named;

/// First row and column of a cell, one past its last ones, and its text.
type CellRow = (usize, usize, usize, usize, String);

/// Rows, columns, header rows and cells.
type TableRow = (usize, usize, usize, Vec<CellRow>);

/// Start and end in the block's text, in code points, the target, and whether it is an image.
type LinkRow = (usize, usize, String, bool);

/// A block as `chunkwright.readers.blocks` has it.
#[derive(FromPyObject)]
pub struct GivenBlock {
    kind: String,
    text: String,
    level: u8,
    parent: Option<usize>,
    pages: Vec<i64>,
    page_starts: Vec<usize>,
    boxes: Vec<BoxRow>,
    language: Option<String>,
    caption_of: Option<usize>,
    confidence: Option<f64>,
    table: Option<TableRow>,
    links: Vec<LinkRow>,
}

impl GivenBlock {
    /// The block, which is number `i`.
    ///
    /// # Errors
    /// `ReadError` if its kind is unknown, or its parent is not before it.
    pub fn checked(self, i: usize) -> PyResult<Block> {
        let wrong = |what: String| named("ReadError", format!("blocks[{i}]: {what}"));
        let kind = Kind::named(&self.kind)
            .ok_or_else(|| wrong(format!("unknown kind {:?}", self.kind)))?;
        if let Some(parent) = self.parent.filter(|&parent| parent >= i) {
            return Err(wrong(format!("its parent {parent} is not before it")));
        }
        let links = links(&self.text, self.links);
        let said = match &self.table {
            Some((.., cells)) if !self.page_starts.is_empty() => {
                cells.iter().map(|cell| &*cell.4).collect()
            }
            _ => Cow::Borrowed(&*self.text),
        };
        let chars = CharIndex::new(&said, &[]);
        let byte = |char| chars.char_to_byte(&said, char);
        let page_starts = self.page_starts.into_iter().map(byte).collect();
        let area = |(page, edges, width, height)| PageBox { page, edges, width, height };
        Ok(Block {
            kind,
            level: self.level,
            parent: self.parent,
            text: self.text,
            pages: self.pages,
            boxes: self.boxes.into_iter().map(area).collect(),
            box_starts: Vec::new(),
            page_starts,
            lines: Vec::new(),
            language: self.language.map(String::into_boxed_str),
            caption_of: self.caption_of,
            confidence: self.confidence,
            table: self.table.map(table),
            links,
        })
    }
}

fn links(text: &str, rows: Vec<LinkRow>) -> Vec<Link> {
    if rows.is_empty() {
        return Vec::new();
    }
    let chars = CharIndex::new(text, &[]);
    let byte = |char| chars.char_to_byte(text, char);
    let link = |(start, end, target, is_image): LinkRow| Link {
        span: Span::new(byte(start), byte(end.max(start))),
        target: target.into_boxed_str(),
        is_image,
    };
    rows.into_iter().map(link).collect()
}

fn table((n_rows, n_cols, n_header_rows, cells): TableRow) -> BlockTable {
    let cell = |(row, col, end_row, end_col, text)| TableCell {
        rows: row..end_row,
        cols: col..end_col,
        text,
        ..TableCell::default()
    };
    BlockTable {
        shape: [n_rows, n_cols],
        n_header_rows,
        cells: cells.into_iter().map(cell).collect(),
    }
}
