//! Simple tables: columns below runs of `=`, rows that begin in the first column, spans above runs of `-`.
//!
//! ```text
//! ======  ===  ===
//! stone    weight      the first run of each line says where a column begins
//! ------  --------     spans of the columns above
//! name    kg   lb
//! ======  ===  ===
//! slate,  7    15      a line without a first cell goes on the row above
//!   grey
//! ======  ===  ===
//! ```

use std::ops::Range;

use chunkwright_text::span::Span;
use chunkwright_text::syntax::grid_table::GridCell;
use chunkwright_text::unicode::space::is_space;

use super::drawn::Drawn;
use super::lines::{Line, column_of, next_column};

/// Whether a line is the top of a simple table.
pub fn is_top(said: &str) -> bool {
    said.starts_with('=')
        && said.contains(' ')
        && said.split(' ').all(|run| run.bytes().all(|byte| byte == b'='))
}

fn is_border(said: &str) -> bool {
    said.starts_with('=') && said.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

fn is_span(said: &str) -> bool {
    said.starts_with('-') && said.bytes().all(|byte| matches!(byte, b'-' | b' '))
}

/// The number of lines of the simple table that the first of `lines` is the top of; none if it has no end. O(n).
pub fn n_lines(text: &str, lines: &[Line]) -> Option<usize> {
    let top = lines.first()?.said(text).len();
    let mut n_found = 0;
    for (i, line) in lines.iter().enumerate().skip(1) {
        if !is_border(line.said(text)) {
            continue;
        }
        if line.end - line.at != top {
            return None;
        }
        n_found += 1;
        if n_found == 2 || lines.get(i + 1).is_none_or(Line::is_blank) {
            return Some(i + 1);
        }
    }
    None
}

/// The cells of the simple table that stands in these lines, from its top to its bottom; none if text stands
/// between its columns. O(n).
pub fn read(text: &str, lines: &[Line]) -> Option<Drawn> {
    let top = Columns::of(text, lines.first()?);
    let mut rows = Rows { text, lines, top, made: Drawn::default() };
    let header = lines.iter().enumerate().skip(1).find(|(_, line)| is_border(line.said(text)));
    let header = header.map(|(i, _)| i).filter(|&i| i + 1 < lines.len());
    let (mut start, mut has_text) = (1, false);
    for (i, line) in lines.iter().enumerate().skip(1) {
        let said = line.said(text);
        let is_rule = is_span(said) || Some(i) == header || i + 1 == lines.len();
        if is_rule {
            rows.push(start..i, Some(line))?;
            (start, has_text) = (i + 1, false);
            if Some(i) == header {
                rows.made.n_header_rows = rows.made.rows.len();
            }
        } else if !rows.cell(line, 0).is_empty() {
            if has_text && i != start {
                rows.push(start..i, None)?;
            }
            (start, has_text) = (i, true);
        } else if !has_text {
            start = i + 1;
        }
    }
    (!rows.made.cells.is_empty()).then_some(rows.made)
}

/// Where the columns of a table begin and end, counted as docutils counts them: a wide character takes two, a tab
/// reaches to the next stop.
struct Columns {
    ends: Vec<(usize, usize)>,
}

impl Columns {
    /// Those that the runs of a line show.
    fn of(text: &str, line: &Line) -> Self {
        let offset = column_of(&text[line.start..line.at]);
        let (mut ends, mut at) = (Vec::new(), 0);
        for run in line.said(text).split(' ') {
            if !run.is_empty() {
                ends.push((offset + at, offset + at + run.len()));
            }
            at += run.len() + 1;
        }
        Self { ends }
    }
}

struct Rows<'a> {
    text: &'a str,
    lines: &'a [Line],
    top: Columns,
    made: Drawn,
}

