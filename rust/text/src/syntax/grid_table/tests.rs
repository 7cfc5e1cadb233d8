//! Tests of grid tables: what is drawn is read, and nothing else.

use proptest::prelude::*;

use super::*;

fn table(text: &str) -> Option<GridTable> {
    read(text, lines(text, Span::new(0, text.len())))
}

/// Row, column, rows, columns and words of each cell.
fn cells(text: &str) -> Vec<(usize, usize, usize, usize, String)> {
    let of = |cell: &GridCell| (cell.row, cell.column, cell.rows, cell.columns, cell.words(text));
    table(text).unwrap().cells.iter().map(of).collect()
}

fn cell(at: [usize; 4], words: &str) -> (usize, usize, usize, usize, String) {
    (at[0], at[1], at[2], at[3], words.to_owned())
}

const SPANS: &str = "\
+-----+-----------+
| a   | b         |
|     +-----+-----+
| a2  | c   | d-+ |
+=====+=====+=====+
| e         | f|g |
+-----------+     |
| h + i     |     |
+-----------+-----+";

#[test]
fn cells_cover_rows_and_columns() {
    let expected = [
        cell([0, 0, 2, 1], "a a2"),
        cell([0, 1, 1, 2], "b"),
        cell([1, 1, 1, 1], "c"),
        cell([1, 2, 1, 1], "d-+"),
        cell([2, 0, 1, 2], "e"),
        cell([2, 2, 2, 1], "f|g"),
        cell([3, 0, 1, 2], "h + i"),
    ];
    assert_eq!(cells(SPANS), expected);
    let table = table(SPANS).unwrap();
    assert_eq!((table.rows.len(), table.n_columns, table.n_header_rows), (4, 3, 2));
    assert_eq!(table.rows, [1..2, 3..4, 5..6, 7..8]);
}

#[test]
fn a_cell_has_lines_and_empty_ones_between_them() {
    let text = "+-----+\n|     |\n| a   |\n|     |\n|   b |\n|     |\n+-----+\n| c   |\n+-----+";
    let table = table(text).unwrap();
    let said = |i: usize| table.cells[i].lines.iter().map(|line| &text[line.range()]);
    assert_eq!(said(0).collect::<Vec<_>>(), ["a", "", "b"]);
    assert_eq!(
        (table.cells[0].words(text), table.cells[1].words(text)),
        ("a b".into(), "c".into())
    );
    assert_eq!(table.span(), Span::new(0, text.len()));
}

#[test]
fn wide_characters_take_two_columns() {
    let text = "+------+----+\n| 石板 | kg |\n+======+====+\n| e\u{301}é   | 七 |\n+------+----+";
    assert_eq!(
        cells(text),
        [
            cell([0, 0, 1, 1], "石板"),
            cell([0, 1, 1, 1], "kg"),
            cell([1, 0, 1, 1], "e\u{301}é"),
            cell([1, 1, 1, 1], "七"),
        ]
    );
    // A heart that is a picture is as wide as two code points, or as one of them.
    assert!(table("+----+\n| \u{2764}\u{fe0f} |\n+----+").is_some());
    assert!(table("+----+\n| \u{2764}\u{fe0f}  |\n+----+").is_some());
    assert!(table("+---------+\n| a\tb |\n+---------+").is_some());
}

#[test]
fn double_frames_part_header_and_footer() {
    let n_header_rows = |text: &str| table(text).unwrap().n_header_rows;
    assert_eq!(n_header_rows("+---+\n| a |\n+===+\n| b |\n+---+"), 1);
    assert_eq!(n_header_rows("+---+\n| a |\n+---+\n| b |\n+---+"), 0);
    assert_eq!(n_header_rows("+:-:+\n| a |\n+:==+\n| b |\n+---+"), 1);
    assert_eq!(n_header_rows("+---+\n| a |\n+===+\n| b |\n+===+\n| c |\n+===+"), 1);
    assert_eq!(n_header_rows("+---+\n| b |\n+===+\n| c |\n+===+"), 0);
}

#[test]
fn lines_stand_in_quotes_and_items() {
    let text = "> +---+\n> | a |\n> +---+\n> | b |";
    assert_eq!(lines(text, Span::new(2, text.len())).len(), 3);
    assert_eq!(table(text).unwrap().cells[0].words(text), "a");
    assert!(lines("+ a\n+---+", Span::new(0, 9)).is_empty());
}

#[test]
fn what_is_no_drawing_is_no_table() {
    for text in [
        "",
        "+---+",
        "+---+\n+---+x",
        "+---+\n| a  |\n+---+",
        "+---+\n| a |",
        "+---+\n| a\n+---+",
        "+---+\n  a |\n+---+",
        "+++\n| |\n+++",
        // A frame that ends inside a cell.
        "+---+---+\n| a | b |\n|   +---+\n| c   d |\n+---+---+",
        "+---+---+\n| a | b |\n+---+   |\n| c | d |\n|   +---+\n| e   f |\n+-------+",
    ] {
        assert!(table(text).is_none(), "{text:?}");
    }
}

