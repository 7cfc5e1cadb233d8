//! Document of blocks: what readers of files that hold no text, such as Word's, hand over.
//!
//! Such a reader finds blocks in reading order; the text of the document is written here, so that all of them
//! write it alike.
//!
//! ```
//! use chunkwright_text::elements::Kind;
//! use chunkwright_read::blocks::{Block, read};
//!
//! let block = |kind, text: &str| Block { kind, text: text.to_owned(), ..Block::default() };
//! let list = Block { kind: Kind::List, ..Block::default() };
//! let item = |text| Block { level: 1, parent: Some(1), ..block(Kind::ListItem, text) };
//! let blocks = vec![block(Kind::Heading, "Rain"), list, item("- cold"), item("- wet")];
//! assert_eq!(read(blocks).text.as_deref(), Some("Rain\n\n- cold\n- wet"));
//! ```

pub mod table_text;
pub mod writer;

use self::table_text::{TableCell, TableText};
use self::writer::{Writer, bare};
use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::grid::Grid;
use chunkwright_text::read::link::Link;
use chunkwright_text::read::{LineBox, Links, PageBox, Read};
use chunkwright_text::span::Span;

/// Blanks in front of an item for each list around its own.
const INDENT: usize = 4;

/// A block of a document as its reader found it.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Its kind.
    pub kind: Kind,
    /// How deep it is nested among those of its kind, from 1; 0 if that is not known.
    pub level: u8,
    /// The number of the block before it that it belongs to.
    pub parent: Option<usize>,
    /// Its text, with the marker if it is an item of a list; that of a table is written from its cells.
    pub text: String,
    /// The pages that it is on.
    pub pages: Vec<i64>,
    /// Where it stands on its pages.
    pub boxes: Vec<PageBox>,
    /// Where each box begins, if there are several: bytes of the text, rows of a table; empty if that is not known.
    pub box_starts: Vec<usize>,
    /// Where each page begins, if there are several: bytes of the text; of a table those of the texts of its cells, one
    /// behind the other, row by row. Empty if that is not known.
    pub page_starts: Vec<usize>,
    /// Where its lines, or the rows of a table, begin, as boxes do, and their left, top, right and bottom edges; in
    /// order.
    pub lines: Vec<(usize, [f32; 4])>,
    /// The language of code.
    pub language: Option<Box<str>>,
    /// The number of the table or figure whose caption it is.
    pub caption_of: Option<usize>,
    /// How sure the reader is of it, from 0 to 1.
    pub confidence: Option<f64>,
    /// The rows of a table.
    pub table: Option<BlockTable>,
    /// The links in its text.
    pub links: Vec<Link>,
}

/// Cells of a table.
#[derive(Clone, Debug, Default)]
pub struct BlockTable {
    /// Rows and columns.
    pub shape: [usize; 2],
    /// So many rows are the header.
    pub n_header_rows: usize,
    /// The cells, in any order.
    pub cells: Vec<TableCell>,
}

/// The document of blocks.
///
/// A blank line stands between two blocks, a line end between two items of the same list, and four blanks in
/// front of an item for each list around its own. O(n log n).
pub fn read(blocks: Vec<Block>) -> Read {
    let (mut writer, mut lists, mut links) = (Writer::default(), Vec::new(), Vec::new());
    for (i, block) in blocks.into_iter().enumerate() {
        let above = block.parent.filter(|&parent| parent < i);
        let list = outermost(block.kind, i, above, &lists);
        lists.push(list);
        push(&mut writer, block, list, above, &mut links);
    }
    let mut read = writer.finish();
    if !links.is_empty() {
        read.links = Links::Found(links);
    }
    read
}

/// The outermost list that a block is in: a list, an item, or what belongs to one of these.
fn outermost(
    kind: Kind,
    number: usize,
    above: Option<usize>,
    lists: &[Option<usize>],
) -> Option<usize> {
    let is_list = matches!(kind, Kind::List | Kind::ListItem);
    above.and_then(|above| lists[above]).or(is_list.then_some(number))
}