impl Rows<'_> {
    /// What stands in a column of a line, without blanks; in the last column all that follows.
    fn cell(&self, line: &Line, column: usize) -> Span {
        let (from, upto) = self.top.ends[column];
        let is_last = column + 1 == self.top.ends.len();
        part(self.text, line, from, if is_last { usize::MAX } else { upto })
    }

    /// Adds the row that stands in some lines; `rule` below it may show that cells cover several columns.
    fn push(&mut self, lines: Range<usize>, rule: Option<&Line>) -> Option<()> {
        if lines.is_empty() {
            if let (Some(above), Some(rule)) = (self.made.rows.last_mut(), rule) {
                above.end = rule.end;
            }
            return Some(());
        }
        let ends = match rule.filter(|rule| is_span(rule.said(self.text))) {
            Some(rule) => Columns::of(self.text, rule).ends,
            None => self.top.ends.clone(),
        };
        let row = self.made.rows.len();
        let mut next = 0;
        for (i, &(from, upto)) in ends.iter().enumerate() {
            let is_last = i + 1 == ends.len();
            let first = self.top.ends.iter().position(|(start, _)| *start == from)?;
            let last = if is_last {
                self.top.ends.len() - 1
            } else {
                self.top.ends.iter().position(|(_, end)| *end == upto)?
            };
            if first != next || last < first {
                return None;
            }
            next = last + 1;
            let upto = if is_last { usize::MAX } else { upto };
            let own = self.lines[lines.clone()].iter();
            let said = own.map(|line| part(self.text, line, from, upto)).collect();
            let columns = last + 1 - first;
            self.made.cells.push(GridCell { row, column: first, rows: 1, columns, lines: said });
        }
        self.made.rows.push(self.source(lines, rule));
        Some(())
    }

    /// Where the row stands that has these lines: with the rule below it, and with the top of the table if it is the
    /// first one.
    fn source(&self, lines: Range<usize>, rule: Option<&Line>) -> Span {
        let first = if self.made.rows.is_empty() { 0 } else { lines.start };
        let last = self.lines[lines].iter().rfind(|line| !line.is_blank());
        let start = self.lines[first].at;
        Span::new(start, rule.or(last).map_or(start, |line| line.end))
    }
}

/// What stands between two columns of a line, without blanks around it.
fn part(text: &str, line: &Line, from: usize, upto: usize) -> Span {
    let whole = &text[line.start..line.end];
    let place = |column: usize| {
        if whole.is_ascii() && !whole.contains('\t') {
            return column.min(whole.len());
        }
        let mut behind = 0;
        let begins = |&(_, c): &(usize, char)| {
            let at = behind;
            behind = next_column(at, c);
            at >= column
        };
        whole.char_indices().find(begins).map_or(whole.len(), |(at, _)| at)
    };
    let (from, upto) = (place(from), place(upto));
    let said = &whole[from..upto];
    let start = from + said.len() - said.trim_start_matches(is_space).len();
    let start = start.min(upto);
    let end = start + whole[start..upto].trim_end_matches(is_space).len();
    Span::new(line.start + start, line.start + end)
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    const TABLE: &str = "\
=====  ===  ===
stone   weight
-----  --------
name   kg   lb
=====  ===  ===
slate  7    15
            or more
chalk       3
=====  ===  ===
";

    #[test]
    fn cells_stand_below_runs() {
        let all = lines(TABLE, 0);
        assert!(is_top(all[0].said(TABLE)) && !is_top("====") && !is_top("== -"));
        assert_eq!(n_lines(TABLE, &all), Some(9));
        let found = read(TABLE, &all).unwrap();
        assert_eq!((found.rows.len(), found.n_header_rows), (4, 2));
        let rows: Vec<&str> = found.rows.iter().map(|row| &TABLE[row.range()]).collect();
        assert_eq!(rows[0], "=====  ===  ===\nstone   weight\n-----  --------");
        assert_eq!(rows[1], "name   kg   lb\n=====  ===  ===");
        assert_eq!(rows[3], "chalk       3\n=====  ===  ===");
        let words: Vec<_> = found
            .cells
            .iter()
            .map(|cell| (cell.row, cell.column, cell.columns, cell.words(TABLE)))
            .collect();
        let expected = [
            (0, 0, 1, "stone"),
            (0, 1, 2, "weight"),
            (1, 0, 1, "name"),
            (1, 1, 1, "kg"),
            (1, 2, 1, "lb"),
            (2, 0, 1, "slate"),
            (2, 1, 1, "7"),
            (2, 2, 1, "15 or more"),
            (3, 0, 1, "chalk"),
            (3, 1, 1, ""),
            (3, 2, 1, "3"),
        ];
        assert_eq!(words.len(), expected.len());
        for (found, expected) in words.iter().zip(expected) {
            assert_eq!((found.0, found.1, found.2, &*found.3), expected);
        }
    }

    #[test]
    fn what_has_no_bottom_is_no_table() {
        for text in ["== ==\na b", "== ==\na b\n== ===\n", "== =="] {
            assert_eq!(n_lines(text, &lines(text, 0)), None, "{text}");
        }
    }
}