/// Draws a side of a cell where nothing is drawn yet, or a line down if it goes across.
fn draw<'c>(side: impl Iterator<Item = &'c mut char>, mark: char) {
    for place in side.filter(|place| **place == ' ' || mark == '-' && **place == '|') {
        *place = mark;
    }
}

/// Draws a table of so many rows and columns, of which cells cover several as `merged` says.
fn drawn(n_rows: usize, n_columns: usize, merged: &[[usize; 4]]) -> (String, Vec<[usize; 4]>) {
    let mut owner: Vec<Option<usize>> = vec![None; n_rows * n_columns];
    let mut cells: Vec<[usize; 4]> = Vec::new();
    let wanted = merged.iter().map(|&[row, column, rows, columns]| {
        let (row, column) = (row % n_rows, column % n_columns);
        [row, column, rows.min(n_rows - row), columns.min(n_columns - column)]
    });
    let all = (0..n_rows * n_columns).map(|slot| [slot / n_columns, slot % n_columns, 1, 1]);
    for cell in wanted.chain(all) {
        let [row, column, rows, columns] = cell;
        let slots: Vec<usize> = (row..row + rows)
            .flat_map(|i| (column..column + columns).map(move |j| i * n_columns + j))
            .collect();
        if slots.iter().all(|&slot| owner[slot].is_none()) {
            for slot in slots {
                owner[slot] = Some(cells.len());
            }
            cells.push(cell);
        }
    }
    let (height, width) = (2 * n_rows + 1, 4 * n_columns + 1);
    let mut canvas = vec![vec![' '; width]; height];
    for &[row, column, rows, columns] in &cells {
        let (top, left) = (2 * row, 4 * column);
        let (bottom, right) = (top + 2 * rows, left + 4 * columns);
        for line in [top, bottom] {
            draw(canvas[line][left..=right].iter_mut(), '-');
        }
        for at in [left, right] {
            draw(canvas[top..=bottom].iter_mut().map(|line| &mut line[at]), '|');
        }
        for (line, at) in [(top, left), (top, right), (bottom, left), (bottom, right)] {
            canvas[line][at] = '+';
        }
        canvas[top + 1][left + 2] = 'x';
    }
    cells.sort_unstable();
    let lines: Vec<String> = canvas.into_iter().map(|line| line.into_iter().collect()).collect();
    (lines.join("\n"), cells)
}

proptest! {
    #[test]
    fn cells_are_those_that_were_drawn(
        n_rows in 1_usize..6,
        n_columns in 1_usize..6,
        merged in prop::collection::vec([0_usize..6, 0..6, 1..4, 1..4], 0..5),
    ) {
        let (text, expected) = drawn(n_rows, n_columns, &merged);
        let table = table(&text).expect(&text);
        let found: Vec<[usize; 4]> =
            table.cells.iter().map(|of| [of.row, of.column, of.rows, of.columns]).collect();
        // A line between two rows that no cell ends at is none of the table.
        let rows: Vec<usize> = table.rows.iter().map(|lines| (lines.start - 1) / 2).collect();
        prop_assert_eq!(found.len(), expected.len(), "{}", text);
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert_eq!(rows[found[0]], expected[0], "{}", text);
        }
        for cell in &table.cells {
            prop_assert_eq!(cell.words(&text), "x");
        }
    }

    #[test]
    fn any_drawing_is_read_or_refused(text in "\\+[-+=]{3}\\+(\n[-+|= a石\t]{0,6}){0,8}(\n\\+[-+]{3}\\+)?") {
        if let Some(table) = table(&text) {
            let n_slots = table.rows.len() * table.n_columns;
            prop_assert_eq!(table.cells.iter().map(|of| of.rows * of.columns).sum::<usize>(), n_slots);
            for line in table.cells.iter().flat_map(|of| &of.lines) {
                prop_assert!(text.get(line.range()).is_some());
            }
        }
    }
}

#[test]
fn hostile_drawings_take_linear_time() {
    let wide = format!("+{}\n", "-+".repeat(100_000));
    assert!(table(&wide.repeat(4)).is_some());
    assert!(table(&"+-+\n".repeat(200_000)).is_some());
    assert!(table(&(wide + &"|\n".repeat(100_000) + "+-+")).is_none());
    let crossed = format!("+{}\n", "+".repeat(1_000));
    assert!(table(&("+-+\n".to_owned() + &crossed.repeat(1_000))).is_none());
}
