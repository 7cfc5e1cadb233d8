//! Reader of CSV and TSV: one table, whose rows are lines of the text.
//!
//! Rows are what Python's module `csv` reads with a delimiter, doubled quotes and no escapes.
//!
//! RFC 4180 leaves open what a quote in the middle of a cell means, and files differ. Python's reader never fails
//! on it, and most CSV was at least once read by it; so cells are what that makes of them, and a delimiter that
//! is not given is the one that splits most rows alike.
//!
//! | in the file | the cell |
//! |---|---|
//! | `"chalk, white"` | `chalk, white` |
//! | `"say ""no"""` | `say "no"` |
//! | `7" nails` | `7" nails`: a quote inside is one |
//! | `sep=;` as first line | none: the delimiter, as spreadsheets state it |
//! | lines of one cell above the table, a blank line behind them or not | none: captions of the table |
//! | a quote that is never closed | all that follows; an error that names the line, if that is too long for a cell |

use super::table::RowTable;
use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::error::{Error, Message, Result};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::Read;
use chunkwright_text::source_map::SourceMap;
use chunkwright_text::span::Span;

/// Characters of a cell at most, unless the caller says otherwise, as `csv.field_size_limit()` does.
pub const MAX_CELL_CHARS: usize = 131_072;
/// What may stand between two cells, the likeliest first.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];
/// So much of a text tells what stands between its cells.
const SAMPLE_CHARS: usize = 1 << 16;
const SAMPLE_ROWS: usize = 64;
/// So many lines stand above a table as its title, at most.
const MAX_TITLES: usize = 8;
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How CSV is read.
#[derive(Clone, Copy, Debug)]
pub struct CsvOptions {
    /// The character between two cells; none: the one by which most rows have the same number of cells.
    pub delimiter: Option<char>,
    /// Whether the first row names the columns.
    pub has_header: bool,
    /// Characters of a cell at most.
    pub max_cell_chars: usize,
}

impl Default for CsvOptions {
    fn default() -> Self {
        Self { delimiter: None, has_header: true, max_cell_chars: MAX_CELL_CHARS }
    }
}

/// Reads `source`, whose characters at the bytes `pairs` count twice; rows without cells are left out. O(n).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_read::csv::{CsvOptions, read};
///
/// let source = "stone;kg\nslate;7\n\"chalk; white\";3\n";
/// let table = read(source, &[], CsvOptions::default(), no_pulse())?;
/// // The semicolon was found out; a tab stands between cells.
/// assert_eq!(table.text.as_deref(), Some("stone\tkg\nslate\t7\nchalk; white\t3"));
/// let grid = table.elements[0].grid.as_ref().unwrap();
/// assert_eq!(grid.shape(), [3, 2]);
/// assert!(grid.rows[0].is_header);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] if a cell is too long, naming its line, and those of `pulse`.
pub fn read(source: &str, pairs: &[usize], options: CsvOptions, pulse: Pulse<'_>) -> Result<Read> {
    let unmarked = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(source);
    let most = options.max_cell_chars;
    let (stated, body) = stated_delimiter(unmarked);
    let delimiter = options.delimiter.or(stated).unwrap_or_else(|| likeliest(body, most));
    let (mut rows, beat) = (Rows::new(body, delimiter, most), Beat::of_bytes(pulse));
    rows.n_lines = usize::from(body.len() < unmarked.len());
    let n_titles = n_titles(body, delimiter, most);
    let (mut table, mut parts) = (RowTable::default(), Vec::new());
    let start = source.len() - body.len();
    let mut table_at = start;
    while let Some(line) = rows.next_row()? {
        beat.after(line.len())?;
        let is_blank = || rows.cells().all(|cell| cell.trim().is_empty());
        if rows.ends.is_empty() || (n_titles > 0 && parts.len() <= n_titles && is_blank()) {
            continue;
        }
        let own = body[line.range()].trim_end_matches(['\r', '\n']).len();
        let place = Span::new(start + line.start, start + line.start + own);
        let said = if parts.len() < n_titles {
            table_at = place.end;
            table.push_title(rows.cells().next().unwrap_or_default())
        } else {
            table.push(rows.cells())
        };
        parts.push((said, place));
    }
    let (text, elements) = table.finish(usize::from(options.has_header));
    let index = CharIndex::new(source, pairs);
    let place = |element: &Element| match element.kind {
        Kind::Table if elements.len() > 1 => {
            [index.byte_to_char(source, table_at), index.n_chars()]
        }
        Kind::Table => [0, index.n_chars()],
        _ => [index.byte_to_char(source, start), index.byte_to_char(source, table_at)],
    };
    let owner = elements.len().saturating_sub(1);
    Ok(Read {
        places: elements.iter().map(place).collect(),
        captions: (0..owner).map(|title| (title, owner)).collect(),
        source: SourceMap::of_parts(source, pairs, parts),
        ..Read::made(text, elements)
    })
}

