//! Tests of the readers on any HTML.

use proptest::prelude::*;

use super::*;
use chunkwright_text::grid::Grid;

fn grid(html: &str) -> Grid {
    match parse(html) {
        ParsedTable::Grid(grid) => *grid,
        other => panic!("{html:?} is {other:?}"),
    }
}

fn texts(grid: &Grid) -> Vec<Vec<&str>> {
    let texts =
        |row: &chunkwright_text::grid::Row| row.cells.range().map(|i| grid.cell_text(i)).collect();
    grid.rows.iter().map(texts).collect()
}

#[test]
fn tables_are_written_compactly() {
    let grid = grid(
        "<table border=1>\n <thead><tr class='x'>\n <th> a </th><th colspan=2>b<br/>c</th></tr></thead>\n \
         <tbody><tr><td></td><td> </td><td>d <i> e</i> &amp; f</td></tr></tbody></table>",
    );
    let (head, body) = (
        "<tr><td>a</td><td colspan=\"2\">b<br/>c</td></tr>",
        "<tr><td/><td></td><td>d<i>e</i> &amp; f</td></tr>",
    );
    assert_eq!(grid.html, format!("<table>{head}{body}</table>"));
    assert_eq!([grid.row_html(0), grid.row_html(1)], [head, body]);
    assert_eq!(
        grid.row_source(0),
        "<tr class=\"x\">\n <th> a </th><th colspan=\"2\">b<br/>c</th></tr>"
    );
    assert_eq!(grid.row_source(1), body);
    assert_eq!(texts(&grid), [vec!["a", "b c"], vec!["", "", "de & f"]]);
    assert_eq!(grid.texts, "a b c de & f");
    assert_eq!(grid.cell_html(4), "<td>d<i>e</i> &amp; f</td>");
    assert_eq!((grid.n_header_rows(), grid.cells[1].colspan), (1, 2));
    assert_ne!(grid.rows[0].section, grid.rows[1].section);
}

#[test]
fn spans_are_read_as_numbers_of_python() {
    let read = |value: &str| {
        let grid = grid(&format!("<table><tr><td rowspan=\"{value}\"/></tr></table>"));
        grid.cells[0].rowspan
    };
    for (value, rows) in
        [("2", 2), (" +1_0\u{a0}", 10), ("\u{663}", 3), ("-4", 1), ("1__0", 1), ("", 1)]
    {
        assert_eq!(read(value), Some(rows), "{value:?}");
    }
    assert_eq!(read("-0"), None);
    assert_eq!(read("99999999999999999999"), Some(i64::MAX.try_into().unwrap()));
}

#[test]
fn what_has_to_be_repaired_is_irregular() {
    for html in [
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td>a</tr></table>",
        "<table><tr><td><p>a<p>b</td></tr></table>",
        "<table><tr><td><b>a</td></tr></table>",
        "<table><tr><td>a</td></tr>",
        "<table><tr><td a=\"b>x</td></tr></table>",
        "<table><style>a</style></table>",
        "<html><table></table></html>",
        "<table></table></div>",
    ] {
        assert!(matches!(parse(html), ParsedTable::Irregular), "{html}");
    }
    for html in
        ["", "a", "x<table/>", "<table/>x", "<table/><table/>", "<!----><table/>", "<p>x</p>"]
    {
        assert!(matches!(parse(html), ParsedTable::None), "{html}");
    }
}

