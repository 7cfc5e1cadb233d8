//! Tables whose rows begin with no bar, below other lines of a paragraph.
//!
//! GitHub ends the paragraph above such a table; the parser does so for rows with a bar in front only. Lines right above
//! the header with as many cells are header rows as well, as they are of other tables.

use super::table::{GridBuilder, cells};
use crate::elements::{Element, Kind, Parent};
use crate::grid::Grid;
use crate::read::Read;
use crate::span::Span;
use crate::unicode::space::trim_end;

/// Marks that may stand before a row in its line.
const LEAD: [char; 3] = [' ', '\t', '>'];

/// Makes tables of those paragraphs that hold one, behind a paragraph of the lines above it. O(n).
pub fn split(text: &str, read: &mut Read) {
    let is_text = |element: &Element| matches!(element.kind, Kind::Paragraph | Kind::Quote);
    let find = |(i, element): (usize, &Element)| {
        let (start, grid) = find(text, element.span).filter(|_| is_text(element))?;
        Some((i, start, grid))
    };
    let found: Vec<_> = read.elements.iter().enumerate().filter_map(find).collect();
    let mut below = Vec::new();
    for (i, start, grid) in found {
        let element = &mut read.elements[i];
        let end = trim_end(text, element.span.start, start);
        let is_whole = text[element.span.start..end].trim_matches(LEAD).is_empty();
        let span = Span::new(if is_whole { element.span.start } else { start }, element.span.end);
        let grid = Some(Box::new(grid));
        let table = Element { kind: Kind::Table, level: 0, span, grid, ..element.clone() };
        if is_whole {
            *element = table;
        } else {
            element.span.end = end;
            below.push((i, table));
        }
    }
    insert(read, below);
}

/// Where the table that the paragraph at `within` holds begins, and its rows.
fn find(text: &str, within: Span) -> Option<(usize, Grid)> {
    let said = &text[within.range()];
    if !(said.contains('|') && said.contains('-')) {
        return None;
    }
    let mut at = within.start;
    let lines: Vec<Span> = said
        .split_inclusive('\n')
        .map(|line| {
            let bare = line.trim_start_matches(LEAD);
            let end = at + line.len();
            at = end;
            Span::new(end - bare.len(), trim_end(text, end - bare.len(), end))
        })
        .collect();
    // One whose header is the first line is known to the parser.
    let is_delimiter = |&i: &usize| {
        let n_columns = delimiters(text, lines[i]);
        n_columns.is_some_and(|n| n > 1 && cells(text, lines[i - 1]).len() == n)
    };
    let delimiter = (2..lines.len()).find(is_delimiter)?;
    let n_columns = cells(text, lines[delimiter]).len();
    let is_header = |line: &&Span| cells(text, **line).len() == n_columns;
    let n_headers = lines[..delimiter].iter().rev().take_while(is_header).count();
    let mut builder = GridBuilder::new(text);
    for (i, &line) in lines.iter().enumerate().skip(delimiter - n_headers) {
        if i != delimiter {
            builder.row(line, i < delimiter);
            for cell in cells(text, line) {
                builder.cell(cell.range());
            }
        }
    }
    Some((lines[delimiter - n_headers].start, builder.finish()))
}

/// The number of cells of a line between the header and the body of a table; none if it is another one.
fn delimiters(text: &str, line: Span) -> Option<usize> {
    let said = &text[line.range()];
    if said.is_empty() || !said.bytes().all(|byte| b"|-: \t".contains(&byte)) {
        return None;
    }
    let cells = cells(text, line);
    let is_rule = |cell: &Span| {
        let said = &text[cell.range()];
        let bare = said.strip_prefix(':').unwrap_or(said);
        let bare = bare.strip_suffix(':').unwrap_or(bare);
        !bare.is_empty() && bare.bytes().all(|byte| byte == b'-')
    };
    cells.iter().all(is_rule).then_some(cells.len())
}

/// Adds elements behind those of these numbers, and gives the others their new ones. O(n).
fn insert(read: &mut Read, below: Vec<(usize, Element)>) {
    if below.is_empty() {
        return;
    }
    let numbers: Vec<usize> = below.iter().map(|(number, _)| *number).collect();
    let new = |old: usize| old + numbers.partition_point(|&number| number < old);
    let mut below = below.into_iter().peekable();
    let old = std::mem::take(&mut read.elements);
    read.elements.reserve(old.len() + numbers.len());
    for (number, element) in old.into_iter().enumerate() {
        read.elements.push(element);
        read.elements.extend(below.next_if(|(of, _)| *of == number).map(|(_, table)| table));
    }
    for element in &mut read.elements {
        if let Some(parent) = element.parent.get() {
            element.parent = Parent::of(new(parent));
        }
    }
    read.titles.iter_mut().for_each(|(of, _)| *of = new(*of));
    read.languages.iter_mut().for_each(|(of, _)| *of = new(*of));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown;

    fn said(text: &str) -> Vec<(Kind, usize, &str)> {
        let elements = markdown::read(text).elements;
        let of = |of: &Element| {
            let n_headers = of.grid.as_ref().map_or(0, |grid| grid.n_header_rows());
            (of.kind, n_headers, &text[of.span.range()])
        };
        elements.iter().map(of).collect()
    }

    #[test]
    fn rows_need_no_bars_at_their_edges() {
        let table = "A | B\na | b\n--- | ---\n1 | 2\n3 | 4";
        assert_eq!(said(table), [(Kind::Table, 2, table)]);
        let text = format!("# H\n\nText above:\n{table}\n\n- b\n\n  ```c\n  d\n  ```\n");
        let found = said(&text);
        assert_eq!(found[1..3], [(Kind::Paragraph, 0, "Text above:"), (Kind::Table, 2, table)]);
        let read = markdown::read(&text);
        assert_eq!(read.elements[4].parent.get(), Some(3));
        assert_eq!(read.languages, [(4, "c".into())]);
        assert_eq!(read.elements[2].grid.as_ref().unwrap().rows.len(), 4);
        assert_eq!(said("> A | B\n> a | b\n> -|-\n> 1 | 2\n")[0].0, Kind::Table);
    }

    #[test]
    fn other_lines_are_text() {
        for text in [
            "A | B\na | b | c\n--- | ---\n1 | 2",
            "A\nB\n---|\n1",
            "A | B\na | b\n--- x ---\n",
            "A | B\na | b\n- | x\n",
        ] {
            assert!(said(text).iter().all(|(kind, ..)| *kind != Kind::Table), "{text}");
        }
    }
}