/// The delimiter that a first line states as spreadsheets write it (`sep=;`), and the text behind it.
fn stated_delimiter(text: &str) -> (Option<char>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    let said = line.get(..4).filter(|said| said.eq_ignore_ascii_case("sep="));
    let mut stated = said.map(|said| line[said.len()..].chars()).into_iter().flatten();
    match (stated.next(), stated.next()) {
        (Some(delimiter), None) => (Some(delimiter), rest),
        _ => (None, text),
    }
}

/// How many rows stand above the table as its title: with nothing behind their first cell, where most rows have more.
fn n_titles(text: &str, delimiter: char, max_cell_chars: usize) -> usize {
    let mut rows = Rows::new(sample(text), delimiter, max_cell_chars);
    let (mut n, mut is_above, mut n_wide, mut n_rows) = (0, true, 0, 0);
    while n_rows < SAMPLE_ROWS
        && let Ok(Some(_)) = rows.next_row()
    {
        let n_said = rows.cells().filter(|cell| !cell.trim().is_empty()).count();
        let is_title = n_said == 1 && !rows.cells().next().unwrap_or_default().trim().is_empty();
        // In a table of two columns a value may be missing; with more, spreadsheets write all delimiters.
        is_above &= n_said == 0 || (is_title && rows.ends.len() != 2);
        n += usize::from(is_above && n_said > 0);
        n_wide += usize::from(n_said > 1 && !is_above);
        n_rows += usize::from(!rows.ends.is_empty());
    }
    if n <= MAX_TITLES && n_wide > 1 && 2 * n_wide >= n_rows - n { n } else { 0 }
}

/// Where in a row the reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    RowStart,
    CellStart,
    Cell,
    Quoted,
    QuoteInQuoted,
}

/// Rows of a text, one after another.
struct Rows<'s> {
    rest: &'s str,
    at: usize,
    n_lines: usize,
    delimiter: char,
    max_cell_chars: usize,
    /// What the cells of the row say, one behind the other.
    said: String,
    /// Where each ends there.
    ends: Vec<usize>,
    n_chars: usize,
}

impl<'s> Rows<'s> {
    fn new(text: &'s str, delimiter: char, max_cell_chars: usize) -> Self {
        let (said, ends) = (String::new(), Vec::new());
        Self { rest: text, at: 0, n_lines: 0, delimiter, max_cell_chars, said, ends, n_chars: 0 }
    }

    /// The cells of the row that was read.
    fn cells(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.said[start..end])
    }

    /// Reads a row, and returns where it stands, line ends included; none behind the last one.
    fn next_row(&mut self) -> Result<Option<Span>> {
        self.said.clear();
        self.ends.clear();
        self.n_chars = 0;
        let (start, mut state) = (self.at, State::RowStart);
        while let Some((line, n_bytes)) = self.next_line() {
            self.n_lines += 1;
            self.at += n_bytes;
            for c in line.chars() {
                state = self.step(state, c)?;
            }
            // In quotes the line end is text.
            if state != State::Quoted {
                if state != State::RowStart {
                    self.end_cell();
                }
                return Ok(Some(Span::new(start, self.at)));
            }
        }
        if state == State::Quoted {
            self.end_cell();
            return Ok(Some(Span::new(start, self.at)));
        }
        Ok(None)
    }

    /// The next line, with its end, and its length in bytes.
    fn next_line(&mut self) -> Option<(&'s str, usize)> {
        let bytes = self.rest.as_bytes();
        let end = match memchr::memchr2(b'\r', b'\n', bytes) {
            None if bytes.is_empty() => return None,
            None => bytes.len(),
            Some(at) if bytes[at..].starts_with(b"\r\n") => at + 2,
            Some(at) => at + 1,
        };
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some((line, end))
    }

    fn step(&mut self, state: State, c: char) -> Result<State> {
        let is_end = matches!(c, '\r' | '\n');
        Ok(match state {
            State::Quoted if c == '"' => State::QuoteInQuoted,
            State::Quoted => self.say(c, State::Quoted)?,
            State::QuoteInQuoted if c == '"' => self.say(c, State::Quoted)?,
            state if is_end => state,
            State::RowStart | State::CellStart if c == '"' => State::Quoted,
            _ if c == self.delimiter => {
                self.end_cell();
                State::CellStart
            }
            _ => self.say(c, State::Cell)?,
        })
    }

    fn say(&mut self, c: char, state: State) -> Result<State> {
        if self.n_chars >= self.max_cell_chars {
            let (line, most) = (self.n_lines, self.max_cell_chars);
            let reason = format!(
                "no CSV at line {line}: field larger than field limit ({most}); csv.field_size_limit sets \
                 another limit, and "
            );
            let advice = [(reason.as_str(), "kind", "text")];
            return Err(Error::read(Message::advising(advice, " reads it as it is")));
        }
        self.n_chars += 1;
        self.said.push(c);
        Ok(state)
    }

    fn end_cell(&mut self) {
        self.ends.push(self.said.len());
        self.n_chars = 0;
    }
}