#[test]
fn browsers_read_what_is_irregular() {
    let read = |html| match recover(html) {
        ParsedTable::Grid(grid) => {
            texts(&grid).iter().map(|row| row.join("|")).collect::<Vec<_>>().join("/")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(read("<table><tr><td>a<td>b<tr><td>c</table>"), "a|b/c");
    assert_eq!(read("<p>x<table><th>a</th><tr><td><b>c</td><td>d</b>e"), "a/c|de");
    assert_eq!(
        read("<table><td>a&ampb<script>x < y</script><td>&#150;<!-- -- -->"),
        "a&b|\u{2013}"
    );
    assert_eq!(read("<table><tr><td a=\"x\" a='y' =z <b>c"), "c");
    assert_eq!(read("<p>no table"), "None");
}

fn numbered(before: &str, n: usize, behind: &str) -> String {
    let all: Vec<String> = (0..n).map(|i| format!("{before}{i}{behind}")).collect();
    all.concat()
}

#[test]
fn hostile_html_is_bounded() {
    let n = 20_000;
    for html in [
        "<b>".repeat(n),
        "<table>".repeat(n),
        format!("<table>{}", "<tr><td>".repeat(n)),
        format!("<table>{}x{}</table>", "<div>".repeat(n), "</div>".repeat(n)),
        format!("<table>{}{}", numbered("<b id=", 400, ">"), "<p>".repeat(n)),
        format!("<table><tr{}>", numbered(" a", n, "")),
        format!("<table><b id={}>{}", "x".repeat(n), "<p>".repeat(n)),
        format!("<table>{}", "<a>x<p>".repeat(n)),
        format!("<table>{}", "x<tr></b>".repeat(n)),
        "&".repeat(n),
        "<!--".repeat(n),
        format!("<table a=\"{}", "<".repeat(n)),
    ] {
        if let ParsedTable::Grid(grid) = parse(&html) {
            assert!(grid.html.len() < 8 * html.len());
        }
        if let Some(written) = repair(&html) {
            assert!(written.len() < 17 * html.len());
        }
    }
}

/// Pieces of HTML in any order.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<th>",
        "</th>",
        "<thead>",
        "</thead>",
        "<tbody>",
        "</tbody>",
        "<b>",
        "</b>",
        "<p>",
        "</p>",
        "<br>",
        "<td/>",
        "<td colspan=\"2\">",
        "a",
        " ",
        "\n",
        "&amp;",
        "&",
        "<",
        "<!-- c -->",
        "<i a=b>",
        "</i>",
        "é",
        "\u{a0}",
        "\u{1c}",
        "<a href='x'>",
        "</a>",
        "<select>",
        "<svg>",
        "<template>",
        "<li>",
        "<caption>",
        "\r\n",
        "&#0;",
        "--",
        "<form>",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A table of soup.
fn tables() -> impl Strategy<Value = String> {
    let cell = prop::sample::select(vec![
        "<td>a</td>",
        "<td> b <i> c </i></td>",
        "<th colspan=2>d</th>",
        "<td/>",
        "<td> </td>",
        "<td>e<br>f</td>",
        "<td><table><tr><td>g</td></tr></table></td>",
        "<!-- h -->",
        " ",
        "x",
    ]);
    let row =
        prop::collection::vec(cell, 0..5).prop_map(|cells| format!("<tr>{}</tr>", cells.concat()));
    let section =
        prop::sample::select(vec![("", ""), ("<thead>", "</thead>"), ("<tbody> ", " </tbody>")]);
    let rows = prop::collection::vec((section, row), 0..6);
    rows.prop_map(|rows| {
        let rows: String =
            rows.into_iter().map(|((open, close), row)| open.to_owned() + &row + close).collect();
        format!("<table>{rows}</table>")
    })
}

proptest! {
    #[test]
    fn what_is_repaired_can_be_read(html in soup()) {
        let _ = parse(&html);
        if let Some(written) = repair(&html) {
            prop_assert!(!matches!(parse_written(&written), ParsedTable::Irregular), "{written}");
        }
    }

    #[test]
    fn what_is_compact_says_the_same(html in tables()) {
        let grid = grid(&html);
        let again = self::grid(&grid.html);
        prop_assert_eq!(texts(&grid), texts(&again));
        prop_assert_eq!(&grid.texts, &again.texts);
        let cells: Vec<&str> = (0..grid.cells.len()).map(|i| grid.cell_text(i)).collect();
        let said: Vec<&str> = cells.into_iter().filter(|text| !text.is_empty()).collect();
        prop_assert_eq!(said.join(" "), &grid.texts[..]);
        for row in &grid.rows {
            prop_assert!(grid.html[row.html.range()].starts_with("<tr"));
        }
    }

    #[test]
    fn browsers_read_regular_tables_alike(html in tables()) {
        let strict = grid(&html);
        if let ParsedTable::Grid(browser) = recover(&html) {
            let cells = |grid: &Grid| texts(grid).concat().join("|");
            // Text between cells is no browser's: it is put in front of the table.
            if !html.contains('x') {
                prop_assert_eq!(cells(&strict), cells(&browser));
            }
        }
    }
}
