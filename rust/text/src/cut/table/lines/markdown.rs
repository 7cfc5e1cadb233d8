//! Markdown tables as lines: GitHub's, with a header row and a row of dashes below it.

use std::borrow::Cow;

use super::{Form, Lines};
use crate::unicode::space::is_space;

/// The lines of a table, if `text` is one and nothing else. O(n).
///
/// ```
/// use chunkwright_text::cut::table::lines::markdown::read;
///
/// let table = read("| stone | kg |\n|---|---|\n| slate | 7 |").unwrap();
/// assert_eq!((table.rows.len(), table.n_header_rows), (2, 1));
/// assert_eq!(table.delimiter, Some("|---|---|"));
/// assert!(read("Slate weighs 7 | 8 kg.").is_none());
/// ```
pub fn read(text: &str) -> Option<Lines<'_>> {
    let text = text.trim_matches(is_space);
    let mut lines = text.lines().map(|line| line.trim_end_matches(is_space));
    let (header, delimiter) = (lines.next()?, lines.next()?);
    let n_columns = cells(header).count();
    let is_table = delimiter.contains('-') && cells(delimiter).all(is_dashes);
    if !is_table || cells(delimiter).count() != n_columns {
        return None;
    }
    let mut rows = vec![Cow::Borrowed(header)];
    for line in lines {
        if line.is_empty() {
            return None;
        }
        rows.push(Cow::Borrowed(line));
    }
    let empty = line(std::iter::repeat_n("", n_columns));
    Some(Lines {
        rows,
        n_header_rows: 1,
        delimiter: Some(delimiter),
        no_header: format!("{empty}\n{delimiter}"),
        form: Form::Markdown,
    })
}

/// Whether a cell is one of those that stand between header and body.
fn is_dashes(cell: &str) -> bool {
    let dashes = cell.strip_prefix(':').unwrap_or(cell);
    let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
    !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
}

/// The cells of a row, as they are written. O(n).
///
/// ```
/// use chunkwright_text::cut::table::lines::markdown::cells;
///
/// let row: Vec<&str> = cells(r"| slate | 7 \| 8 |").collect();
/// assert_eq!(row, ["slate", r"7 \| 8"]); // an escaped bar parts no cells
/// ```
pub fn cells(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_matches(is_space);
    let line = line.strip_prefix('|').unwrap_or(line);
    let end = pipes(line).last().filter(|pipe| pipe + 1 == line.len()).unwrap_or(line.len());
    let line = &line[..end];
    let mut start = 0;
    let ends = pipes(line).chain([line.len()]);
    ends.map(move |end| {
        let cell = &line[start..end];
        start = end + 1;
        cell.trim_matches(is_space)
    })
}

/// The pipes that part cells: those without a backslash before them.
fn pipes(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    memchr::memchr_iter(b'|', bytes).filter(|&at| !ends_escaped(&line[..at]))
}

/// Whether what follows `text` is escaped: an odd number of backslashes ends it.
pub fn ends_escaped(text: &str) -> bool {
    let n_backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
    n_backslashes % 2 == 1
}

/// A row of cells.
pub fn line<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    let mut line = String::from("|");
    for cell in cells {
        line.push(' ');
        line.push_str(cell);
        line.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_pipes_part_nothing() {
        let cells = |line| cells(line).collect::<Vec<_>>();
        assert_eq!(cells("| a \\| b | c |"), ["a \\| b", "c"]);
        assert_eq!(cells("a|b\\\\|"), ["a", "b\\\\"]);
        assert_eq!(cells("| a | |"), ["a", ""]);
        assert_eq!(cells("||"), [""]);
        assert_eq!(line(["a", "", "b"].into_iter()), "| a | | b |");
    }

    #[test]
    fn a_table_has_a_row_of_dashes_as_wide_as_its_header() {
        assert!(read("a | b\n--|:-:\n1 | 2").is_some());
        assert!(read("\n| a |\n|---|\n").is_some());
        for text in ["", "a", "| a |\n| b |", "| a |\n|--|--|", "| a |\n|--|\n\ntext", "a\n=="] {
            assert!(read(text).is_none(), "{text:?}");
        }
    }
}
