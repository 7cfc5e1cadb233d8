//! Tables split as a whole: what is said, and how much; the peer's own answers are in `tests/parity`.

use std::cell::Cell;

use proptest::prelude::*;

use super::split_table::{Part, Split, Splitting, split};
use crate::testing::TokenRuler;
use chunkwright_read::html::{ParsedTable, parse};
use chunkwright_text::error::Result;
use chunkwright_text::grid::Grid;
use chunkwright_text::measure::Measure;
use chunkwright_text::measure::ruler::CharRuler;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::pulse::no_pulse;

fn grid(html: &str) -> Grid {
    match parse(html) {
        ParsedTable::Grid(grid) => *grid,
        other => panic!("{html}: {other:?}"),
    }
}

fn splitting(hard_max: usize) -> Splitting {
    Splitting { hard_max, overlap: 0, repeat_headers: true }
}

/// The parts and the number of header rows; none of a table that is whole.
fn parts(html: &str, splitting: Splitting, ruler: &dyn Ruler) -> (Vec<Part>, usize) {
    let grid = grid(html);
    match split(&grid.texts, "", Some(&grid), &splitting, ruler, no_pulse()).unwrap() {
        Split::Nothing | Split::Whole { .. } => (Vec::new(), 0),
        Split::Parts { parts, n_header_rows } => (parts, n_header_rows),
    }
}

fn texts(html: &str, hard_max: usize) -> Vec<String> {
    let (parts, _) = parts(html, splitting(hard_max), &CharRuler);
    parts.into_iter().map(|part| part.text).collect()
}

fn words(n: usize) -> String {
    vec!["word"; n].join(" ")
}

#[test]
fn a_table_that_fits_is_whole() {
    let grid = grid("<table><thead><tr><th>a</th></tr></thead></table>");
    let split = |hard_max, prefix| {
        split("a ", prefix, Some(&grid), &splitting(hard_max), &CharRuler, no_pulse()).unwrap()
    };
    let html = Some("<table><tr><td>a</td></tr></table>".to_owned());
    assert_eq!(split(34, ""), Split::Whole { text: "a".into(), html: html.clone() });
    assert_eq!(split(34, "p"), Split::Whole { text: "p\na".into(), html });
    let text = Part { text: "a".into(), html: None };
    assert_eq!(split(33, ""), Split::Parts { parts: vec![text], n_header_rows: 0 });
}

#[test]
fn rows_stay_whole_and_the_header_is_repeated() {
    let row = format!("<tr><td>{}</td><td>x</td></tr>", words(5));
    let html = format!("<table><tr><th id=\"h\">Head</th><td/></tr>{}</table>", row.repeat(4));
    let (parts, n_header_rows) = parts(&html, splitting(60), &CharRuler);
    let said = format!("{} x", words(5));
    assert_eq!(n_header_rows, 1);
    let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
    assert_eq!(texts, vec![format!("Head {said} {said}"); 2]);
    let header = "<table><thead><tr><th id=\"h\">Head</th><th/></tr></thead>";
    assert!(parts[1].html.as_deref().unwrap().starts_with(header));
}

#[test]
fn a_merged_cell_keeps_its_rows_together() {
    let row = format!("<tr><td>{}</td></tr>", words(5));
    let merged = format!("<tr><td rowspan=\"2\">m</td><td>{}</td></tr>", words(4));
    let html = format!("<table>{row}{merged}{row}{row}</table>");
    let (one, two) = (words(5), format!("m {} {}", words(4), words(5)));
    assert_eq!(texts(&html, 50), [&*one, &*two, &*one]);
}

#[test]
fn what_reaches_over_a_cut_is_repeated() {
    let row = format!("<tr><td>{}</td></tr>", words(8));
    let html = format!("<table><tr><td rowspan=\"9\">m</td></tr>{}</table>", row.repeat(3));
    let (parts, _) = parts(&html, splitting(50), &CharRuler);
    let said = format!("m {}", words(8));
    let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
    assert_eq!(texts, [&*said, &*said, &*said]);
    let html = format!("<table><tr><td>m</td><td>{}</td></tr></table>", words(8));
    assert_eq!(parts[1].html.as_deref(), Some(&*html));
}

#[test]
fn a_long_cell_is_split_so_that_its_html_fits() {
    let html = format!("<table><tr><td colspan=\"2\">{}</td></tr></table>", "'\u{e9} ".repeat(50));
    let (parts, _) = parts(&html, splitting(80), &CharRuler);
    for part in &parts {
        let html = part.html.as_deref().unwrap();
        assert!(html.chars().count() <= 80 && html.contains("<td colspan=\"2\">&#x27;"), "{html}");
    }
    assert_eq!(parts.iter().map(|part| part.text.matches('\'').count()).sum::<usize>(), 50);
}

/// Tables with merged cells of all kinds.
fn tables() -> impl Strategy<Value = String> {
    let rowspan = prop_oneof![
        4 => Just(String::new()),
        2 => (2..6_usize).prop_map(|rows| format!(" rowspan=\"{rows}\"")),
        1 => Just(" rowspan=\"0\"".to_owned()),
    ];
    let colspan = prop_oneof![
        4 => Just(String::new()),
        1 => (2..5_usize).prop_map(|columns| format!(" colspan=\"{columns}\"")),
    ];
    let text = prop_oneof![
        3 => "[a-z\u{e9}' ]{0,12}",
        1 => "[a-z\u{e9} ]{40,200}",
        1 => Just(String::new()),
    ];
    let cell = (rowspan, colspan, text)
        .prop_map(|(rowspan, colspan, text)| format!("<td{rowspan}{colspan}>{text}</td>"));
    let row =
        prop::collection::vec(cell, 0..5).prop_map(|cells| format!("<tr>{}</tr>", cells.concat()));
    let rows = prop::collection::vec(row, 1..20);
    (rows, any::<bool>()).prop_map(|(rows, has_header)| {
        let header = if has_header { "<tr><th>Head</th></tr>" } else { "" };
        format!("<table>{header}{}</table>", rows.concat())
    })
}

