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
    let dialect = Dialect::of(option);
    let n_stated: usize = option("header-rows").and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut values = Values { text, dialect, drawn: Drawn::default() };
    if let Some((value, first)) = of.option(text, lines, "header") {
        let rest = lines[first + 1..of.options.1].iter();
        let n_lines = rest.take_while(|line| !line.said(text).starts_with(':')).count();
        values.header(lines[first].at, Span::new(value.start, lines[first + n_lines].end));
    }
    let n_header_rows = values.drawn.rows.len();
    let (first, end) = of.content;
    if first < end {
        values.rows(Span::new(lines[first].at, lines[end - 1].end));
    }
    let mut drawn = values.drawn;
    drawn.n_header_rows = (n_header_rows + n_stated).min(drawn.rows.len());
    (first < end && !drawn.rows.is_empty()).then_some(drawn)
}

/// The signs that part values.
#[derive(Clone, Copy)]
struct Dialect {
    delimiter: char,
    quote: char,
    /// The sign before one that means itself; without it, a quote in quotes is written twice.
    escape: Option<char>,
}

impl Dialect {
    /// That which the options of a directive state.
    fn of<'t>(option: impl Fn(&'static str) -> Option<&'t str>) -> Self {
        Self {
            delimiter: option("delim").and_then(sign).unwrap_or(','),
            quote: option("quote").and_then(sign).unwrap_or('"'),
            escape: option("escape").and_then(sign),
        }
    }
}

/// The sign that the value of an option states: itself, a name, or its number as docutils reads it.
fn sign(value: &str) -> Option<char> {
    match value {
        "tab" => return Some('\t'),
        "space" => return Some(' '),
        _ => {}
    }
    let mut signs = value.chars();
    if let (Some(sign), None) = (signs.next(), signs.next()) {
        return Some(sign);
    }
    let marks = ["U+", "u+", "0x", "\\x", "\\u", "x", "&#x"];
    let number = marks.iter().find_map(|mark| value.strip_prefix(mark))?;
    char::from_u32(u32::from_str_radix(number.trim_end_matches(';'), 16).ok()?)
}

struct Values<'t> {
    text: &'t str,
    dialect: Dialect,
    drawn: Drawn,
}

impl Values<'_> {
    /// Adds the rows of the option `header`, which begins at `start`.
    fn header(&mut self, start: usize, span: Span) {
        let own = self.dialect;
        // Older versions of docutils know commas alone there.
        if !self.text[span.range()].contains(own.delimiter) {
            self.dialect.delimiter = ',';
        }
        self.rows(span);
        self.dialect = own;
        if let Some(first) = self.drawn.rows.first_mut() {
            first.start = start;
        }
    }

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
        let (row, start, mut column, mut at) = (self.drawn.rows.len(), at, 0, at);
        loop {
            let (said, next) = self.value(at, end);
            let lines = vec![said];
            self.drawn.cells.push(GridCell { row, column, rows: 1, columns: 1, lines });
            column += 1;
            let mark = self.text[next..end].chars().next();
            at = next + mark.map_or(1, char::len_utf8);
            if mark != Some(self.dialect.delimiter) {
                let source = self.trimmed(start, next);
                self.drawn.rows.push(source);
                return at.min(end);
            }
        }
    }

    /// The value that begins at `at`, and where it ends: at a delimiter, the end of a line, or of all.
    fn value(&self, at: usize, end: usize) -> (Span, usize) {
        let Dialect { delimiter, quote, .. } = self.dialect;
        let blanks = [' ', '\t'].map(|blank| if blank == delimiter { '\u{0}' } else { blank });
        let own = &self.text[at..end];
        let start = end - own.trim_start_matches(blanks).len();
        if let Some(quoted) = self.text[start..end].strip_prefix(quote) {
            let first = end - quoted.len();
            if let Some(last) = self.closing_quote(first, end) {
                let (_, next) = self.bare(last + quote.len_utf8(), end);
                return (self.trimmed(first, last), next);
            }
        }
        self.bare(start, end)
    }

    /// The value from `start` on that stands in no quotes, and where it ends.
    fn bare(&self, start: usize, end: usize) -> (Span, usize) {
        let is_end = |sign: char| sign == self.dialect.delimiter || sign == '\n';
        let mut signs = self.text[start..end].char_indices();
        let next = loop {
            match signs.next() {
                Some((_, sign)) if self.dialect.escape == Some(sign) => {
                    signs.next();
                }
                Some((at, sign)) if is_end(sign) => break start + at,
                Some(_) => {}
                None => break end,
            }
        };
        (self.trimmed(start, next), next)
    }

    /// Where the quote stands that ends what begins at `start`; none if it is left open.
    fn closing_quote(&self, start: usize, end: usize) -> Option<usize> {
        let Dialect { quote, escape, .. } = self.dialect;
        let mut signs = self.text[start..end].char_indices().peekable();
        while let Some((at, sign)) = signs.next() {
            if escape == Some(sign) {
                signs.next();
            } else if sign == quote {
                let is_twice = escape.is_none() && signs.next_if(|next| next.1 == quote).is_some();
                if !is_twice {
                    return Some(start + at);
                }
            }
        }
        None
    }

    fn trimmed(&self, start: usize, end: usize) -> Span {
        let said = &self.text[start..end];
        let front = said.len() - said.trim_start_matches(is_space).len();
        let start = start + front;
        Span::new(start, start + self.text[start..end].trim_end_matches(is_space).len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    fn cells(options: &str, content: &str) -> Vec<Vec<String>> {
        let text = format!(".. csv-table::\n{options}\n{content}");
        let lines = lines(&text, 0);
        let of = Directive::of(&text, &lines, 0, lines.len(), 3).unwrap();
        let drawn = read(&text, &lines, &of).unwrap();
        let rows = drawn.cells.chunk_by(|a, b| a.row == b.row);
        rows.map(|row| row.iter().map(|cell| cell.words(&text)).collect()).collect()
    }

    #[test]
    fn signs_are_those_that_options_state() {
        assert_eq!(cells("", "   a, \"b, \"\"c\"\"\"\n"), [["a", "b, \"\"c\"\""]]);
        assert_eq!(cells("   :delim: ;\n", "   a,b; c\n"), [["a,b", "c"]]);
        assert_eq!(cells("   :delim: §\n", "   a § c\n"), [["a", "c"]]);
        assert_eq!(cells("   :delim: U+003B\n", "   a,b; c\n"), [["a,b", "c"]]);
        assert_eq!(cells("   :delim: tab\n", "   a b\tc\n"), [["a b", "c"]]);
        assert_eq!(cells("   :delim: space\n", "   'a b' c\n").len(), 1);
        assert_eq!(cells("   :quote: '\n", "   'a, b', \"c\n"), [["a, b", "\"c"]]);
        assert_eq!(
            cells("   :escape: \\\n", "   a\\, b, \"c \\\" d\"\n"),
            [["a\\, b", "c \\\" d"]]
        );
        let header = "   :header: a, b\n   :delim: ;\n";
        assert_eq!(cells(header, "   1; 2\n"), [["a", "b"], ["1", "2"]]);
    }

    #[test]
    fn numbers_of_signs_are_read_as_docutils_reads_them() {
        for value in [";", "U+3b", "0x3B", "\\x3b", "x3B", "&#x3b;"] {
            assert_eq!(sign(value), Some(';'), "{value}");
        }
        assert_eq!([sign(""), sign("ab"), sign("U+"), sign("0xffffffff")], [None; 4]);
    }
}
