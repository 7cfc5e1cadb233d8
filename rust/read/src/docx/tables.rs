//! Tables of Word as grids: merged cells, header rows, and rows that were deleted.

use std::collections::HashMap;

use super::line::Line;
use super::parts::package::grouped;
use super::parts::tags::Tag;
use super::parts::tree::{Node, number};
use crate::blocks::BlockTable;
use crate::blocks::table_text::TableCell;
use chunkwright_text::error::{Error, Result};

/// Rows times columns of one table.
const MAX_SLOTS: usize = 1_000_000;
/// Word itself writes no wider table; a span that is longer is taken for none.
const MAX_SPAN: usize = 63;
/// A header that merged cells bind together is at most so many rows.
const MAX_HEADER: usize = 3;

/// A cell where Word has it.
struct Slot<'a> {
    column: usize,
    end: usize,
    /// Whether it is the one above that goes on.
    goes_on: bool,
    node: Node<'a>,
}

/// The rows of a table that are not deleted, those in content controls as well.
pub fn rows_of(table: Node<'_>) -> Vec<Node<'_>> {
    let is_there = |row: &Node<'_>| row.at([Tag::RowProperties, Tag::Deleted]).is_none();
    within(table, Tag::Row).into_iter().filter(is_there).collect()
}

/// The cells of a row.
pub fn cells_of(row: Node<'_>) -> Vec<Node<'_>> {
    within(row, Tag::Cell)
}

/// A table, and the lines in its cells; none if it has no cells.
///
/// `read` gives the lines in the cells of a row.
///
/// # Errors
/// [`Error::Read`] if it has too many rows and columns.
pub fn grid_of<'a>(
    table: Node<'a>,
    rows: &[Node<'a>],
    mut read: impl FnMut(&[Node<'a>]) -> Vec<Line>,
) -> Result<Option<(BlockTable, Vec<Line>)>> {
    let (mut cells, mut lines, mut above) = (Vec::new(), Vec::new(), HashMap::new());
    for (at, &row) in rows.iter().enumerate() {
        let slots = slots_of(row);
        let nodes: Vec<_> = slots.iter().map(|slot| slot.node).collect();
        above = add(&mut cells, &mut lines, &slots, at, read(&nodes), &above);
        if cells.len() > MAX_SLOTS {
            break;
        }
    }
    let mut starts: Vec<usize> = cells.iter().map(|cell| cell.cols.start).collect();
    starts.sort_unstable();
    starts.dedup();
    if starts.len().saturating_mul(rows.len()) > MAX_SLOTS {
        let most = grouped(MAX_SLOTS);
        return Err(Error::read(format!("a table has more than {most} rows times columns")));
    }
    // Columns that no cell begins in are none.
    let column = |of: usize| starts.partition_point(|&start| start < of);
    for cell in &mut cells {
        cell.cols = column(cell.cols.start)..column(cell.cols.end);
    }
    if cells.is_empty() {
        return Ok(None);
    }
    let n_header_rows = n_header(table, rows, &cells);
    let table = BlockTable { shape: [rows.len(), starts.len()], n_header_rows, cells };
    Ok(Some((table, lines)))
}

/// The parts of a table or row, also those in elements that only mark them.
fn within(node: Node<'_>, tag: Tag) -> Vec<Node<'_>> {
    let (mut stack, mut parts): (Vec<_>, _) = (node.children().rev().collect(), Vec::new());
    while let Some(node) = stack.pop() {
        match node.tag() {
            found if found == tag => parts.push(node),
            Tag::Inserted
            | Tag::MovedTo
            | Tag::CustomXml
            | Tag::Control
            | Tag::Content
            | Tag::SmartTag => stack.extend(node.children().rev()),
            _ => {}
        }
    }
    parts
}

fn slots_of(row: Node<'_>) -> Vec<Slot<'_>> {
    let mut slots: Vec<Slot<'_>> = Vec::new();
    let mut column = span(row.value([Tag::RowProperties, Tag::GridBefore]), 0);
    for node in cells_of(row) {
        let properties = node.child(Tag::CellProperties);
        let of = |tag| properties.and_then(|properties| properties.child(tag));
        let end = column + span(of(Tag::Span).and_then(|span| span.attribute("w:val")), 1);
        match slots.last_mut().filter(|_| goes_on(of(Tag::MergedBeside))) {
            // The old way to merge: the cell is there, and is part of the one before it.
            Some(before) => before.end = end,
            None => {
                slots.push(Slot { column, end, goes_on: goes_on(of(Tag::MergedBelow)), node });
            }
        }
        column = end;
    }
    slots
}

fn span(text: Option<&str>, least: usize) -> usize {
    let span = usize::try_from(number(text, -1)).unwrap_or(least);
    if (least..=MAX_SPAN).contains(&span) { span } else { least }
}

fn goes_on(merge: Option<Node<'_>>) -> bool {
    merge.is_some_and(|merge| merge.attribute("w:val") != Some("restart"))
}

/// Adds the cells of a row and their lines, and gives the numbers of all that are in it by their columns.
///
/// One that goes on over several rows is one cell, whose text stands in the first.
fn add(
    cells: &mut Vec<TableCell>,
    lines: &mut Vec<Line>,
    slots: &[Slot<'_>],
    row: usize,
    texts: Vec<Line>,
    above: &HashMap<usize, usize>,
) -> HashMap<usize, usize> {
    let mut here = HashMap::new();
    for (slot, line) in slots.iter().zip(texts) {
        let begun = above.get(&slot.column).copied().filter(|_| slot.goes_on);
        let number = begun.unwrap_or(cells.len());
        if let Some(cell) = cells.get_mut(number) {
            cell.rows.end = row + 1;
        } else {
            let text = line.text.clone();
            let cols = slot.column..slot.end;
            cells.push(TableCell { rows: row..row + 1, cols, text, ..TableCell::default() });
            lines.push(line);
        }
        here.insert(slot.column, number);
    }
    here
}

/// The number of header rows: those that are repeated, else the first if it looks so.
fn n_header(table: Node<'_>, rows: &[Node<'_>], cells: &[TableCell]) -> usize {
    let is_stated = |row: &&Node<'_>| row.is_on([Tag::RowProperties, Tag::HeaderRow]);
    let n_stated = rows.iter().take_while(is_stated).count();
    if n_stated > 0 || rows.len() == 1 {
        return if n_stated < rows.len() { n_stated } else { 0 };
    }
    if !has_first_row(table.at([Tag::TableProperties, Tag::Look])) {
        return 0;
    }
    let firsts = || cells.iter().filter(|cell| cell.rows.start == 0);
    let last = firsts().map(|cell| cell.rows.end).max().unwrap_or(1);
    let is_grouped = firsts().any(|cell| cell.cols.len() > 1);
    if is_grouped && last <= MAX_HEADER && last < rows.len() { last } else { 1 }
}

/// Whether a table shows its first row as a header, as it does if it does not say so.
fn has_first_row(look: Option<Node<'_>>) -> bool {
    let Some(look) = look else { return true };
    if let Some(stated) = look.attribute("w:firstRow") {
        return matches!(stated, "1" | "true" | "on");
    }
    let bits = look.attribute("w:val").unwrap_or_default().trim();
    i64::from_str_radix(bits, 16).map_or(true, |bits| bits & 0x20 != 0)
}