/// Number of each letter.
fn letters(texts: &[&str]) -> [usize; 256] {
    let mut letters = [0; 256];
    for byte in texts.iter().flat_map(|text| text.bytes()).filter(|byte| *byte != b' ') {
        letters[usize::from(byte)] += 1;
    }
    letters
}

/// Parts are tables of what they say, and all cells are in them.
fn holds(
    html: &str,
    splitting: Splitting,
    ruler: &dyn Ruler,
) -> std::result::Result<(), TestCaseError> {
    let (parts, n_header_rows) = parts(html, splitting, ruler);
    for part in &parts {
        let read = grid(part.html.as_deref().unwrap());
        // A character that is too large to be escaped leaves blanks at the end of a text.
        prop_assert_eq!(read.texts.replace(' ', ""), part.text.replace(' ', ""));
        let rows = read.rows.len();
        for (i, row) in read.rows.iter().enumerate() {
            for cell in &read.cells[row.cells.range()] {
                prop_assert!(cell.rowspan.is_some_and(|rowspan| rowspan <= rows - i), "{:?}", part);
            }
        }
    }
    let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
    let (said, cells) = (letters(&texts), letters(&[&grid(html).texts]));
    prop_assert!(parts.is_empty() || said.iter().zip(cells).all(|(&said, cell)| said >= cell));
    prop_assert!(n_header_rows <= 1);
    Ok(())
}

thread_local! {
    static TOKENS: TokenRuler = TokenRuler::new("cl100k_base");
}

proptest! {
    #[test]
    fn parts_are_tables_with_all_cells(html in tables(), hard_max in 50..200_usize) {
        prop_assume!(!grid(&html).texts.is_empty());
        holds(&html, splitting(hard_max), &CharRuler)?;
    }

    #[test]
    fn parts_in_tokens_are_tables_with_all_cells(html in tables(), hard_max in 15..60_usize) {
        prop_assume!(!grid(&html).texts.is_empty());
        TOKENS.with(|tokens| holds(&html, splitting(hard_max), tokens))?;
    }
}

/// Counts the bytes that are measured.
struct Counting<'a> {
    ruler: &'a dyn Ruler,
    n_bytes: Cell<usize>,
}

impl Ruler for Counting<'_> {
    fn size(&self, text: &str) -> Result<usize> {
        self.n_bytes.set(self.n_bytes.get() + text.len());
        self.ruler.size(text)
    }

    fn counts_chars(&self) -> bool {
        self.ruler.counts_chars()
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        self.n_bytes.set(self.n_bytes.get() + text.len());
        self.ruler.measure(text)
    }
}

/// Bytes that are measured and written to split a table.
fn work(html: &str, hard_max: usize, ruler: &dyn Ruler) -> usize {
    let counting = Counting { ruler, n_bytes: Cell::new(0) };
    let (parts, _) = parts(html, splitting(hard_max), &counting);
    let written = |part: &Part| part.text.len() + part.html.as_ref().map_or(0, String::len);
    counting.n_bytes.get() + parts.iter().map(written).sum::<usize>()
}

/// Tables that cost most, of `n` rows or cells.
fn hostile(n: usize) -> Vec<String> {
    let rows = |row: &dyn Fn(usize) -> String| (0..n).map(row).collect::<Vec<_>>().concat();
    let row = |cells: &str| format!("<tr>{cells}</tr>");
    let huge = "<td rowspan=\"65534\" colspan=\"1000\">a</td><td>b</td>";
    let label = |i| row(&format!("<td rowspan=\"65534\">label {i}</td><td>b c d</td>"));
    let comb = row(&"<td rowspan=\"65534\">a</td><td/>".repeat(n));
    let header = row(&"<th rowspan=\"65534\">h</th>".repeat(20));
    [
        rows(&|_| row(huge)),
        rows(&label),
        rows(&|_| row("<td rowspan=\"65534\"/><td>b</td>")),
        comb + &rows(&|_| row("<td colspan=\"2\">xy</td>")),
        row("<td rowspan=\"65534\">a</td>") + &rows(&|_| row("<td>b</td>")),
        header + &rows(&|_| row("<th>x</th>")) + &rows(&|_| row("<td>y</td>")),
        row(&"<td>cell</td>".repeat(n)),
        row(&format!("<td rowspan=\"2\">{}</td>", "word ".repeat(8 * n))) + &row("<td>x</td>"),
        row(&format!("<td>{}</td>", "'".repeat(8 * n))),
    ]
    .map(|rows| format!("<table>{rows}</table>"))
    .into()
}

#[test]
fn twice_as_much_is_twice_the_work() {
    TOKENS.with(|tokens| {
        for (hard_max, ruler) in [(500, &CharRuler as &dyn Ruler), (60, tokens)] {
            for (one, two) in hostile(300).iter().zip(hostile(600)) {
                let (one, two) = (work(one, hard_max, ruler), work(&two, hard_max, ruler));
                assert!(two <= one * 5 / 2, "{hard_max}: {one} {two}");
            }
        }
    });
}