fn push(
    writer: &mut Writer,
    mut block: Block,
    list: Option<usize>,
    above: Option<usize>,
    links: &mut Vec<Link>,
) {
    let mut grid = None;
    if let Some(table) = block.table.take() {
        block.text.clear();
        let rows = TableText::new(table.cells, table.shape, table.n_header_rows);
        grid = Some(rows.write(&mut block.text)).filter(|grid| !grid.rows.is_empty());
        block.links = grid.as_ref().map(|grid| rows.links(grid)).unwrap_or_default();
    }
    let is_item = block.kind == Kind::ListItem;
    let indent = if is_item { INDENT * usize::from(block.level.saturating_sub(1)) } else { 0 };
    let element = Element {
        kind: block.kind,
        level: block.level,
        parent: above.map_or(Parent::default(), Parent::of),
        page: block.pages.first().copied(),
        ..Element::default()
    };
    let list = list.filter(|_| is_item);
    let number = writer.push(element, &block.text, Span::default(), list, indent);
    if let Some(grid) = grid {
        writer.set_grid(grid);
    }
    writer.set_language(number, block.language.as_deref());
    if let Some(of) = block.caption_of {
        writer.set_captions(&[number], of);
    }
    let left_out = bare(&block.text, block.kind).start;
    let read = writer.read();
    let at = read.elements[number].span;
    let rows = read.elements[number].grid.as_deref().map(|grid| row_starts(grid, at));
    let start = |of: usize| match &rows {
        Some(rows) => rows.get(of).copied().unwrap_or(at.end),
        None => (at.start + of.saturating_sub(left_out)).min(at.end),
    };
    if block.box_starts.len() == block.boxes.len() && block.boxes.len() > 1 {
        read.box_starts.extend(block.box_starts.iter().map(|&of| (number, start(of))));
    }
    if block.page_starts.len() == block.pages.len() && block.pages.len() > 1 {
        let grid = read.elements[number].grid.as_deref();
        let starts = match grid {
            Some(grid) => cell_places(grid, at, &block.page_starts),
            None => block.page_starts.iter().map(|&of| start(of)).collect(),
        };
        read.page_starts.extend(starts.into_iter().map(|start| (number, start)));
    }
    for (of, edges) in block.lines {
        let line = u32::try_from(start(of)).map(|start| LineBox { start, edges });
        read.lines.extend(line.map(|line| (number, line)));
    }
    let placed = block.links.into_iter().map(|link| Link {
        span: Span::new(
            at.start + link.span.start - left_out.min(link.span.start),
            at.start + link.span.end.saturating_sub(left_out),
        ),
        ..link
    });
    links.extend(placed.filter(|link| link.span.end <= at.end && link.span.start < link.span.end));
    read.push_pages(number, &block.pages);
    read.boxes.extend(block.boxes.into_iter().map(|area| (number, area)));
    read.confidences.extend(block.confidence.map(|confidence| (number, confidence)));
}

/// Where the line of each row of a table stands in the text, or that of the next one that says something. O(rows).
fn row_starts(grid: &Grid, table: Span) -> Vec<usize> {
    let mut starts = Vec::new();
    for row in &grid.rows {
        let number = grid.slots.get(row.cells.start).map_or(0, |slot| slot.row);
        starts.resize(starts.len().max(number + 1), row.source.start);
    }
    starts.resize(starts.len().max(grid.shape()[0]), table.end);
    starts
}

/// Where places stand that count the bytes of the texts of cells, in order: one that begins a row, or a cell, with
/// what stands in front of it. O(cells + places).
fn cell_places(grid: &Grid, table: Span, places: &[usize]) -> Vec<usize> {
    let (mut cells, mut n_before) = (Vec::with_capacity(grid.cells.len()), 0);
    for row in &grid.rows {
        let mut front = row.source.start;
        for cell in &grid.cells[row.cells.range()] {
            cells.push((n_before, front, cell.text));
            n_before += cell.text.len();
            front = cell.text.end;
        }
    }
    let place = |&of: &usize| {
        let behind = cells.partition_point(|(before, ..)| *before <= of);
        let (before, front, text) = behind.checked_sub(1).map(|i| cells[i])?;
        Some(if of == before { front } else { (text.start + of - before).min(text.end) })
    };
    places.iter().map(|of| place(of).unwrap_or(table.start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: Kind, text: &str) -> Block {
        Block { kind, text: text.to_owned(), ..Block::default() }
    }

    #[test]
    fn nested_items_are_moved_and_stay_together() {
        let list = |parent| Block { parent, ..block(Kind::List, "") };
        let item = |text, parent, level| Block { level, parent, ..block(Kind::ListItem, text) };
        let read = read(vec![
            list(None),
            item("1. a", Some(0), 1),
            list(Some(1)),
            item("- b", Some(2), 2),
            item("2. c", Some(0), 1),
            list(None),
            item("- d", Some(5), 1),
        ]);
        assert_eq!(read.text.as_deref(), Some("1. a\n    - b\n2. c\n\n- d"));
    }

    #[test]
    fn tables_are_written_from_their_cells() {
        let cell = |row, text: &str| TableCell {
            rows: row..row + 1,
            cols: 0..1,
            text: text.into(),
            ..TableCell::default()
        };
        let cells = vec![cell(0, "kg"), cell(1, "7")];
        let table = BlockTable { shape: [2, 1], n_header_rows: 1, cells };
        let table = Block { table: Some(table), ..block(Kind::Table, "") };
        let read = read(vec![block(Kind::Paragraph, "Stones"), table]);
        let text = read.text.unwrap();
        assert_eq!(text, "Stones\n\n| kg |\n| - |\n| 7 |");
        let grid = read.elements[1].grid.as_deref().unwrap();
        assert_eq!(&text[grid.cells[1].text.range()], "7");
    }

    #[test]
    fn links_and_pages_stand_where_the_text_does() {
        let link = Link { span: Span::new(2, 5), target: "log".into(), is_image: false };
        let first = Block { pages: vec![1, 2], ..block(Kind::Paragraph, "a") };
        let second = Block { links: vec![link], ..block(Kind::Paragraph, "  log ") };
        let read = read(vec![first, second]);
        let Links::Found(links) = &read.links else { panic!("no links") };
        assert_eq!(&read.text.as_deref().unwrap()[links[0].span.range()], "log");
        assert_eq!((read.pages_of(0), read.pages_of(1)), (vec![1, 2], vec![]));
    }
}
