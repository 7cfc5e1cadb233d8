//! Tests of the Markdown reader: examples of each kind of element, and laws for generated texts.

use super::*;
use proptest::prelude::*;

/// Kind, level, parent and text of each element.
fn found(text: &str) -> Vec<(Kind, u8, Option<usize>, &str)> {
    let elements = read(text).elements;
    let row = |one: &Element| (one.kind, one.level, one.parent.get(), &text[one.span.range()]);
    elements.iter().map(row).collect()
}

fn kinds(text: &str) -> Vec<(Kind, &str)> {
    found(text).into_iter().map(|(kind, _, _, said)| (kind, said)).collect()
}

/// What holds for any text: spans in order and trimmed, no word outside, titles and cells inside.
fn check(text: &str) {
    let Read { elements, titles, languages, .. } = read(text);
    let mut end = 0;
    for (i, element) in elements.iter().enumerate() {
        let Span { start, end: stop } = element.span;
        let between = &text[end..start];
        assert!(!between.chars().any(char::is_alphanumeric), "{text:?}: {between:?} before {i}");
        assert!(end <= start && start < stop, "{text:?}: {i}");
        assert_eq!(trim_end(text, start, stop), stop, "{text:?}: {i}");
        assert!(element.parent.get().is_none_or(|parent| parent < i));
        assert_eq!(element.kind == Kind::Table, element.grid.is_some());
        for row in element.grid.iter().flat_map(|grid| &grid.rows) {
            let own = |span: Span| start <= span.start && span.end <= stop;
            assert!(own(row.source), "{text:?}: {row:?}");
            let cells = &element.grid.as_ref().unwrap().cells[row.cells.range()];
            for cell in cells.iter().filter(|cell| !cell.text.is_empty()) {
                assert!(row.source.start <= cell.text.start && cell.text.end <= row.source.end);
                assert_eq!(
                    text[cell.text.range()].trim_matches(crate::unicode::space::is_space),
                    &text[cell.text.range()]
                );
            }
        }
        end = stop;
    }
    assert!(!text[end..].chars().any(char::is_alphanumeric), "{text:?}");
    let headings = elements.iter().enumerate().filter(|(_, one)| one.kind == Kind::Heading);
    let numbers: Vec<usize> = headings.map(|(i, _)| i).collect();
    assert_eq!(titles.iter().map(|(i, _)| *i).collect::<Vec<_>>(), numbers);
    for (i, words) in titles {
        let span = elements[i].span;
        assert!(span.start <= words.start && words.end <= span.end, "{text:?}");
    }
    assert!(languages.iter().all(|(i, _)| elements[*i].kind == Kind::Code));
}

#[test]
fn headings_are_lines_with_their_marks() {
    let text = "# One #\n\nTwo\nlines\n---\n\n  ### *Three* {#id}\ntext\n#no\n";
    let expected = [
        (Kind::Heading, 1, None, "# One #"),
        (Kind::Heading, 2, None, "Two\nlines\n---"),
        (Kind::Heading, 3, None, "### *Three* {#id}"),
        (Kind::Paragraph, 0, None, "text\n#no"),
    ];
    assert_eq!(found(text), expected);
    let titles: Vec<&str> = read(text).titles.iter().map(|(_, span)| &text[span.range()]).collect();
    assert_eq!(titles, ["One", "Two\nlines", "*Three*"]);
    let inside = "- # a\n\n> # b\n\n[^c]: # d\n";
    assert!(kinds(inside).iter().all(|(kind, _)| *kind != Kind::Heading));
}

#[test]
fn items_hold_their_own_text_and_are_above_what_is_nested() {
    let text = "- a\n  b\n\n  c\n  1. d\n\n     ```\n     # x\n     ```\n  e\n- [ ] f\n\n      g\n";
    let expected = [
        (Kind::ListItem, 1, None, "- a\n  b\n\n  c"),
        (Kind::ListItem, 2, Some(0), "1. d"),
        (Kind::Code, 0, Some(1), "```\n     # x\n     ```"),
        (Kind::Paragraph, 0, Some(0), "e"),
        (Kind::ListItem, 1, None, "- [ ] f"),
        (Kind::Code, 0, Some(4), "      g"),
    ];
    assert_eq!(found(text), expected);
    let tight = "- a\n  ```\n  b\n\n  ```\n  c *d*\n  > e\n\n  f\n";
    let expected = [
        (Kind::ListItem, 1, None, "- a"),
        (Kind::Code, 0, Some(0), "```\n  b\n\n  ```"),
        (Kind::Paragraph, 0, Some(0), "c *d*"),
        (Kind::Quote, 1, Some(0), "> e"),
        (Kind::Paragraph, 0, Some(0), "f"),
    ];
    assert_eq!(found(tight), expected);
}

