//! Lines of a table that was rendered: its header and its rows.

use chunkwright_text::unicode::space::is_space;

/// The lines of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableLines<'t> {
    /// The header and the ruler below it, with their line ends; none if the table has none.
    pub header: Vec<&'t str>,
    /// The rows; with their line ends where there is a header or could be one.
    pub rows: Vec<&'t str>,
}

impl<'t> TableLines<'t> {
    /// Lines that are not blank; none is a header.
    pub(super) fn plain(text: &'t str) -> Self {
        let says_something = |line: &&str| !line.trim_matches(is_space).is_empty();
        Self { header: Vec::new(), rows: text.split('\n').filter(says_something).collect() }
    }

    /// The first ruler, the line above it and those below; without one, all lines.
    pub(super) fn markdown(text: &'t str) -> Self {
        let lines: Vec<&str> = lines_with_ends(text).collect();
        match lines.iter().position(|line| is_ruler(line.trim_end_matches('\n'))) {
            None | Some(0) => Self { header: Vec::new(), rows: lines },
            Some(ruler) => Self {
                header: lines[ruler - 1..=ruler].to_vec(),
                rows: lines[ruler + 1..].to_vec(),
            },
        }
    }
}

/// Whether a line has nothing but bars, and dashes between them, that may begin and end with a colon.
fn is_ruler(line: &str) -> bool {
    let Some(mut rest) = line.strip_prefix('|') else { return false };
    let mut n_cells = 0;
    loop {
        let cell = rest.trim_start_matches(is_space);
        if cell.is_empty() {
            return n_cells > 0;
        }
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let behind = dashes.trim_start_matches('-');
        if behind.len() == dashes.len() {
            return false;
        }
        let behind = behind.strip_prefix(':').unwrap_or(behind).trim_start_matches(is_space);
        let Some(behind) = behind.strip_prefix('|') else { return false };
        (rest, n_cells) = (behind, n_cells + 1);
    }
}

/// The lines of a text without their ends, as Python's `str.splitlines` has them.
pub fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    lines_with_ends(text).map(|line| match line.strip_suffix("\r\n") {
        Some(line) => line,
        None => line.strip_suffix(is_line_end).unwrap_or(line),
    })
}

/// The lines of a text with their ends, as Python's `str.splitlines(True)` has them.
pub fn lines_with_ends(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(is_line_end) {
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + rest[at..].chars().next().map_or(0, char::len_utf8),
            None => rest.len(),
        };
        let (line, behind) = rest.split_at(end);
        rest = behind;
        Some(line).filter(|line| !line.is_empty())
    })
}

const fn is_line_end(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_stands_above_the_first_ruler() {
        let lines = TableLines::markdown("about\n\n| a |\n| :-: |\n| 1 |\u{2028}| 2 |\n");
        assert_eq!(lines.header, ["| a |\n", "| :-: |\n"]);
        assert_eq!(lines.rows, ["| 1 |\u{2028}", "| 2 |\n"]);
        assert!(TableLines::markdown("|-|\n| a |").header.is_empty());
        assert!(TableLines::markdown("| a |\n|-|-").header.is_empty());
        assert_eq!(TableLines::plain("a\n \nb").rows, ["a", "b"]);
    }

    #[test]
    fn lines_end_where_python_ends_them() {
        let lines: Vec<&str> = split_lines("a\r\nb\r\rc\u{b}d\u{85}").collect();
        assert_eq!(lines, ["a", "b", "", "c", "d"]);
    }
}
