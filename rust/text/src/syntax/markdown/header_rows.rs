//! Header rows above the one that Markdown allows: lines of cells right above a table, as many as its columns.
//!
//! The syntax has one header row. Tools that read PDF write more, and the parser takes those above the last one for a
//! paragraph. They are rows of the table, which its parts repeat.

use super::table::{GridBuilder, cells};
use crate::elements::{Element, Kind, Parent};
use crate::read::Read;
use crate::span::Span;
use crate::unicode::space::trim_end;

/// Marks that may stand before a row in its line.
const LEAD: [char; 3] = [' ', '\t', '>'];

/// Moves such lines from the elements before tables into these. O(n).
pub fn join(text: &str, read: &mut Read) {
    let mut emptied = Vec::new();
    for i in 1..read.elements.len() {
        let (before, own) = read.elements.split_at_mut(i);
        let (Some(above), Some(table)) = (before.last_mut(), own.first_mut()) else { continue };
        let Some(start) = rows_above(text, above, table) else { continue };
        let grid = table.grid.take().unwrap_or_default();
        table.grid =
            Some(Box::new(GridBuilder::below(text, Span::new(start, above.span.end), *grid)));
        table.span.start = start;
        above.span.end = trim_end(text, above.span.start, start);
        if text[above.span.range()].trim_matches(LEAD).is_empty() {
            emptied.push(i - 1);
        }
    }
    remove(read, &emptied);
}

/// Where the lines at the end of `above` begin that are rows of `table`.
fn rows_above(text: &str, above: &Element, table: &Element) -> Option<usize> {
    let is_text = matches!(above.kind, Kind::Paragraph | Kind::Quote | Kind::ListItem);
    let grid = table.grid.as_ref().filter(|_| is_text && table.kind == Kind::Table)?;
    let n_columns = grid.rows.first()?.cells.len();
    let is_near = text[above.span.end..table.span.start].trim_matches(LEAD) == "\n";
    if !is_near || n_columns < 2 || grid.rows[0].source.is_empty() {
        return None;
    }
    let mut found = None;
    let mut end = above.span.end;
    while end > above.span.start {
        let feed = text[above.span.start..end].rfind('\n');
        let line = feed.map_or(above.span.start, |feed| above.span.start + feed + 1);
        let bare = text[line..end].trim_start_matches(LEAD);
        let start = end - bare.len();
        if !bare.starts_with('|') || cells(text, Span::new(start, end)).len() != n_columns {
            break;
        }
        found = Some(line);
        end = feed.map_or(line, |feed| above.span.start + feed);
    }
    found
}

/// Takes elements out, and gives the others their new numbers. O(n).
fn remove(read: &mut Read, numbers: &[usize]) {
    if numbers.is_empty() {
        return;
    }
    let new = |old: usize| old - numbers.partition_point(|&number| number < old);
    let mut number = 0;
    read.elements.retain(|_| {
        number += 1;
        numbers.binary_search(&(number - 1)).is_err()
    });
    for element in &mut read.elements {
        if let Some(parent) = element.parent.get() {
            element.parent = Parent::of(new(parent));
        }
    }
    read.titles.iter_mut().for_each(|(of, _)| *of = new(*of));
    read.languages.iter_mut().for_each(|(of, _)| *of = new(*of));
}