#[test]
fn code_is_no_heading_and_says_its_language() {
    let text =
        "```py title\n# x\n```\n~~~\n# y\n~~~\n\n    # z\n      more\n\n```{.sh}\n# unclosed\n";
    let code: Vec<(Kind, &str)> = kinds(text);
    let expected =
        ["```py title\n# x\n```", "~~~\n# y\n~~~", "    # z\n      more", "```{.sh}\n# unclosed"];
    assert_eq!(code, expected.map(|said| (Kind::Code, said)));
    assert_eq!(read(text).languages, [(0, "py".into()), (3, "{.sh}".into())]);
}

#[test]
fn a_table_has_rows_that_are_lines_and_cells_that_are_spans() {
    let text = "a\n\n| b | `c\\|d` |\n|:--|---|\n| e | | more |\n| f\n\ng";
    let elements = read(text).elements;
    assert_eq!(elements[1].kind, Kind::Table);
    let grid = elements[1].grid.as_ref().unwrap();
    let rows: Vec<&str> = grid.rows.iter().map(|row| &text[row.source.range()]).collect();
    assert_eq!(rows, ["| b | `c\\|d` |", "| e | | more |", "| f"]);
    assert_eq!(grid.n_header_rows(), 1);
    let cells: Vec<&str> = grid.cells.iter().map(|cell| &text[cell.text.range()]).collect();
    assert_eq!(cells, ["b", "`c\\|d`", "e", "", "f", ""]);
}

#[test]
fn quotes_notes_figures_formulas_and_the_rest_are_told_apart() {
    let text = "> a\n> b\n>\n> > c\n\n[^n]: d\n    e\n\n![f](g) [![h](i)](j)\n\n![k](l) m\n\n$$n$$\n\n<div>\no\n</div>\n\n---\n[p]: <q>\n\n---\n[p]\n";
    let expected = [
        (Kind::Quote, "> a\n> b"),
        (Kind::Quote, "> > c"),
        (Kind::Footnote, "[^n]: d\n    e"),
        (Kind::Figure, "![f](g) [![h](i)](j)"),
        (Kind::Paragraph, "![k](l) m"),
        (Kind::Formula, "$$n$$"),
        (Kind::Paragraph, "<div>\no\n</div>"),
        (Kind::Paragraph, "[p]: <q>"),
        (Kind::Paragraph, "[p]"),
    ];
    assert_eq!(kinds(text), expected);
}

#[test]
fn front_matter_is_code() {
    let text = "\u{feff}---\ntitle: a\n# b\n---\n# c\n";
    let expected = [(Kind::Code, "---\ntitle: a\n# b\n---"), (Kind::Heading, "# c")];
    assert_eq!(kinds(text), expected);
    assert_eq!(read(text).languages, [(0, "yaml".into())]);
    assert_eq!(kinds("a\n\n---\nb\n---\n").last().map(|one| one.0), Some(Kind::Heading));
}

#[test]
fn lines_of_too_many_marks_are_text() {
    let deep = format!("{}a", "> ".repeat(300));
    let text = format!("# b\n{deep}\n# c\n");
    let expected = [(Kind::Heading, "# b"), (Kind::Paragraph, &*deep), (Kind::Heading, "# c")];
    assert_eq!(kinds(&text), expected);
    check(&text);
}

#[test]
fn a_lone_carriage_return_ends_a_line() {
    assert_eq!(with_feeds("a\rb\r\n\rc\r"), "a\nb\r\n\nc\n");
    assert!(matches!(with_feeds("a\r\nb\n"), Cow::Borrowed(_)));
    let text = "# a\r\rb\r";
    let spans: Vec<_> = read(text).elements.iter().map(|one| &text[one.span.range()]).collect();
    assert_eq!(spans, ["# a", "b"]);
    assert_eq!(links("# a\r[b](c)\r")[0].span, Span::new(4, 10));
}

#[test]
fn a_text_without_blocks_has_no_elements() {
    for text in ["", " \n\t\n", "---\n", "\u{feff}"] {
        assert_eq!(found(text), [], "{text:?}");
    }
    assert_eq!(one_paragraph(" a\n").elements[0].span, Span::new(1, 2));
    assert!(one_paragraph("\n").elements.is_empty());
}

proptest! {
    #[test]
    fn no_word_of_any_text_is_outside_the_elements(
        text in "(# |## |a|b c|漢|\u{feff}|\n|\n\n|\r\n|\r|  |    |\t|- |\\* |1\\. |> |```|~~~|---|===|\\+\\+\\+|\\||\\|-|\\||\\$\\$|\\$|!\\[|\\[\\^?n\\]:? ?|\\]\\(x\\)|<div>|</div>|<!--|-->|\\*|_|`|\\\\|\\{#i\\}|&amp;|\0){0,40}",
    ) {
        check(&text);
    }
}

