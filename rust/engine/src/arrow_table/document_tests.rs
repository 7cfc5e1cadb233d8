//! Tests of reading the rows of tables as documents.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::identity::{Identities, document_id};

use super::tests::{job_of, named, names, numbers, of_elements, strings, texts, window, with_rows};
use super::{ColumnNames, Counting, Layout, Reading};
use crate::unit::Unit;

/// The chunks of a column of texts or elements that begin at headings.
fn cut_documents(column: ArrayRef, kind: Option<&str>, errors: bool) -> Result<RecordBatch> {
    let needs_elements = true;
    let reading = Reading::named(kind, true).unwrap();
    let rows = with_rows(|rows| (rows.elements, rows.errors) = (true, errors)).rows;
    let names = ColumnNames { rows, reading, needs_elements, ..names() };
    let documents = named(vec![("text", column)]);
    let layout = Layout::new(documents.data_type(), &names).unwrap();
    let (cutter, unit) = (of_elements(), Unit::named("chars").unwrap());
    let job = job_of(&layout, &cutter, Counting::Unit(&unit));
    job.chunks(documents).map(RecordBatch::from)
}

fn optional(chunks: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let Some(column) = chunks.column_by_name(name) else { return Vec::new() };
    column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// The lists of a column, each on a line.
fn lists(chunks: &RecordBatch, name: &str) -> Vec<String> {
    let lists = chunks.column_by_name(name).unwrap().as_list::<i32>();
    let said = |of: ArrayRef| match of.data_type() {
        DataType::Utf8 => {
            format!("{:?}", of.as_string::<i32>().iter().flatten().collect::<Vec<_>>())
        }
        _ => format!("{:?}", of.as_primitive::<Int64Type>().values().to_vec()),
    };
    lists.iter().map(|of| of.map_or_else(|| "null".to_owned(), said)).collect()
}

#[test]
fn texts_are_read_as_what_they_look_like() {
    let column = texts(&[
        Some("# A\n\nb\n\n## C\n\nd\n"),
        Some("<!doctype html><h1>A</h1><p>b</p><h2>C</h2><p>d</p>"),
        Some(
            r#"[{"type": "Title", "text": "A", "element_id": "a"}, {"text": "b", "metadata": {"page_number": 2}},
            {"type": "Title", "text": "C", "metadata": {"category_depth": 1}},
            {"text": "d", "metadata": {"parent_id": "a"}}]"#,
        ),
        Some(" \n"),
        None,
    ]);
    let chunks = cut_documents(column, None, false).unwrap();
    assert_eq!(numbers(&chunks, "doc_index"), [0, 0, 1, 1, 2, 2]);
    assert_eq!(strings(&chunks, "text")[..4], ["# A\n\nb", "## C\n\nd", "A\n\nb", "C\n\nd"]);
    assert_eq!(strings(&chunks, "text")[4..], ["A\n\nb", "C\n\nd"]);
    assert_eq!(numbers(&chunks, "start"), [0, 8, 0, 6, 0, 6]);
    assert_eq!(numbers(&chunks, "first_element"), [0, 2, 0, 2, 0, 2]);
    assert_eq!(numbers(&chunks, "last_element"), [1, 3, 1, 3, 1, 3]);
    let (a, c) = (r#"["A"]"#, r#"["A", "C"]"#);
    // The last text says that it belongs to the first heading.
    assert_eq!(lists(&chunks, "headings"), [a, c, a, c, a, a]);
    assert_eq!(lists(&chunks, "headings_above"), ["[]", a, "[]", a, "[]", a]);
    let places = |name| {
        let column = chunks.column_by_name(name).unwrap().as_primitive::<Int64Type>();
        column.iter().collect::<Vec<_>>()
    };
    let starts = [Some(0), Some(8), Some(15), Some(33), None, None];
    assert_eq!(places("source_start"), starts);
    assert_eq!(places("source_line_end"), [Some(3), Some(7), Some(1), Some(1), None, None]);
    assert_eq!(lists(&chunks, "pages"), ["[]", "[]", "[]", "[]", "[2]", "[]"]);
}

#[test]
fn a_text_without_elements_is_named() {
    let column = || texts(&[Some("# A\n\nb"), Some("plain")]);
    let error = cut_documents(column(), None, false).unwrap_err();
    assert!(matches!(error, Error::Config(_)));
    assert!(error.to_string().starts_with("row 1: this strategy cuts elements, got a text"));
    let chunks = cut_documents(column(), None, true).unwrap();
    assert_eq!(optional(&chunks, "text"), [Some("# A\n\nb".to_owned()), None]);
    assert_eq!(lists(&chunks, "headings"), [r#"["A"]"#, "null"]);
    assert_eq!(lists(&chunks, "headings_above"), ["[]", "null"]);
    let chunks = cut_documents(column(), Some("markdown"), true).unwrap();
    assert_eq!(strings(&chunks, "text"), ["# A\n\nb", "plain"]);
}

#[test]
fn every_kind_is_read() {
    let docling = r##"{"schema_name": "DoclingDocument", "name": "d", "body": {"self_ref": "#/body",
        "children": [{"$ref": "#/texts/0"}]}, "texts": [{"self_ref": "#/texts/0", "label": "text",
        "parent": {"$ref": "#/body"}, "text": "c"}]}"##;
    let column = || texts(&[Some(docling), Some("%PDF-1.7"), Some("a\0"), Some("# A\n\nb")]);
    let chunks = cut_documents(column(), None, true).unwrap();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(optional(&chunks, "text"), [text("c"), None, None, text("# A\n\nb")]);
    let [_, pdf, binary, _] = &optional(&chunks, "error")[..] else { panic!("four rows") };
    assert!(pdf.as_ref().unwrap().starts_with("row 1: this is a PDF document, not text: "));
    assert!(binary.as_ref().unwrap().starts_with("row 2: this is binary data"));
    let long = format!("x\n{}", "b".repeat(200_000));
    let column = || texts(&[Some("a,b\nc,d"), Some(&long), Some("bcd")]);
    let chunks = cut_documents(column(), Some("csv"), true).unwrap();
    assert_eq!(optional(&chunks, "text"), [text("a\tb\nc\td"), None, text("bcd")]);
    let error = cut_documents(column(), Some("csv"), false).unwrap_err().to_string();
    assert!(error.starts_with("row 1: no CSV at line 2: field larger"), "{error}");
}

/// The texts, the kinds and the errors of the chunks of a column of elements.
fn cut_elements(
    column: ArrayRef,
    kind: Option<&str>,
    errors: bool,
) -> Result<[Vec<Option<String>>; 3]> {
    let chunks = cut_documents(column, kind, errors)?;
    Ok(["text", "kind", "error"].map(|name| optional(&chunks, name)))
}

#[test]
fn elements_are_cut_from_json_and_from_lists_of_structs() {
    let json = r#"[{"type": "Title", "text": "One"}, {"type": "Table", "text": "a b"}]"#;
    let some =
        |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
    let [texts_of, kinds, _] = cut_elements(texts(&[Some(json), None]), None, false).unwrap();
    assert_eq!((texts_of, kinds), (some(&["One\n\na b"]), some(&["table"])));

    let column = |name, values: Vec<&str>| {
        (
            Arc::new(Field::new(name, DataType::Utf8, true)),
            Arc::new(StringArray::from(values)) as ArrayRef,
        )
    };
    let items = StructArray::from(vec![
        column("type", vec!["Title", "Table"]),
        column("text", vec!["One", "a b"]),
    ]);
    let field = Arc::new(Field::new("item", items.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths([2]);
    let lists = ListArray::new(field, offsets, Arc::new(items), None);
    let [texts_of, kinds, _] = cut_elements(Arc::new(lists), None, false).unwrap();
    assert_eq!((texts_of, kinds), (some(&["One\n\na b"]), some(&["table"])));
}

#[test]
fn a_document_that_cannot_be_cut_has_a_row_that_says_why() {
    let column = || texts(&[Some("[1]"), Some("[]"), Some(r#"[{"text": "x"}]"#)]);
    let error = cut_elements(column(), Some("elements"), false).unwrap_err().to_string();
    assert!(error.starts_with("row 0: no elements: invalid type: integer"), "{error}");
    let [texts_of, kinds, errors] = cut_elements(column(), Some("elements"), true).unwrap();
    assert_eq!(texts_of, [None, Some("x".to_owned())]);
    assert_eq!(kinds, [None, Some("paragraph".to_owned())]);
    assert_eq!(errors, [Some(error), None]);
}

#[test]
fn a_text_that_is_null_has_a_row_where_errors_are_collected() {
    let ids = texts(&[None, Some("b"), None, Some("d")]);
    let of_texts = || texts(&[Some("# A"), None, None, Some(" ")]);
    let cut = |errors: bool| {
        let mut names = with_rows(|rows| {
            (rows.document_ids, rows.elements, rows.errors) = (true, true, errors);
        });
        (names.document_id, names.reading) = (Some("id".into()), Reading::Told);
        let documents = named(vec![("text", of_texts()), ("id", Arc::clone(&ids))]);
        let layout = Layout::new(documents.data_type(), &names).unwrap();
        let (cutter, unit) = (of_elements(), Unit::named("chars").unwrap());
        let job = job_of(&layout, &cutter, Counting::Unit(&unit));
        RecordBatch::from(job.chunks(documents).unwrap())
    };
    let some = |text: &str| Some(text.to_owned());
    let chunks = cut(true);
    assert_eq!(optional(&chunks, "text"), [some("# A"), None, None]);
    assert_eq!(optional(&chunks, "document_id")[1..], [some("b"), None]);
    assert_eq!(numbers(&chunks, "doc_index"), [0, 1, 2]);
    let errors = [None, some("row 1: the text is null"), some("row 2: the text is null")];
    assert_eq!(optional(&chunks, "error"), errors);
    assert_eq!(optional(&cut(false), "text"), [some("# A")]);
}

#[test]
fn documents_without_names_are_called_by_their_ids() {
    let documents = named(vec![
        ("text", texts(&[Some("abc"), Some("abc"), Some("abc"), None])),
        ("name", texts(&[Some("a"), None, None, None])),
        ("id", texts(&[Some("1"), Some("2"), None, Some("4")])),
    ]);
    let of = document_id("abc");
    for ids in [true, false] {
        let mut names = with_rows(|rows| {
            (rows.document_ids, rows.errors, rows.ids) = (ids, true, ids.then(|| "chunk".into()));
        });
        (names.name, names.document_id) = (Some("name".into()), Some("id".into()));
        names.name_from_id = true;
        let layout = Layout::new(documents.data_type(), &names).unwrap();
        let (cutter, unit) = (window(3), Unit::named("chars").unwrap());
        let job = job_of(&layout, &cutter, Counting::Unit(&unit));
        let chunks = RecordBatch::from(job.chunks(documents.clone()).unwrap());
        assert_eq!(strings(&chunks, "document"), ["a", "2", &of, "4"]);
        if ids {
            let expected = ["a", "2", &of].map(|name| Identities::new(name).next("abc"));
            assert_eq!(strings(&chunks, "chunk"), expected);
        }
    }
}
