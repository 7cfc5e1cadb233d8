//! Tests of the elements of a `DoclingDocument`: examples of each kind, and laws for generated documents.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::docling::{Document, Form};
use chunkwright_text::elements::Kind;
use chunkwright_text::read::Read;

fn reference(to: &str) -> Value {
    json!({ "$ref": to })
}

fn references(list: &str, numbers: std::ops::Range<usize>) -> Vec<Value> {
    numbers.map(|i| reference(&format!("#/{list}/{i}"))).collect()
}

fn text(i: usize, parent: &str, label: &str, said: &str) -> Value {
    let me = format!("#/texts/{i}");
    json!({ "self_ref": me, "parent": reference(parent), "label": label, "text": said, "marker": "" })
}

fn read(document: &Value) -> Read {
    Document::of_json(document.to_string().as_bytes(), Form::Stored).unwrap().elements()
}

fn text_of(read: &Read) -> &str {
    read.text.as_deref().unwrap_or_default()
}

fn table(cells: &[(usize, usize, usize, &str)], n_rows: usize, n_cols: usize) -> Value {
    let cell = |&(row, rows, col, said): &(usize, usize, usize, &str)| {
        json!({
            "start_row_offset_idx": row, "end_row_offset_idx": row + rows, "start_col_offset_idx": col,
            "end_col_offset_idx": col + 1, "text": said, "column_header": row == 0,
        })
    };
    let cells: Vec<Value> = cells.iter().map(cell).collect();
    let data = json!({ "num_rows": n_rows, "num_cols": n_cols, "table_cells": cells });
    let me = json!({ "self_ref": "#/tables/0", "parent": reference("#/body"), "data": data });
    let body = json!({ "self_ref": "#/body", "children": references("tables", 0..1) });
    json!({ "name": "made", "body": body, "tables": [me] })
}

#[test]
fn cells_have_places_and_rows_have_lines() {
    let cells = [(0, 1, 0, "a"), (0, 1, 1, "b\nc"), (1, 2, 0, "d"), (1, 1, 1, " "), (2, 1, 1, "e")];
    let read = read(&table(&cells, 3, 2));
    assert_eq!(text_of(&read), "| a | b c |\n| - | - |\n| d |  |\n|  | e |");
    let grid = read.elements[0].grid.as_deref().unwrap();
    let texts: Vec<&str> =
        grid.cells.iter().map(|cell| &text_of(&read)[cell.text.range()]).collect();
    assert_eq!(texts, ["a", "b c", "d", "", "e"]);
    let lines: Vec<&str> =
        grid.rows.iter().map(|row| &text_of(&read)[row.source.range()]).collect();
    assert_eq!(lines, ["| a | b c |", "| d |  |", "|  | e |"]);
    assert_eq!((grid.n_header_rows(), grid.cells[2].rowspan), (1, Some(2)));
}

#[test]
fn a_cell_of_many_rows_keeps_none_together() {
    let mut cells = vec![(0, 1, 0, "a"), (1, 40, 0, "key")];
    cells.extend((1..40).map(|row| (row, 1, 1, "value")));
    let read = read(&table(&cells, 41, 2));
    let grid = read.elements[0].grid.as_deref().unwrap();
    assert!(grid.cells.iter().all(|cell| cell.rowspan == Some(1)));
}

#[test]
fn deep_lists_end() {
    let n = 50_000;
    let group = |i: usize| {
        let parent = i.checked_sub(1).map_or("#/body".into(), |i| format!("#/groups/{i}"));
        let below = if i + 1 < n { format!("#/groups/{}", i + 1) } else { "#/texts/0".into() };
        json!({
            "self_ref": format!("#/groups/{i}"), "parent": reference(&parent), "label": "list",
            "children": [reference(&below)],
        })
    };
    let body = json!({ "self_ref": "#/body", "children": references("groups", 0..1) });
    let leaf = text(0, &format!("#/groups/{}", n - 1), "list_item", "deep");
    let groups: Vec<Value> = (0..n).map(group).collect();
    let read = read(&json!({ "name": "made", "body": body, "groups": groups, "texts": [leaf] }));
    assert_eq!(text_of(&read).trim_start(), "- deep");
    let last = read.elements.last().unwrap();
    assert_eq!((last.kind, last.level, read.elements.len()), (Kind::ListItem, u8::MAX, n + 1));
}

proptest! {
    #[test]
    fn each_item_is_there_once_and_in_order(
        items in prop::collection::vec(
            (prop::sample::select(vec!["text", "section_header", "code", "list_item", "footnote"]),
             "[ab é漢\n|]{0,8}"),
            0..12,
        ),
    ) {
        let made = items.iter().enumerate();
        let texts: Vec<Value> =
            made.map(|(i, (label, said))| text(i, "#/body", label, said)).collect();
        let body = json!({ "self_ref": "#/body", "children": references("texts", 0..items.len()) });
        let read = read(&json!({ "name": "made", "body": body, "texts": texts }));
        let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphabetic()).collect() };
        let all: String = items.iter().map(|(_, said)| letters(said)).collect();
        prop_assert_eq!(letters(text_of(&read)), all);
        let mut at = 0;
        for element in &read.elements {
            prop_assert!(at <= element.span.start && element.span.end <= text_of(&read).len());
            at = element.span.end;
        }
        prop_assert_eq!(read.references.len(), read.elements.len());
    }
}
