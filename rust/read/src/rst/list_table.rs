//! Tables of lists: an item for each row, and in it an item for each cell.

use chunkwright_text::span::Span;
use chunkwright_text::syntax::grid_table::GridCell;

use super::directive::Directive;
use super::drawn::Drawn;
use super::lines::{Line, column_of, skip_blank, within};
use super::markers::bullet;

/// The table of a directive `list-table`; none if its content is no list of lists. O(n).
pub fn read(text: &str, lines: &[Line], of: &Directive<'_>) -> Option<Drawn> {
    let header = of.option(text, lines, "header-rows");
    let n_header_rows = header.and_then(|(value, _)| text[value.range()].parse().ok()).unwrap_or(0);
    let mut drawn = Drawn { n_header_rows, ..Drawn::default() };
    let (mut i, end) = of.content;
    while i < end {
        let (at, column, last) = item(text, lines, i, end, lines[i].at, lines[i].column)?;
        row(text, lines, (i, last), (at, column), &mut drawn)?;
        drawn.rows.push(Span::new(lines[i].at, lines[last - 1].end));
        i = skip_blank(lines, last, end);
    }
    drawn.n_header_rows = drawn.n_header_rows.min(drawn.rows.len());
    (!drawn.rows.is_empty()).then_some(drawn)
}

/// Adds the row that an item holds whose text begins at a byte and a column.
fn row(
    text: &str,
    lines: &[Line],
    (first, end): (usize, usize),
    (at, column): (usize, usize),
    drawn: &mut Drawn,
) -> Option<()> {
    let (mut i, mut at, mut column_of_cell) = (first, at, 0);
    while i < end {
        let (start, _, last) = item(text, lines, i, end, at, column)?;
        let first_end = lines[i].end;
        let mut own = vec![Span::new(start.min(first_end), first_end)];
        own.extend(lines[i + 1..last].iter().map(|line| Span::new(line.at, line.end)));
        let cell = GridCell {
            row: drawn.rows.len(),
            column: column_of_cell,
            rows: 1,
            columns: 1,
            lines: own,
        };
        drawn.cells.push(cell);
        column_of_cell += 1;
        i = skip_blank(lines, last, end);
        at = lines.get(i).map_or(at, |line| line.at);
    }
    Some(())
}

/// Where the text of the item begins that stands at `at` in line `i`, its column, and the line behind the item.
fn item(
    text: &str,
    lines: &[Line],
    i: usize,
    end: usize,
    at: usize,
    column: usize,
) -> Option<(usize, usize, usize)> {
    let said = &text[at..lines[i].end];
    let mark = bullet(said)?;
    let inner = column + column_of(&said[..mark]);
    let is_empty = mark == said.len();
    let last = within(lines, i + 1, end, if is_empty { column + 1 } else { inner });
    Some((at + mark, inner, last.max(i + 1)))
}