/// Lines of which some go on with the block before them.
const LINES: &str = "(a|b c|a|    c|\t- d|- a|- a|  - b|\\* e|  f| - g|   \\+ h|-|1\\. i|2\\) j|> k|>|# l|l\\n===|---|\\||\\|a\\|b\\||\\|a\\|b\\|\n\\|-\\|-\\||\\|c\\|d\\||\\|c|```|~~~|    |\\$\\$m\\$\\$|!\\[o\\]\\(p\\)|!\\[q\\]|\\[!\\[q\\]\\]\\[r s\\]|\\[q\\]: t|\\[R S\\]:|  u|\\[\\^v\\]: w|<p>|<!--|-->|<i>||||)(\n|\n|\r\n|\n\n)";

/// What is read of a text if so many bytes of it are parsed at once, an element a line.
fn in_pieces(text: &str, piece: usize) -> Vec<String> {
    let Read { elements, titles, languages, .. } = elements(&with_feeds(text), piece);
    let lines = elements.iter().map(|one| format!("{one:?}"));
    lines.chain([format!("{titles:?} {languages:?}")]).collect()
}

proptest! {
    #[test]
    fn a_text_has_the_same_elements_in_pieces(
        lines in proptest::collection::vec(LINES, 0..60), n in 1_usize..9, piece in 1_usize..80,
    ) {
        // Some blocks are longer than many pieces.
        let text: String = lines.iter().map(|line| line.repeat(n * n / 16 + 1)).collect();
        prop_assert_eq!(in_pieces(&text, piece), in_pieces(&text, usize::MAX), "{}", text);
    }
}

#[test]
fn blocks_longer_than_a_piece_are_one() {
    let table = format!("|a|b|\n|-|-|\n{}", "|c|d|\n".repeat(50));
    let list = "- a\n  - b\n\n".repeat(50);
    let paragraph = "a\n".repeat(100);
    let code = format!("```py\n{}\n```\n<div>\n{paragraph}", "a\n\n".repeat(50));
    let text = format!(
        "{table}\n{code}\n{paragraph}\n{list}\n{paragraph}===\n\n![q]\n\n{table}[q]: r\n\n[Q]: r"
    );
    assert_eq!(in_pieces(&text, 64), in_pieces(&text, usize::MAX));
    let read = elements(&text, 64).elements;
    assert_eq!(read[0].grid.as_ref().map(|grid| grid.rows.len()), Some(51));
    let begin_lists = read.iter().filter(|element| element.begins_list).count();
    assert_eq!(begin_lists, 51);
    let count = |kind| read.iter().filter(|element| element.kind == kind).count();
    assert_eq!([Kind::Table, Kind::Code, Kind::Heading, Kind::Figure].map(count), [2, 1, 1, 1]);
}

/// Kinds of the elements, and which captions are of which.
fn owners(text: &str) -> (Vec<Kind>, Vec<(usize, usize)>) {
    let read = read(text);
    (read.elements.iter().map(|one| one.kind).collect(), read.captions)
}

#[test]
fn labelled_paragraphs_beside_figures_and_tables_are_captions() {
    use Kind::{Caption, Figure, Paragraph, Table};
    const GRID: &str = "| a |\n|---|\n| 1 |\n\n";
    let figure = "![](rain.png)\n\n";
    for label in ["Figure 1: Rain.", "**Fig. 2** Rain", "_Abb. 3_: Rain", "Table IV. Rain"] {
        let (kinds, captions) = owners(&format!("{figure}{label}\n\nIt fell.\n"));
        assert_eq!((kinds, captions), (vec![Figure, Caption, Paragraph], vec![(1, 0)]), "{label}");
        let (kinds, captions) = owners(&format!("It fell.\n\n{label}\n\n{GRID}"));
        assert_eq!((kinds, captions), (vec![Paragraph, Caption, Table], vec![(1, 2)]), "{label}");
    }
    for text in ["Figure 1 shows rain.", "Figure one: Rain", "Rain: Figure 1", "Table salt: 1"] {
        assert_eq!(owners(&format!("{figure}{text}\n")).0, [Figure, Paragraph], "{text}");
    }
    // Others are of nothing, or stand elsewhere.
    assert_eq!(owners("It fell.\n\nFigure 1: Rain.\n").0, [Paragraph, Paragraph]);
    assert_eq!(owners(&format!("- {figure}\nFigure 1: Rain.\n")).1, []);
    // Above all tables, or below all of them.
    let above = ["Table 1: A\n\n", GRID, "Table 2: B\n\n", GRID].concat();
    assert_eq!(owners(&above).1, [(0, 1), (2, 3)]);
    let below = [GRID, "Table 1: A\n\n", GRID, "Table 2: B\n"].concat();
    assert_eq!(owners(&below).1, [(1, 0), (3, 2)]);
}