/// So much of a text as tells what stands between its cells.
fn sample(text: &str) -> &str {
    let end = text.char_indices().nth(SAMPLE_CHARS).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// The delimiter by which most of the first rows have as many cells as one another.
fn likeliest(text: &str, max_cell_chars: usize) -> char {
    let sample = sample(text);
    let mut best = (DELIMITERS[0], (0, 0));
    for delimiter in DELIMITERS {
        let agreeing = agreeing(sample, delimiter, max_cell_chars);
        if agreeing > best.1 {
            best = (delimiter, agreeing);
        }
    }
    best.0
}

/// How many rows have the commonest number of cells, two at least, and that number.
fn agreeing(sample: &str, delimiter: char, max_cell_chars: usize) -> (usize, usize) {
    let (mut rows, mut lengths) = (Rows::new(sample, delimiter, max_cell_chars), Vec::new());
    while lengths.len() < SAMPLE_ROWS {
        match rows.next_row() {
            Err(_) => return (0, 0),
            Ok(None) => break,
            Ok(Some(_)) if rows.ends.is_empty() => {}
            Ok(Some(_)) => lengths.push(rows.ends.len()),
        }
    }
    lengths.sort_unstable();
    let counts = lengths.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0]));
    counts.filter(|(_, length)| *length > 1).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    fn rows(text: &str, delimiter: char) -> Vec<Vec<String>> {
        let (mut rows, mut found) = (Rows::new(text, delimiter, 9), Vec::new());
        while rows.next_row().unwrap().is_some() {
            found.push(rows.cells().map(str::to_owned).collect());
        }
        found
    }

    #[test]
    fn rows_are_those_of_python() {
        for (text, expected) in [
            ("a,b\nc\r\n\rd,", vec![vec!["a", "b"], vec!["c"], vec![], vec!["d", ""]]),
            ("\"a,\"\"b\nc\",d\"e\"\n", vec![vec!["a,\"b\nc", "d\"e\""]]),
            ("\"a\"b\",c\n\"", vec![vec!["ab\"", "c"], vec![""]]),
            ("\"a\n", vec![vec!["a\n"]]),
            ("\"\"\n", vec![vec![""]]),
            ("", vec![]),
        ] {
            assert_eq!(rows(text, ','), expected, "{text:?}");
        }
    }

    #[test]
    fn the_delimiter_is_the_one_that_most_rows_agree_on() {
        for (text, delimiter) in
            [("a;b,c\nd;e\n", ';'), ("a\tb,c\nd\te,f", ','), ("a|b", '|'), ("", ','), ("a b", ',')]
        {
            assert_eq!(likeliest(text, 9), delimiter, "{text:?}");
        }
    }

    #[test]
    fn a_cell_has_a_limit() {
        let options = CsvOptions { max_cell_chars: 3, ..CsvOptions::default() };
        assert!(read("a,bcd\n", &[], options, no_pulse()).is_ok());
        let error = read("a\n\"bc\nd", &[], options, no_pulse()).unwrap_err().to_string();
        assert!(
            error.starts_with("no CSV at line 3: field larger than field limit (3)"),
            "{error}"
        );
    }
}
