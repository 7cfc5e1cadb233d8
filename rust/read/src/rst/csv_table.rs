//! Tables of comma-separated values: cells between commas, in quotes where they hold some.

use chunkwright_text::span::Span;
use chunkwright_text::syntax::grid_table::GridCell;
use chunkwright_text::unicode::space::is_space;

use super::directive::Directive;
use super::drawn::Drawn;
use super::lines::Line;

/// The table of a directive `csv-table`; none if it has no content. O(n).
pub fn read(text: &str, lines: &[Line], of: &Directive<'_>) -> Option<Drawn> {
    let option = |name| of.option(text, lines, name).map(|(value, _)| &text[value.range()]);
    let delimiter = match option("delim") {
        None => b',',
        Some("tab") => b'\t',
        Some("space") => b' ',
        Some(sign) => *sign.as_bytes().first()?,
    };
    let n_stated: usize = option("header-rows").and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut drawn = Drawn::default();
    let mut values = Values { text, delimiter, drawn: &mut drawn };
    if let Some((value, first)) = of.option(text, lines, "header") {
        let rest = lines[first + 1..of.options.1].iter();
        let n_lines = rest.take_while(|line| !line.said(text).starts_with(':')).count();
        let end = lines[first + n_lines].end;
        values.rows(Span::new(value.start, end));
    }
    let n_header_rows = values.drawn.n_rows;
    let (first, end) = of.content;
    if first < end {
        values.rows(Span::new(lines[first].at, lines[end - 1].end));
    }
    drawn.n_header_rows = (n_header_rows + n_stated).min(drawn.n_rows);
    (first < end && drawn.n_rows > 0).then_some(drawn)
}

struct Values<'a> {
    text: &'a str,
    delimiter: u8,
    drawn: &'a mut Drawn,
}

impl Values<'_> {
    /// Adds the rows that stand at `span`.
    fn rows(&mut self, span: Span) {
        let mut at = span.start;
        while at < span.end {
            let row_is_blank = self.text[at..span.end].trim_start_matches([' ', '\t', '\r']);
            if let Some(rest) = row_is_blank.strip_prefix('\n') {
                at = span.end - rest.len();
                continue;
            }
            at = self.row(at, span.end);
        }
    }

    /// Adds the row that begins at `at`; returns where the next one does.
    fn row(&mut self, at: usize, end: usize) -> usize {
        let (row, mut column, mut at) = (self.drawn.n_rows, 0, at);
        loop {
            let (said, next) = self.value(at, end);
            let lines = vec![said];
            self.drawn.cells.push(GridCell { row, column, rows: 1, columns: 1, lines });
            column += 1;
            at = next + 1;
            if next >= end || self.text.as_bytes()[next] != self.delimiter {
                self.drawn.n_rows += 1;
                return at.min(end);
            }
        }
    }

    /// The value that begins at `at`, and where it ends: at a delimiter, the end of a line, or of all.
    fn value(&self, at: usize, end: usize) -> (Span, usize) {
        let bytes = &self.text.as_bytes()[..end];
        let blanks = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let blanks = if self.delimiter == b'\t' || self.delimiter == b' ' { 0 } else { blanks };
        let start = at + blanks;
        let is_end = |byte: &u8| *byte == self.delimiter || *byte == b'\n';
        let stop = |from: usize| bytes[from..].iter().position(is_end).map_or(end, |n| from + n);
        if bytes.get(start) == Some(&b'"') {
            let mut quote = start + 1;
            while let Some(found) = memchr::memchr(b'"', &bytes[quote.min(end)..]) {
                quote += found;
                if bytes.get(quote + 1) != Some(&b'"') {
                    return (self.trimmed(start + 1, quote), stop(quote + 1));
                }
                quote += 2;
            }
        }
        let next = stop(start);
        (self.trimmed(start, next), next)
    }

    fn trimmed(&self, start: usize, end: usize) -> Span {
        let said = &self.text[start..end];
        let front = said.len() - said.trim_start_matches(is_space).len();
        let start = start + front;
        Span::new(start, start + self.text[start..end].trim_end_matches(is_space).len())
    }
}
